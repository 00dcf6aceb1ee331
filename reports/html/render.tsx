import type { JSX } from 'preact';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import type { FinishedRun } from '../finished-run.js';
import { isLoad } from '../summary/measurements.js';
import { outcomeTexts, selectedResults, tally } from '../summary/outcomes.js';
import { viewOf, type RunView } from '../summary/run-view.js';
import { isSelfCheck, unnamedTarget } from '../summary/verdict-sentences.js';
import { capitalized, count, integer, moment } from '../text.js';
import { entriesOf, mostEntries, type PageData } from './exchanges.js';
import { Causes, Requirements } from './findings.js';
import { drawnWindows, Limits } from './limits.js';
import { Facts, pageOf, Prose } from './parts.js';

export type HtmlRun = Pick<FinishedRun, 'record' | 'exchangesById'>;

/** A run as one HTML document: without a request to anywhere, complete without its script, readable on paper too. */
export async function renderHtml({ record, exchangesById }: HtmlRun): Promise<string> {
  const view = viewOf(record);
  const named = idsIn(view);
  const byId = await exchangesById(named.slice(0, mostExchanges));
  const exchanges = { byId, unshown: new Set(byId.keys()), leftOut: named.length - byId.size };
  const title = `${nameOf(view.record)}: ${view.word} · ${kindOf(view.record)}`;
  return pageOf(title, <Page {...view} exchanges={exchanges} />);
}

/** A page of 5 kB is usual: a hundred animals are cut to the lines that matter. */
const mostExchanges = 160;

/** The exchanges that the page shows: memory does not grow with the run. */
function idsIn({ causes, record: { requirements, plans = [] } }: RunView): string[] {
  const entries = requirements.flatMap((result) => entriesOf(result).slice(0, mostEntries));
  return [
    ...new Set([
      ...causes.flatMap(({ shown }) => shown?.exchanges.slice(0, 2) ?? []),
      ...plans.flatMap(drawnWindows).flatMap(({ rejected }) => rejected?.id ?? []),
      ...entries.flatMap(({ exchanges }) => exchanges.slice(0, 1)),
    ]),
  ];
}

type Section = readonly [id: string, title: string, content: JSX.Element];

function Page(page: PageData): JSX.Element {
  const { record, causes, parts, problems, news } = page;
  const { suite, run, plans = [] } = record;
  const judged: Section[] = [
    ...(causes.length > 0 ? [['causes', 'What is wrong', <Causes {...page} />] as const] : []),
    ...(plans.length > 0 ? [['limits', 'The limits', <Limits {...page} />] as const] : []),
    ['requirements', 'Every requirement', <Requirements {...page} />],
  ];
  const measured = parts.map(({ title, facts }) => ['load', title, <Facts facts={facts} />] as const);
  const sections: Section[] = [
    ...(isLoad(record) ? measured : judged),
    ['run', 'How it was measured', <Run {...page} />],
  ];
  return (
    <>
      <Verdict {...page} />
      <nav aria-label="Contents">
        {sections.map(([id, title]) => (
          <a href={`#${id}`}>{title}</a>
        ))}
      </nav>
      <main>
        <ul class="warnings">
          {[...problems, ...news].map((fact) => (
            <li>
              <Prose text={fact.join(': ')} />
            </li>
          ))}
        </ul>
        {sections.map(([id, title, content]) => (
          <section id={id} aria-labelledby={`${id}-title`}>
            <h2 id={`${id}-title`}>{title}</h2>
            {content}
          </section>
        ))}
      </main>
      <footer class="note">
        {`Made by ${suite.name} ${suite.version} from the record of run ${run.id}. This page loads nothing.`}
      </footer>
    </>
  );
}

/** The target's name; one that was given by its address alone is called by that. */
export function nameOf({ target }: Pick<RunRecord, 'target'>): string {
  if (isSelfCheck({ target })) return 'The embedded reference service';
  return target.name === unnamedTarget ? target.baseUrl.replace(/^https?:\/\//iu, '') : target.name;
}

function kindOf(record: RunRecord): string {
  return isLoad(record) ? 'Load report' : 'Conformance report';
}

/** What the verdict rests on: requirements by outcome. A load has figures of its own. */
function numbersOf(record: RunRecord) {
  const { passed, failed, warned, waived, 'not judged': open } = tally(selectedResults(record), record);
  const numbers = [
    [passed, 'passed', 'green'],
    [failed, 'failed', 'red'],
    [warned, warned === 1 ? 'warning' : 'warnings', 'yellow'],
    [waived, 'waived', 'yellow'],
    [open, 'not judged', 'dim'],
  ] as const;
  return isLoad(record) ? [] : numbers.filter(([value, name]) => value > 0 || name !== 'waived');
}

function Verdict({ record, word, outcome, headline }: PageData): JSX.Element {
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
        <Prose text={headline} />
      </p>
    </header>
  );
}

function Run({ facts, exchanges }: PageData): JSX.Element {
  return (
    <>
      <details>
        <summary>The run</summary>
        <Facts facts={facts} />
      </details>
      {exchanges.leftOut > 0 && (
        <p>{`${count(exchanges.leftOut, 'exchange')} named here are left out of this page to keep it small.`}</p>
      )}
      <p class="note">
        <code>report.json</code> has every verdict, finding and observation; <code>exchanges.jsonl</code> the
        requests and responses, with the key replaced (of a load and a day a sample: <code>ledger.jsonl</code>{' '}
        names every request); <code>manifest.json</code> the SHA-256 of every file.{' '}
        <code>npx petstore-conformance report verify DIR</code>, with the run’s folder, compares each file and
        judges every recorded exchange again.
      </p>
    </>
  );
}
