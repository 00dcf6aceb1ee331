import type { JSX } from 'preact';
import { wasKilled } from '../../../lib/record/cut-off.js';
import type { RunRecord } from '../../../lib/record/record.js';
import { leftoversText, sortedLeftovers } from '../../summary/leftovers.js';
import { sentText } from '../../summary/run-summary.js';
import { capitalized } from '../../summary/verdict-sentences.js';
import { count } from '../../text/quantity.js';
import type { ShownExchanges } from '../evidence/shown-exchanges.js';
import { Facts } from '../parts/table.js';
import { TargetText } from '../parts/text.js';

/** Animals listed: the rest is in the record. */
const leftoversShown = 200;
const longestName = 80;

/** The animals that the run left in the store. */
export function LeftoversSection({ record }: { readonly record: RunRecord }): JSX.Element {
  const { leftovers } = record;
  const rest = leftovers.length - leftoversShown;
  return (
    <section id="leftovers" aria-labelledby="leftovers-title">
      <h2 id="leftovers-title">What the run left behind</h2>
      {leftovers.length === 0 ? (
        <p>{wasKilled(record) ? 'It is not known: the run was cut off.' : 'Nothing.'}</p>
      ) : (
        <details>
          <summary>
            <TargetText text={leftoversText(leftovers)} longest={400} />
          </summary>
          <ul class="leftovers">
            {sortedLeftovers(leftovers)
              .slice(0, leftoversShown)
              .map(({ id, name }) => (
                <li>
                  <b>
                    <TargetText text={id} longest={longestName} />
                  </b>{' '}
                  <bdi>
                    <TargetText text={name} longest={longestName} />
                  </bdi>
                </li>
              ))}
          </ul>
          {rest > 0 && <p class="note">{count(rest, 'further animal')} in report.json.</p>}
        </details>
      )}
    </section>
  );
}

const files: [string, string][] = [
  ['report.json', 'The run record: every verdict, finding and observation.'],
  ['exchanges.jsonl', 'Every request and response of the run, one a line, with the key replaced.'],
  [
    'ledger.jsonl',
    'Of a load and of limit probes: every request in the order of sending, and what autocannon counted.',
  ],
  ['manifest.json', 'The SHA-256 of every file of the run.'],
];

export interface FilesSectionProperties {
  readonly record: RunRecord;
  readonly exchanges: ShownExchanges;
}

/** The files that prove the report, and how anyone checks them. */
export function FilesSection({ record, exchanges }: FilesSectionProperties): JSX.Element {
  const { load, run } = record;
  const sampled = load !== undefined || run.limits === 'day';
  return (
    <section id="files" aria-labelledby="files-title">
      <h2 id="files-title">The files behind this page</h2>
      <p class="lead">
        {capitalized(sentText(record))} sent.{' '}
        {wasKilled(record)
          ? 'What was recorded until the run was cut off is in exchanges.jsonl.'
          : sampled
            ? 'Every request stands in ledger.jsonl; the first exchanges are recorded, then failures and a sample.'
            : 'Every exchange is recorded.'}{' '}
        {exchanges.leftOut > 0 &&
          `${count(exchanges.leftOut, 'exchange')} named here ${exchanges.leftOut === 1 ? 'is' : 'are'} left out of this page to keep it small: see exchanges.jsonl.`}
      </p>
      <details>
        <summary>The files, how to check them, and what this page leaves out</summary>
        <Facts facts={files} />
        <p class="note">
          To check: <code>npm run report -- verify DIR</code> in a checkout of the suite, or{' '}
          <code>npx petstore-conformance report verify DIR</code> with the installed package. DIR is the run’s
          folder. It compares each file with the manifest and judges every recorded exchange again.
        </p>
        <p class="note">
          Hidden characters, and those that turn the direction of text, are shown by name:{' '}
          <b class="unseen">U+202E</b>. Long bodies and lists are cut and say by how much; report.json and
          exchanges.jsonl hold everything.
        </p>
      </details>
    </section>
  );
}
