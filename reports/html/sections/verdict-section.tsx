import type { JSX } from 'preact';
import type { RequirementClass } from '../../../lib/specification/catalogue.js';
import type { RequirementResult, RunRecord } from '../../../lib/record/record.js';
import { subjectOf } from '../../summary/headline.js';
import { TargetText } from '../parts/target-text.js';
import { Prose } from '../text/prose.js';
import {
  classNames,
  classSentence,
  countsSentence,
  rowsOfClass,
  unselectedSentence,
} from '../verdict/class-sentences.js';
import { headlineOf, symbolOfClass } from '../verdict/report-headline.js';
import { outcomeCounts, outcomes, outcomeTexts } from '../parts/outcome.js';
import { OutcomeSymbol } from '../parts/outcome-mark.js';

/** The rows of a class as one bar: each outcome's share, in the order of the counts below it. */
function Bar({ rows }: { readonly rows: readonly RequirementResult[] }): JSX.Element {
  const counts = outcomeCounts(rows);
  let from = 0;
  const parts = [...outcomes].reverse().flatMap((outcome) => {
    const width = counts[outcome];
    from += width;
    return width > 0 ? [{ outcome, x: from - width, width }] : [];
  });
  return (
    <svg
      class="bar"
      viewBox={`0 0 ${Math.max(1, rows.length)} 1`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {parts.map(({ outcome, x, width }) => (
        <rect class={`is-${outcome}`} x={x} width={width} height="1" />
      ))}
    </svg>
  );
}

function Counts({ rows }: { readonly rows: readonly RequirementResult[] }): JSX.Element {
  const counts = outcomeCounts(rows);
  return (
    <ul class="counts">
      {outcomes
        .filter((outcome) => counts[outcome] > 0)
        .map((outcome) => (
          <li class={`is-${outcome}`}>
            <OutcomeSymbol outcome={outcome} />
            <b>{counts[outcome]}</b> {outcomeTexts[outcome].word.toLowerCase()}
          </li>
        ))}
    </ul>
  );
}

function ClassCard({
  id,
  record,
}: {
  readonly id: RequirementClass;
  readonly record: RunRecord;
}): JSX.Element {
  const rows = rowsOfClass(record, id);
  const result = record.classes.find((each) => each.id === id);
  const outcome = result ? symbolOfClass[result.verdict] : 'not-tested';
  return (
    <section class={`class is-${outcome}`} aria-labelledby={`class-${id}`}>
      <h3 id={`class-${id}`}>
        <OutcomeSymbol outcome={outcome} />
        {classNames[id]}
      </h3>
      <p class="class-sentence">{result ? classSentence(result.verdict, rows) : unselectedSentence(id)}</p>
      {result && (
        <>
          <Bar rows={rows} />
          <Counts rows={rows} />
          <p class="hidden">{countsSentence(rows)}</p>
        </>
      )}
    </section>
  );
}

/** What the reader has to know before the verdicts: a run that broke off, waivers that ran out, notes. */
export function Warnings({ record }: { readonly record: RunRecord }): JSX.Element | null {
  const { run, notes = [], waiverProblems = [] } = record;
  if (run.complete && notes.length === 0 && waiverProblems.length === 0) return null;
  return (
    <ul class="warnings">
      {!run.complete && (
        <li>
          <b>This run did not finish.</b> {run.stopped !== undefined && <Prose text={run.stopped} />}
        </li>
      )}
      {waiverProblems.map((problem) => (
        <li>
          <b>Waiver.</b> <Prose text={problem} />
        </li>
      ))}
      {notes.map((note) => (
        <li>
          <Prose text={note} />
        </li>
      ))}
    </ul>
  );
}

/** The head of the report: who was tested and how it came out. */
export function Headline({ record }: { readonly record: RunRecord }): JSX.Element {
  const { kind, claim, outcome } = headlineOf(record);
  return (
    <header class={`headline is-${outcome}`}>
      <p class="kind">{kind} · Pet Store Service Specification</p>
      <h1>
        <OutcomeSymbol outcome={outcome} />
        <span>
          <bdi>
            <TargetText text={subjectOf(record)} />
          </bdi>{' '}
          {claim}
        </span>
      </h1>
      <p class="base-url">
        <TargetText text={record.target.baseUrl} />
      </p>
    </header>
  );
}

/** The verdict of each class in one sentence, with what was not judged beside what passed. */
export function VerdictSection({ record }: { readonly record: RunRecord }): JSX.Element {
  return (
    <section id="verdict" aria-labelledby="verdict-title">
      <h2 id="verdict-title" class="hidden">
        Verdict
      </h2>
      <Warnings record={record} />
      <div class="classes">
        {(['functional', 'limits', 'description'] as const).map((id) => (
          <ClassCard id={id} record={record} />
        ))}
      </div>
    </section>
  );
}
