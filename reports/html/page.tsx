import type { JSX } from 'preact';
import { printable } from '../../lib/explain/printable.js';
import { isLoad, loadPart } from '../summary/load-summary.js';
import { copyScript } from './copy-script.js';
import { PageContext, usePage, type PageData } from './page-data.js';
import { Document } from './parts/document.js';
import { PartView } from './parts/table.js';
import { Causes } from './sections/causes.js';
import { Limits } from './sections/limits.js';
import { Requirements } from './sections/requirements.js';
import { Run } from './sections/run.js';
import { kindOf, nameOf, Verdict, Warnings } from './sections/verdict.js';

/** The whole report as one document that asks for nothing. */
export function Page(data: PageData): JSX.Element {
  const { record, view } = data;
  const { suite, run } = record;
  const isOfLoad = isLoad(record);
  return (
    <PageContext.Provider value={data}>
      <Document title={`${nameOf(record)}: ${view.word} · ${kindOf(record)}`} script={copyScript}>
        <Verdict />
        <Contents />
        <main>
          <Warnings />
          {isOfLoad && (
            <section id="load" aria-labelledby="load-title">
              <h2 id="load-title">The load</h2>
              <PartView part={loadPart(record)} />
            </section>
          )}
          {!isOfLoad && [<Causes />, <Limits />, <Requirements />]}
          <Run />
        </main>
        <footer class="note">
          Made by {printable(`${suite.name} ${suite.version} from the record of run ${run.id}`)}. This page
          loads nothing.
        </footer>
      </Document>
    </PageContext.Provider>
  );
}

/** The way to each part. */
function Contents(): JSX.Element {
  const { record, view } = usePage();
  const isOfLoad = isLoad(record);
  const parts = [
    ['causes', 'What is wrong', view.causes.length > 0 && !isOfLoad],
    ['load', 'The load', isOfLoad],
    ['limits', 'Limits', (record.plans ?? []).length > 0 && !isOfLoad],
    ['requirements', 'Requirements', !isOfLoad],
    ['run', 'How it was measured', true],
  ] as const;
  return (
    <nav aria-label="Contents">
      {parts.map(([id, title, isThere]) => isThere && <a href={`#${id}`}>{title}</a>)}
    </nav>
  );
}
