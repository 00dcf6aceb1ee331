import type { JSX } from 'preact';
import type { RunRecord } from '../../../lib/evidence/record/record.js';
import { selectedResults } from '../../summary/class-summary.js';
import { outcomeTexts, tally } from '../../summary/requirement-outcome.js';
import { sincePreviousSentence } from '../../summary/run-facts.js';
import type { RunView } from '../../summary/run-view.js';
import { isSelfCheck, unnamedTarget } from '../../summary/verdict-sentences.js';
import { capitalized, integer, moment } from '../../text/quantity.js';
import { Prose } from '../parts/text.js';

/** The target's name; one that was given by its address alone is called by that. */
export function nameOf({ target }: Pick<RunRecord, 'target'>): string {
  if (isSelfCheck({ target })) return 'The embedded reference service';
  return target.name === unnamedTarget ? target.baseUrl.replace(/^https?:\/\//iu, '') : target.name;
}

type Number = readonly [value: number, name: string, tone: 'green' | 'red' | 'yellow' | 'dim'];

/** What the verdict rests on: requirements by outcome. */
function numbersOf(record: RunRecord): Number[] {
  const { pass, fail, warn, waived, 'not judged': open } = tally(selectedResults(record), record);
  return [
    [pass, 'passed', 'green'],
    [fail, 'failed', 'red'],
    [warn, warn === 1 ? 'warning' : 'warnings', 'yellow'],
    ...(waived > 0 ? [[waived, 'waived', 'yellow'] as const] : []),
    [open, 'not judged', 'dim'],
  ];
}

/** The head of the page: the verdict, four numbers, and the target. */
export function Verdict({ record, word, outcome, headline }: RunView): JSX.Element {
  const { colour, mark } = outcomeTexts[outcome];
  return (
    <header class={`verdict ${colour}`}>
      <p class="note">Conformance report · Pet Store Service Specification</p>
      <h1>
        <span class="seal" aria-hidden="true">
          {mark}
        </span>
        {capitalized(word)}
      </h1>
      <ul class="numbers">
        {numbersOf(record).map(([value, name, tone]) => (
          <li class={value > 0 ? tone : 'dim'}>
            <b>{integer(value)}</b> {name}
          </li>
        ))}
      </ul>
      <p>
        <b>
          <bdi>{nameOf(record)}</bdi>
        </b>{' '}
        {record.target.baseUrl} · {moment(record.run.startedAt)}
      </p>
      <p>
        <Prose text={[headline, sincePreviousSentence(record)].filter(Boolean).join(' ')} />
      </p>
    </header>
  );
}

/** What the reader has to know beside the verdict: a run that did not finish, waivers with a problem, notes. */
export function Warnings({ warnings, notes }: RunView): JSX.Element {
  return (
    <ul class="warnings">
      {[...warnings, ...notes].map((text) => (
        <li>
          <Prose text={text} />
        </li>
      ))}
    </ul>
  );
}
