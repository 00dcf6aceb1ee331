import type { JSX } from 'preact';
import { printable } from '../../lib/explain/printable.js';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { isLoad, loadPart } from '../summary/load-summary.js';
import type { RunView } from '../summary/run-view.js';
import { copyScript } from './copy-script.js';
import type { ShownExchanges } from './evidence/shown-exchanges.js';
import type { ShownResult } from './evidence/shown-results.js';
import { Document } from './parts/document.js';
import { PartView } from './parts/table.js';
import { Causes } from './sections/causes.js';
import { Limits } from './sections/limits.js';
import { Requirements } from './sections/requirements.js';
import { Run } from './sections/run.js';
import { nameOf, Verdict, Warnings } from './sections/verdict.js';

export interface PageProperties {
  readonly record: RunRecord;
  readonly view: RunView;
  readonly results: readonly ShownResult[];
  readonly exchanges: ShownExchanges;
}

/** The whole report as one document that asks for nothing. */
export function Page({ record, view, results, exchanges }: PageProperties): JSX.Element {
  const { suite, run } = record;
  return (
    <Document title={`${nameOf(record)}: ${view.word} · ${view.kind}`} script={copyScript}>
      <Verdict record={record} view={view} />
      <Contents record={record} view={view} />
      <main>
        <Warnings view={view} />
        {isLoad(record) ? (
          <section id="load" aria-labelledby="load-title">
            <h2 id="load-title">The load</h2>
            <PartView part={loadPart(record)} />
          </section>
        ) : (
          <>
            <Causes record={record} causes={view.causes} exchanges={exchanges} />
            <Limits record={record} exchanges={exchanges} />
            <Requirements record={record} results={results} exchanges={exchanges} />
          </>
        )}
        <Run record={record} exchanges={exchanges} />
      </main>
      <footer class="note">
        Made by {printable(`${suite.name} ${suite.version} from the record of run ${run.id}`)}. This page
        loads nothing.
      </footer>
    </Document>
  );
}

/** The way to each part. */
function Contents({ record, view }: Pick<PageProperties, 'record' | 'view'>): JSX.Element {
  const isOfLoad = isLoad(record);
  return (
    <nav aria-label="Contents">
      {view.causes.length > 0 && !isOfLoad && <a href="#causes">What is wrong</a>}
      {record.load && <a href="#load">The load</a>}
      {(record.plans ?? []).length > 0 && !isOfLoad && <a href="#limits">Limits</a>}
      {!isOfLoad && <a href="#requirements">Requirements</a>}
      <a href="#run">How it was measured</a>
    </nav>
  );
}
