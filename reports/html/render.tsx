import { renderToString } from 'preact-render-to-string';
import { viewOf } from '../summary/run-view.js';
import type { FinishedRun } from '../finished-run.js';
import type { Renderer } from '../renderer.js';
import { shownExchanges } from './evidence/shown-exchanges.js';
import { shownResults } from './evidence/shown-results.js';
import { Page } from './page.js';

/** What the report is made of: the record, and the exchanges that it asks for by id. */
export type HtmlRun = Pick<FinishedRun, 'record' | 'exchangesById'>;

/** A run as one HTML document: without a request to anywhere, complete without its script, readable on paper too. */
export async function renderHtml(run: HtmlRun): Promise<string> {
  const { record } = run;
  const view = viewOf(record);
  const results = shownResults(record.requirements);
  const exchanges = await shownExchanges(view.causes, results, record, run.exchangesById);
  const page = <Page record={record} view={view} results={results} exchanges={exchanges} />;
  return `<!doctype html>\n${renderToString(page)}\n`;
}

/** `report.html`. */
export const htmlReport = { file: 'report.html', render: renderHtml } as const satisfies Renderer;
