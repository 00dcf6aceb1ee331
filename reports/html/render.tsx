import type { JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { clip } from '../../lib/explain/clip.js';
import type { FinishedRun } from '../finished-run.js';
import { viewOf } from '../summary/run-view.js';
import { shownExchanges, type PageData } from './evidence/shown-exchanges.js';
import { copyScript } from './copy-script.js';
import { Document } from './parts/document.js';
import { Causes } from './sections/causes.js';
import { Limits } from './sections/limits.js';
import { Requirements } from './sections/requirements.js';
import { Run } from './sections/run.js';
import { nameOf, Verdict, Warnings } from './sections/verdict.js';

/** What the report is made of: the record, and the exchanges that it asks for by id. */
export type HtmlRun = Pick<FinishedRun, 'record' | 'exchangesById'>;

/** In columns. Commands are whole: a part of one would do something else. */
const longestText = 1_500;
const wholeTexts = new Set(['reproduce', 'command']);

function cut(name: string, value: unknown): unknown {
  return typeof value === 'string' && !wholeTexts.has(name) ? clip(value, longestText) : value;
}

/** A run as one HTML document: without a request to anywhere, complete without its script, readable on paper too. */
export async function renderHtml({ record, exchangesById }: HtmlRun): Promise<string> {
  const view = viewOf(JSON.parse(JSON.stringify(record, cut)) as RunRecord);
  const exchanges = await shownExchanges(view, exchangesById);
  return `<!doctype html>\n${renderToString(<Page {...view} exchanges={exchanges} />)}\n`;
}

/** A part of the page, to which its contents lead. */
type Section = readonly [id: string, title: string, content: JSX.Element];

/** The whole report as one document that asks for nothing. */
function Page(page: PageData): JSX.Element {
  const { record, causes, word } = page;
  const { suite, run, plans = [] } = record;
  const sections: Section[] = [
    ...(causes.length > 0 ? [['causes', 'What is wrong', <Causes {...page} />] as const] : []),
    ...(plans.length > 0 ? [['limits', 'The limits', <Limits {...page} />] as const] : []),
    ['requirements', 'Every requirement', <Requirements {...page} />],
    ['run', 'How it was measured', <Run {...page} />],
  ];
  return (
    <Document title={`${nameOf(record)}: ${word} · Conformance report`} script={copyScript}>
      <Verdict {...page} />
      <nav aria-label="Contents">
        {sections.map(([id, title]) => (
          <a href={`#${id}`}>{title}</a>
        ))}
      </nav>
      <main>
        <Warnings {...page} />
        {sections.map(([id, title, content]) => (
          <section id={id} aria-labelledby={`${id}-title`}>
            <h2 id={`${id}-title`}>{title}</h2>
            {content}
          </section>
        ))}
      </main>
      <footer class="note">
        {`Made by ${suite.name} ${suite.version} from the record of run ${run.id}. This page loads nothing.`}
      </footer>
    </Document>
  );
}
