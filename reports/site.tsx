import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ComponentChild, ComponentChildren, JSX } from 'preact';
import { clip } from '../lib/explain/clip.js';
import { printable, printableDeep } from '../lib/explain/printable.js';
import { catalogue, isRequirementId } from '../lib/specification/catalogue.js';
import { recordFile, type FinishedRun } from './finished-run.js';
import { OutcomeMark, pageOf, Prose } from './html/parts.js';
import { nameOf } from './html/render.js';
import { writeReport } from './renderers.js';
import { classNames, outcomeOf } from './summary/outcomes.js';

/** A run, under the name of the implementation, if that is not the name of its target. */
type PublishedRun = FinishedRun & { readonly name?: string | undefined };

interface Implementation extends Pick<FinishedRun, 'record'> {
  readonly name: string;
  readonly folder: string;
}

/** Writes a table of requirements by implementation, whose path it returns, and for each its report and its record. */
export async function writeSite(runs: readonly PublishedRun[], folder: string): Promise<string> {
  const implementations: Implementation[] = [];
  for (const [index, { name: given, ...run }] of runs.entries()) {
    const record = printableDeep(run.record);
    const name = printable(given ?? nameOf(record));
    // No other has its number.
    const own = `${index + 1}-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
    await writeReport(run, 'html', join(folder, own));
    await copyFile(join(run.directory, recordFile), join(folder, own, recordFile));
    implementations.push({ name, folder: own, record });
  }
  const path = join(folder, 'index.html');
  await writeFile(path, siteIndex(implementations));
  return path;
}

/** The table of requirements by implementation, each cell leading to its evidence. It scrolls by itself if it is wide. */
export function siteIndex(all: readonly Implementation[]): string {
  const caption = 'Requirements by implementation';
  // Those of other versions stand behind the catalogue.
  const others = all.flatMap(({ record }) => record.requirements.filter(({ id }) => !isRequirementId(id)));
  const known = new Map([...catalogue, ...others].map((one) => [one.id, one]));
  const row = (head: ComponentChildren, cell: (one: Implementation) => ComponentChild): JSX.Element => (
    <tr>
      <th scope="row">{head}</th>
      {all.map((one) => (
        <td>{cell(one)}</td>
      ))}
    </tr>
  );
  return pageOf(
    'Pet Store Service: conformance of implementations',
    <>
      <header>
        <p class="note">Pet Store Service Specification</p>
        <h1>Conformance of implementations</h1>
      </header>
      <main>
        <div class="scrolled" role="region" aria-label={caption} tabIndex={0}>
          <table>
            <caption>{caption}</caption>
            <thead>
              <tr>
                <th scope="col">Requirement</th>
                {all.map(({ name, folder, record: { run, suite } }) => (
                  <th scope="col">
                    <a href={`${folder}/report.html`}>{clip(name, 60)}</a>
                    {` ${run.startedAt.slice(0, 10)}, suite ${suite.version}`}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {Object.entries(classNames).map(([id, name]) =>
                row(<b>{name}</b>, ({ record }) => {
                  return record.classes.find((one) => one.id === id)?.verdict ?? 'not selected';
                }),
              )}
              {[...known.values()].map(({ id, level, title }) =>
                row([`${id} `, <Prose text={`${level}: ${title}`} />], ({ folder, record }) => {
                  const result = record.requirements.find((one) => one.id === id);
                  return (
                    result && (
                      <a href={`${folder}/report.html#${id}`}>
                        <OutcomeMark outcome={outcomeOf(result, record)} />
                      </a>
                    )
                  );
                }),
              )}
            </tbody>
          </table>
        </div>
      </main>
      <footer class="note">
        Made from the records of the runs, which stand beside each report. This page loads nothing.
      </footer>
    </>,
  );
}
