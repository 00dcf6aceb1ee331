import type { JSX } from 'preact';
import type { RunRecord } from '../../../lib/run/record.js';
import type { ShownExchanges } from '../evidence/shown-exchanges.js';
import { bytes, counted } from '../figures.js';
import { Foreign } from '../text/foreign.js';

/** A file of the run, as the manifest lists it. */
export interface EvidenceFile {
  readonly name: string;
  readonly bytes?: number | undefined;
  /** Hexadecimal; known only for files that were written before the report. */
  readonly sha256?: string | undefined;
}

const purposes: Readonly<Record<string, string>> = {
  'report.json': 'The run record: every verdict, finding and observation.',
  'exchanges.jsonl': 'Every request and response of the run, one a line, the key replaced.',
  'report.html': 'This report, made from the two above and from nothing else.',
  'manifest.json': 'The SHA-256 of every file of the run, written last.',
};

const standardFiles: readonly EvidenceFile[] = Object.keys(purposes).map((name) => ({ name }));

/** Animals listed: the rest stands in the record. */
const leftoversShown = 200;
const longestName = 200;

/** The animals that the run left in the store. */
export function LeftoversSection({ record: { leftovers } }: { readonly record: RunRecord }): JSX.Element {
  return (
    <section id="leftovers" aria-labelledby="leftovers-title">
      <h2 id="leftovers-title">What the run left behind</h2>
      {leftovers.length === 0 ? (
        <p>Nothing.</p>
      ) : (
        <>
          <p class="lead">
            {counted(leftovers.length, 'animal')}. The service has no operation that deletes one; their names
            begin with the run’s marker.
          </p>
          <details>
            <summary>
              {leftovers.length > leftoversShown
                ? `The first ${leftoversShown} of them`
                : `The ${counted(leftovers.length, 'animal')}`}
            </summary>
            <table class="leftovers">
              <thead>
                <tr>
                  <th scope="col">Identifier</th>
                  <th scope="col">Name</th>
                </tr>
              </thead>
              <tbody>
                {leftovers.slice(0, leftoversShown).map(({ id, name }) => (
                  <tr>
                    <td>
                      <Foreign text={id} />
                    </td>
                    <td>
                      <bdi>
                        <Foreign text={name} longest={longestName} />
                      </bdi>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
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
        {counted(record.requests.sent, 'request')} sent, each recorded with what came of it.{' '}
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
                  <Foreign text={file.name} />
                </code>
              </td>
              <td>
                {purposes[file.name] ?? 'A further report of the run.'}
                {file.bytes !== undefined && ` ${bytes(file.bytes)}.`}
              </td>
              {hashed && (
                <td>
                  <code class="hash">
                    <Foreign text={file.sha256 ?? 'in manifest.json'} />
                  </code>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="note">
        To check: <code>npm run report -- verify DIR</code>, with the run’s folder for DIR. It compares each
        file with the manifest and judges every recorded exchange again.
      </p>
      <p class="note">
        Characters that can’t be seen, or that turn the direction of text, are shown by name:{' '}
        <b class="unseen">U+202E</b>. Bodies and lists are cut where they are long, and say by how much;{' '}
        <code>report.json</code> and <code>exchanges.jsonl</code> hold the whole.
      </p>
    </section>
  );
}
