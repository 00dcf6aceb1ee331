import type { JSX } from 'preact';
import type { RunRecord } from '../../../lib/record/record.js';
import { selectedResults } from '../../summary/class-summary.js';
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

type Tone = 'green' | 'red' | 'yellow' | 'dim';

/** What the verdict rests on: requirements by outcome, or the requests of a load. */
function numbersOf(record: RunRecord): (readonly [name: string, value: number, tone: Tone])[] {
  if (record.load) {
    const { sent, good, refused, errors } = record.load;
    return [
      ['sent', sent, 'dim'],
      ['succeeded', good, 'green'],
      ['rejected', refused, 'yellow'],
      [errors === 1 ? 'error' : 'errors', errors, 'red'],
    ];
  }
  // A load that never began has no numbers.
  if (record.classes.length === 0) return [];
  const { pass, fail, warn, waived, 'not judged': open } = tally(selectedResults(record), record);
  return [
    ['passed', pass, 'green'],
    ['failed', fail, 'red'],
    [warn === 1 ? 'warning' : 'warnings', warn, 'yellow'],
    ...(waived > 0 ? [['waived', waived, 'yellow'] as const] : []),
    ['not judged', open, 'dim'],
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
    <header class={`verdict ${outcomeTexts[outcome].colour}`}>
      <p class="note">{kind} · Pet Store Service Specification</p>
      <h1>
        <span class="seal" aria-hidden="true">
          {outcomeTexts[outcome].mark}
        </span>
        {capitalized(word)}
      </h1>
      <ul class="numbers">
        {numbersOf(record).map(([name, value, tone]) => (
          <li class={value > 0 ? tone : 'dim'}>
            <b>{integer(value)}</b> {name}
          </li>
        ))}
      </ul>
      <p>
        <b>
          <bdi>
            <TargetText text={nameOf(record)} />
          </bdi>
        </b>{' '}
        <TargetText text={target.baseUrl} /> · <TargetText text={moment(run.startedAt)} />
      </p>
      <p class="note">
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
