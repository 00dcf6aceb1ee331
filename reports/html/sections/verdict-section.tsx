import type { JSX } from 'preact';
import type { RunRecord } from '../../../lib/record/record.js';
import { classSummaries, type ClassSummary } from '../../summary/class-summary.js';
import {
  capitalized,
  outcomeOfVerdict,
  subjectOf,
  unnamedTarget,
  verdictSentences,
} from '../../summary/verdict-sentences.js';
import type { RunView } from '../../summary/run-view.js';
import { moment } from '../../text/quantity.js';
import { Counts, OutcomeSymbol } from '../parts/outcome-mark.js';
import { Prose, TargetText } from '../parts/text.js';

function ClassCard({ summary, record }: { summary: ClassSummary; record: RunRecord }): JSX.Element {
  const { id, name, verdict, results, counts, reason } = summary;
  const outcome = verdict ? outcomeOfVerdict[verdict] : 'not-tested';
  return (
    <section class={`class is-${outcome}`} aria-labelledby={`class-${id}`}>
      <h3 id={`class-${id}`}>
        <OutcomeSymbol outcome={outcome} />
        {name}
      </h3>
      {verdict ? (
        <>
          <p class="class-sentence">
            {capitalized(verdict)}. {verdictSentences(results, record)}
          </p>
          <Counts counts={counts} />
        </>
      ) : (
        <p class="class-sentence">
          <Prose text={`${capitalized(reason)}.`} />
        </p>
      )}
    </section>
  );
}

interface HeadProperties {
  readonly record: RunRecord;
  readonly view: RunView;
}

/** What the reader has to know before the verdicts: a run that did not finish, waivers with a problem, notes. */
export function Warnings({ record, view }: HeadProperties): JSX.Element | null {
  const warnings = [...view.warnings, ...(record.notes ?? [])];
  if (warnings.length === 0) return null;
  return (
    <ul class="warnings">
      {warnings.map((text) => (
        <li>
          <Prose text={text} />
        </li>
      ))}
    </ul>
  );
}

/** The head of the report: the target and its verdict. */
export function Headline({ record, view }: HeadProperties): JSX.Element {
  const { kind, word, outcome, headline } = view;
  const { run, target } = record;
  return (
    <header class={`headline is-${outcome}`}>
      <p class="kind">{kind} · Pet Store Service Specification</p>
      <h1>
        <bdi>
          <TargetText text={nameOf(record)} />
        </bdi>
      </h1>
      <p class="verdict">
        <OutcomeSymbol outcome={outcome} />
        <b>{capitalized(word)}.</b> <Prose text={headline} />
      </p>
      <p class="base-url">
        <TargetText text={target.baseUrl} /> · <TargetText text={moment(run.startedAt)} />
      </p>
    </header>
  );
}

/** The target's name; one that was given by its address alone is called by that. */
export function nameOf(record: Pick<RunRecord, 'target'>): string {
  const { name, baseUrl } = record.target;
  return name === unnamedTarget ? baseUrl.replace(/^https?:\/\//iu, '') : subjectOf(record);
}

/** The verdict of each class, with what was not judged beside what passed. */
export function VerdictSection({ record }: { readonly record: RunRecord }): JSX.Element {
  return (
    <section id="verdict" aria-labelledby="verdict-title">
      <h2 id="verdict-title">Verdict by class</h2>
      <div class="classes">
        {classSummaries(record).map((summary) => (
          <ClassCard summary={summary} record={record} />
        ))}
      </div>
    </section>
  );
}
