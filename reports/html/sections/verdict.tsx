import type { JSX } from 'preact';
import type { RunRecord } from '../../../lib/evidence/record/record.js';
import { selectedResults } from '../../summary/class-summary.js';
import { isLoad } from '../../summary/load-summary.js';
import { outcomeTexts, tally } from '../../summary/requirement-outcome.js';
import { sincePreviousSentence } from '../../summary/run-facts.js';
import { isSelfCheck, unnamedTarget } from '../../summary/verdict-sentences.js';
import { capitalized, integer, moment } from '../../text/quantity.js';
import { usePage } from '../page-data.js';
import { Prose } from '../parts/text.js';

/** The target's name; one that was given by its address alone is called by that. */
export function nameOf({ target }: Pick<RunRecord, 'target'>): string {
  if (isSelfCheck({ target })) return 'The embedded reference service';
  return target.name === unnamedTarget ? target.baseUrl.replace(/^https?:\/\//iu, '') : target.name;
}

/** What sort of report it is. */
export function kindOf(record: RunRecord): string {
  return isLoad(record) ? 'Load report' : 'Conformance report';
}

type Number = readonly [value: number, name: string, tone: 'green' | 'red' | 'yellow' | 'dim'];

/** What the verdict rests on: requirements by outcome, or the requests of a load. A load that never began has none. */
function numbersOf(record: RunRecord): Number[] {
  const { load, classes } = record;
  if (load)
    return [
      [load.sent, 'sent', 'dim'],
      [load.good, 'succeeded', 'green'],
      [load.refused, 'rejected', 'yellow'],
      [load.errors, load.errors === 1 ? 'error' : 'errors', 'red'],
    ];
  if (classes.length === 0) return [];
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
export function Verdict(): JSX.Element {
  const { record, word, outcome, headline } = usePage();
  const { colour, mark } = outcomeTexts[outcome];
  return (
    <header class={`verdict ${colour}`}>
      <p class="note">{kindOf(record)} · Pet Store Service Specification</p>
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
export function Warnings(): JSX.Element {
  const { warnings, notes } = usePage();
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
