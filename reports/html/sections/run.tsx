import type { JSX } from 'preact';
import { wasKilled } from '../../../lib/evidence/record/cut-off.js';
import { runFacts } from '../../summary/run-facts.js';
import { count } from '../../text/quantity.js';
import { usePage } from '../page-data.js';
import { Facts } from '../parts/table.js';

/** How it was measured: the run, and the files that prove the page. */
export function Run(): JSX.Element {
  const { record, exchanges } = usePage();
  const { load, run } = record;
  const recorded =
    load !== undefined || run.limits === 'day'
      ? 'Every request stands in ledger.jsonl; the first exchanges are recorded, then failures and a sample.'
      : 'Every exchange is recorded.';
  return (
    <>
      <p>
        {wasKilled({ run }) ? 'Exchanges are recorded until the run was cut off.' : recorded}
        {exchanges.leftOut > 0 &&
          ` Of those named here, ${count(exchanges.leftOut, 'exchange')} are left out of this page to keep it small: see exchanges.jsonl.`}
      </p>
      <details>
        <summary>The run</summary>
        <Facts facts={runFacts(record)} />
      </details>
      <p class="note">
        <code>report.json</code> has every verdict, finding and observation; <code>exchanges.jsonl</code> the
        requests and responses, with the key replaced; <code>manifest.json</code> the SHA-256 of every file.{' '}
        <code>npx petstore-conformance report verify DIR</code>, with the run’s folder, compares each file and
        judges every recorded exchange again.
      </p>
    </>
  );
}
