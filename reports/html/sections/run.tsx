import type { JSX } from 'preact';
import { wasKilled } from '../../../lib/evidence/record/cut-off.js';
import type { RunRecord } from '../../../lib/evidence/record/record.js';
import { runFacts } from '../../summary/run-facts.js';
import { count } from '../../text/quantity.js';
import { usePage } from '../page-data.js';
import { PartView } from '../parts/table.js';

/** What is recorded of the run, and what of it this page leaves out. */
function recordedText({ load, run }: RunRecord, leftOut: number): string {
  const isSample = load !== undefined || run.limits === 'day';
  const recorded = isSample
    ? 'Every request stands in ledger.jsonl; the first exchanges are recorded, then failures and a sample.'
    : 'Every exchange is recorded.';
  return [
    wasKilled({ run }) ? 'Exchanges are recorded until the run was cut off.' : recorded,
    leftOut > 0 &&
      `Of those named here, ${count(leftOut, 'exchange')} are left out of this page to keep it small: see exchanges.jsonl.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** How it was measured: the run, and the files that prove the page. */
export function Run(): JSX.Element {
  const { record, exchanges } = usePage();
  return (
    <>
      <p>{recordedText(record, exchanges.leftOut)}</p>
      <details>
        <summary>The run</summary>
        <PartView part={{ title: 'The run', facts: runFacts(record) }} />
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
          <code>npx petstore-conformance report verify DIR</code> (in a checkout{' '}
          <code>npm run report -- verify DIR</code>) compares each file with the manifest and judges every
          recorded exchange again. DIR is the run’s folder.
        </p>
      </details>
    </>
  );
}
