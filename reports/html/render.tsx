import { renderToString } from 'preact-render-to-string';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { clip } from '../../lib/explain/clip.js';
import type { FinishedRun } from '../finished-run.js';
import { viewOf } from '../summary/run-view.js';
import { shownExchanges } from './evidence/shown-exchanges.js';
import { Page } from './page.js';

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
