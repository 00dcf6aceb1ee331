import type { JSX } from 'preact';
import { wasKilled } from '../../../lib/record/cut-off.js';
import type { RunRecord } from '../../../lib/record/record.js';
import { leftoversText } from '../../summary/leftovers.js';
import { isLoad } from '../../summary/load-summary.js';
import { runBasis } from '../../summary/run-basis.js';
import { clockSentence, elapsedMs, planText, retriesSentence, sentText } from '../../summary/run-summary.js';
import { capitalized } from '../../summary/verdict-sentences.js';
import { count, duration, integer, list, moment } from '../../text/quantity.js';
import type { ShownExchanges } from '../evidence/shown-exchanges.js';
import { Facts } from '../parts/table.js';
import { TargetText } from '../parts/text.js';

const exchangesNamed = 12;

function requestsText(record: RunRecord): string {
  const { byOperation, byOrigin = {}, waitedMs } = record.requests;
  if (wasKilled(record)) return `${capitalized(sentText(record))}.`;
  const counts = (of: Record<string, number>): string =>
    list(Object.entries(of).map(([name, number]) => `${integer(number)} ${name}`));
  return [
    `${sentText(record)} sent: ${counts(byOperation) || 'none'}.`,
    ...(waitedMs >= 1 ? [`The run waited ${duration(waitedMs)} for the limit.`] : []),
    ...(Object.keys(byOrigin).length > 0 ? [`By origin: ${counts(byOrigin)}.`] : []),
  ].join(' ');
}

function leftoversOf({ leftovers, run }: RunRecord): string {
  if (leftovers.length > 0) return `${leftoversText(leftovers)}; report.json names all`;
  return wasKilled({ run }) ? 'not known' : 'nothing';
}

/** Who was tested, when, by what, and what the run rests on. */
function factsOf(record: RunRecord): (readonly [name: string, text: string | undefined])[] {
  const { run, suite, target } = record;
  const finished = `${moment(run.finishedAt)}, after ${duration(elapsedMs(run))}`;
  return [
    [
      'Target',
      `${target.name}, ${target.baseUrl}${target.readOnly ? ', read-only: nothing was created' : ''}`,
    ],
    ['Plan', planText(target)],
    ['Started', moment(run.startedAt)],
    ['Finished', wasKilled(record) ? 'not known' : finished],
    ['Suite', `${suite.name} ${suite.version}`],
    ['Profile', isLoad(record) ? undefined : `${run.profile}${run.strict ? ', strict: warnings fail' : ''}`],
    ['Limits', isLoad(record) ? undefined : run.limits],
    ['Seed', String(run.seed)],
    ['Run', run.id],
    ['Command', run.command],
    ['Clocks', clockSentence(target.clockDifferenceMs)],
    ['Left behind', leftoversOf(record)],
    ['Retries', retriesSentence(record)],
    ...runBasis(record),
  ];
}

/** What is recorded of the run, and what of it this page leaves out. */
function recordedText({ load, run }: RunRecord, { leftOut }: ShownExchanges): string {
  const recorded =
    load !== undefined || run.limits === 'day'
      ? 'Every request stands in ledger.jsonl; the first exchanges are recorded, then failures and a sample.'
      : 'Every exchange is recorded.';
  const named = leftOut.slice(0, exchangesNamed).join(', ');
  const rest = leftOut.length - exchangesNamed;
  return [
    wasKilled({ run }) ? 'Exchanges are recorded until the run was cut off.' : recorded,
    ...(leftOut.length > 0
      ? [
          `${count(leftOut.length, 'exchange')} named here ${leftOut.length === 1 ? 'is' : 'are'} left out of this page to keep it small (${named}${rest > 0 ? ` and ${integer(rest)} more` : ''}): see exchanges.jsonl.`,
        ]
      : []),
  ].join(' ');
}

export interface RunProperties {
  readonly record: RunRecord;
  readonly exchanges: ShownExchanges;
}

/** How it was measured: the run, and the files that prove the page. */
export function Run({ record, exchanges }: RunProperties): JSX.Element {
  const { suite, run } = record;
  const facts = factsOf(record).map(([name, text]) => [name, text && <TargetText text={text} />] as const);
  return (
    <section id="run" aria-labelledby="run-title">
      <h2 id="run-title">How it was measured</h2>
      <p>
        <TargetText text={`${requestsText(record)} ${recordedText(record, exchanges)}`} />
      </p>
      <details>
        <summary>
          <TargetText text={`The run: ${suite.name} ${suite.version}, seed ${run.seed}`} />
        </summary>
        <Facts facts={facts} />
      </details>
      <details>
        <summary>The files behind this page, and how to check them</summary>
        <p>
          <code>report.json</code> is the run record: every verdict, finding and observation.{' '}
          <code>exchanges.jsonl</code> has the requests and responses, with the key replaced;{' '}
          <code>ledger.jsonl</code> every request of limit probes and loads, and what autocannon counted;{' '}
          <code>manifest.json</code> the SHA-256 of every file.
        </p>
        <p>
          <code>npm run report -- verify DIR</code> in a checkout of the suite, or{' '}
          <code>npx petstore-conformance report verify DIR</code> with the installed package, compares each
          file with the manifest and judges every recorded exchange again. DIR is the run’s folder.
        </p>
        <p>
          Hidden characters, and those that turn the direction of text, are shown by name:{' '}
          <b class="unseen">U+202E</b>. Long texts and lists are cut and say by how much.
        </p>
      </details>
    </section>
  );
}
