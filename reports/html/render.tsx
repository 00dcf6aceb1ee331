import { renderToString } from 'preact-render-to-string';
import { viewOf } from '../summary/run-view.js';
import type { FinishedRun } from '../finished-run.js';
import type { Renderer } from '../renderer.js';
import { shownExchanges } from './evidence/shown-exchanges.js';
import { Page } from './page.js';

/** What the report is made of: the record, and the exchanges that it asks for by id. */
export type HtmlRun = Pick<FinishedRun, 'record' | 'exchangesById'>;

/** A run as one HTML document: without a request to anywhere, complete without its script, readable on paper too. */
export async function renderHtml({ record, exchangesById }: HtmlRun): Promise<string> {
  const view = viewOf(record);
  const exchanges = await shownExchanges(view.causes, record, exchangesById);
  return `<!doctype html>\n${renderToString(<Page record={record} view={view} exchanges={exchanges} />)}\n`;
}

/** `report.html`. */
export const htmlReport = { file: 'report.html', render: renderHtml } as const satisfies Renderer;
