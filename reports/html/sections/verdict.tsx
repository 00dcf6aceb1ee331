import type { JSX } from 'preact';
import type { LoadMeasurement, RunRecord } from '../../../lib/record/record.js';
import { selectedResults } from '../../summary/class-summary.js';
import { isLoad } from '../../summary/load-summary.js';
import { outcomeTexts, tally } from '../../summary/requirement-outcome.js';
import type { RunView } from '../../summary/run-view.js';
import { sincePreviousSentence } from '../../summary/since-previous.js';
import { capitalized, subjectOf, unnamedTarget } from '../../summary/verdict-sentences.js';
import { integer, moment } from '../../text/quantity.js';
import { Prose, TargetText } from '../parts/text.js';

/** The target's name; one that was given by its address alone is called by that. */
export function nameOf(record: Pick<RunRecord, 'target'>): string {
  const { name, baseUrl } = record.target;
  return name === unnamedTarget ? baseUrl.replace(/^https?:\/\//iu, '') : subjectOf(record);
}

type Number = readonly [name: string, value: number, tone: 'pass' | 'fail' | 'warn' | 'open'];

/** What the verdict rests on: requirements by outcome, or the requests of a load. */
function numbersOf(record: RunRecord): Number[] {
  if (isLoad(record)) return record.load ? loadNumbers(record.load) : [];
  const { pass, fail, warn, waived, 'not judged': open } = tally(selectedResults(record), record);
  const waivers: Number[] = waived > 0 ? [['waived', waived, 'warn']] : [];
  return [
    ['passed', pass, 'pass'],
    ['failed', fail, 'fail'],
    [warn === 1 ? 'warning' : 'warnings', warn, 'warn'],
    ...waivers,
    ['not judged', open, 'open'],
  ];
}

function loadNumbers({ sent, good, refused, errors }: LoadMeasurement): Number[] {
  return [
    ['sent', sent, 'open'],
    ['succeeded', good, 'pass'],
    ['rejected', refused, 'warn'],
    [errors === 1 ? 'error' : 'errors', errors, 'fail'],
  ];
}

export interface VerdictProperties {
  readonly record: RunRecord;
  readonly view: RunView;
}

/** The head of the page: the verdict, four numbers, and the target. */
export function Verdict({ record, view }: VerdictProperties): JSX.Element {
  const { kind, word, outcome, headline } = view;
  const { run, target } = record;
  return (
    <header class={`verdict is-${outcome}`}>
      <p class="kind">{kind} · Pet Store Service Specification</p>
      <h1>
        <span class="seal" aria-hidden="true">
          {outcomeTexts[outcome].mark}
        </span>
        {capitalized(word)}
      </h1>
      <ul class="numbers">
        {numbersOf(record).map(([name, value, tone]) => (
          <li class={value > 0 ? `tone-${tone}` : undefined}>
            <b>{integer(value)}</b> {name}
          </li>
        ))}
      </ul>
      <p class="target">
        <b>
          <bdi>
            <TargetText text={nameOf(record)} />
          </bdi>
        </b>{' '}
        <TargetText text={target.baseUrl} /> · <TargetText text={moment(run.startedAt)} />
      </p>
      <p class="headline">
        <Prose text={[headline, sincePreviousSentence(record)].filter(Boolean).join(' ')} />
      </p>
    </header>
  );
}

/** What the reader has to know beside the verdict: a run that did not finish, waivers with a problem, notes. */
export function Warnings({ record, view }: VerdictProperties): JSX.Element | null {
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
