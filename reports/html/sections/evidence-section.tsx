import type { JSX } from 'preact';
import type { RunRecord } from '../../../lib/record/record.js';
import { standardFiles, type EvidenceFile } from '../evidence/evidence-files.js';
import type { ShownExchanges } from '../evidence/shown-exchanges.js';
import { inOrder, leftoverMarker } from '../../summary/leftovers.js';
import { bytes, count, counted } from '../../text/quantity.js';
import { TargetText } from '../parts/target-text.js';

/** Animals listed: the rest stands in the record. */
const leftoversShown = 200;
const longestName = 80;

/** The animals that the run left in the store. */
export function LeftoversSection({ record }: { readonly record: RunRecord }): JSX.Element {
  const leftovers = inOrder(record.leftovers);
  const marked = leftoverMarker(leftovers);
  return (
    <section id="leftovers" aria-labelledby="leftovers-title">
      <h2 id="leftovers-title">What the run left behind</h2>
      {leftovers.length === 0 ? (
        <p>Nothing.</p>
      ) : (
        <>
          <p class="lead">
            {counted(leftovers.length, 'animal')}. The service has no operation that deletes one.
            {marked && (
              <>
                {' '}
                {marked.others === 0 ? 'Each name' : `Each name but ${count(marked.others)}`} begins with the
                run’s marker,{' '}
                <code>
                  <TargetText text={marked.marker} longest={longestName} />
                </code>
                .
              </>
            )}
          </p>
          <details>
            <summary>
              {leftovers.length > leftoversShown
                ? `The first ${leftoversShown} of them`
                : `The ${counted(leftovers.length, 'animal')}`}
            </summary>
            <ul class="leftovers">
              {leftovers.slice(0, leftoversShown).map(({ id, name }) => (
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
          </details>
          {leftovers.length > leftoversShown && (
            <p class="note">
              {counted(leftovers.length - leftoversShown, 'further animal')} in <code>report.json</code>.
            </p>
          )}
        </>
      )}
    </section>
  );
}

export interface EvidenceSectionProperties {
  readonly record: RunRecord;
  readonly exchanges: ShownExchanges;
  readonly files?: readonly EvidenceFile[] | undefined;
}

/** The files that prove the report, and how anyone checks them. */
export function EvidenceSection({
  record,
  exchanges,
  files = standardFiles,
}: EvidenceSectionProperties): JSX.Element {
  const hashed = files.some((file) => file.sha256 !== undefined);
  return (
    <section id="evidence" aria-labelledby="evidence-title">
      <h2 id="evidence-title">Evidence</h2>
      <p class="lead">
        {counted(record.requests.sent, 'request')} sent,{' '}
        {record.load || record.run.limits === 'day'
          ? 'recorded with what came of them: each at first, then what failed and a sample.'
          : 'each recorded with what came of it.'}{' '}
        {exchanges.leftOut > 0 &&
          `${counted(exchanges.leftOut, 'exchange')} named here ${exchanges.leftOut === 1 ? 'is' : 'are'} left out of this page to keep it small; look ${exchanges.leftOut === 1 ? 'it' : 'them'} up by id in exchanges.jsonl.`}
      </p>
      <table class="files">
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col">What it holds</th>
            {hashed && <th scope="col">SHA-256</th>}
          </tr>
        </thead>
        <tbody>
          {files.map((file) => (
            <tr>
              <td>
                <code>
                  <TargetText text={file.name} />
                </code>
              </td>
              <td>
                {file.holds}
                {file.bytes !== undefined && ` ${bytes(file.bytes)}.`}
              </td>
              {hashed && <td>{file.sha256 === undefined ? '' : <code class="hash">{file.sha256}</code>}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="note">
        To check: <code>npm run report -- verify DIR</code> in a checkout of the suite, or{' '}
        <code>npx petstore-conformance report verify DIR</code> where it is installed, with the run’s folder
        for DIR. It compares each file with the manifest and judges every recorded exchange again.
      </p>
      <p class="note">
        Characters that can’t be seen, or that turn the direction of text, are shown by name:{' '}
        <b class="unseen">U+202E</b>. Bodies and lists are cut where they are long, and say by how much;{' '}
        <code>report.json</code> and <code>exchanges.jsonl</code> hold the whole.
      </p>
    </section>
  );
}
