import { createHash } from 'node:crypto';
import type { JSX } from 'preact';
import { printable } from '../../lib/explain/printable.js';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { isLoad } from '../summary/load-summary.js';
import type { RunView } from '../summary/run-view.js';
import { copyScript } from './copy-script.js';
import type { ShownExchanges } from './evidence/shown-exchanges.js';
import type { ShownResult } from './evidence/shown-findings.js';
import { Causes } from './sections/causes.js';
import { Limits } from './sections/limits.js';
import { Load } from './sections/load.js';
import { Requirements } from './sections/requirements.js';
import { Run } from './sections/run.js';
import { nameOf, Verdict, Warnings } from './sections/verdict.js';
import { stylesheet } from './stylesheet.js';

export interface PageProperties {
  /** With a result for every id of the catalogue. */
  readonly record: RunRecord;
  readonly view: RunView;
  readonly results: readonly ShownResult[];
  readonly exchanges: ShownExchanges;
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing is loaded. The one style and the one script are known by their hashes, so that no data can bring another. */
const contentSecurityPolicy = `default-src 'none'; style-src ${hashOf(stylesheet)}; script-src ${hashOf(copyScript)}; base-uri 'none'; form-action 'none'`;

/** The whole report as one document that asks for nothing. */
export function Page({ record, view, results, exchanges }: PageProperties): JSX.Element {
  const { suite, run } = record;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={contentSecurityPolicy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>{printable(`${nameOf(record)}: ${view.word} · ${view.kind}`)}</title>
        <style dangerouslySetInnerHTML={{ __html: stylesheet }} />
      </head>
      <body>
        <a class="skip" href="#report">
          Skip to the report
        </a>
        <Verdict record={record} view={view} />
        <Contents record={record} view={view} />
        <main id="report">
          <Warnings view={view} />
          {isLoad(record) ? (
            <Load record={record} />
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
        <script dangerouslySetInnerHTML={{ __html: copyScript }} />
      </body>
    </html>
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
