import { renderToString } from 'preact-render-to-string';
import { viewOf } from '../summary/run-view.js';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import type { RequirementResult } from '../../lib/evidence/record/requirement-result.js';
import { catalogue, isRequirementId } from '../../lib/specification/catalogue.js';
import type { FinishedRun } from '../finished-run.js';
import type { Renderer } from '../renderer.js';
import { shownExchanges } from './evidence/shown-exchanges.js';
import { shownResults } from './evidence/shown-findings.js';
import { Page } from './page.js';

/** What the report is made of: the record, and the exchanges that it asks for by id. */
export type HtmlRun = Pick<FinishedRun, 'record' | 'exchangesById'>;

/** A run as one HTML document: without a request to anywhere, complete without its script, readable on paper too. */
export async function renderHtml(run: HtmlRun): Promise<string> {
  const record = withEveryResult(run.record);
  const view = viewOf(record);
  const results = shownResults(record.requirements);
  const exchanges = await shownExchanges(view.causes, results, record, run.exchangesById);
  const page = <Page record={record} view={view} results={results} exchanges={exchanges} />;
  return `<!doctype html>\n${renderToString(page)}\n`;
}

/** The record with one result for each id of the catalogue, in its order: that of another version may lack some, or have more. */
function withEveryResult(record: RunRecord): RunRecord {
  const results = new Map(record.requirements.map((result) => [result.id, result]));
  const requirements = catalogue.map(({ id, level, section, title }): RequirementResult => {
    const reason = 'the record has no result for it';
    const missing = {
      id,
      level,
      section,
      title,
      verdict: 'not-tested',
      reason,
      checks: 0,
      findings: [],
    } as const;
    return results.get(id) ?? { ...missing, findings: [] };
  });
  const others = record.requirements.filter(({ id }) => !isRequirementId(id));
  return { ...record, requirements: [...requirements, ...others] };
}

/** `report.html`. */
export const htmlReport: Renderer = {
  name: 'html',
  file: 'report.html',
  summary: 'the report for people: what is wrong and what to do, every requirement with its evidence',
  render: async function* (run) {
    yield await renderHtml(run);
  },
};
