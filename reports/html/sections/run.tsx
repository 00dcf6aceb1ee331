import type { JSX } from 'preact';
import { runFacts } from '../../summary/run-facts.js';
import { count } from '../../text/quantity.js';
import type { PageData } from '../evidence/shown-exchanges.js';
import { Facts } from '../parts/table.js';

/** How it was measured: the run, and the files that prove the page. */
export function Run({ record, exchanges }: PageData): JSX.Element {
  return (
    <>
      <details>
        <summary>The run</summary>
        <Facts facts={runFacts(record)} />
      </details>
      {exchanges.leftOut > 0 && (
        <p>{`${count(exchanges.leftOut, 'exchange')} named here are left out of this page to keep it small.`}</p>
      )}
      <p class="note">
        <code>report.json</code> has every verdict, finding and observation; <code>exchanges.jsonl</code> the
        requests and responses, with the key replaced (of a day a sample: <code>ledger.jsonl</code> names
        every request); <code>manifest.json</code> the SHA-256 of every file.{' '}
        <code>npx petstore-conformance report verify DIR</code>, with the run’s folder, compares each file and
        judges every recorded exchange again.
      </p>
    </>
  );
}
