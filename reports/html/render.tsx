import { renderToString } from 'preact-render-to-string';
import { viewOf } from '../summary/run-view.js';
import type { RequirementResult, RunRecord } from '../../lib/record/record.js';
import { catalogue, isRequirementId } from '../../lib/specification/catalogue.js';
import type { FinishedRun } from '../finished-run.js';
import type { Renderer } from '../renderer.js';
import { ReportDocument } from './document.js';
import { shownExchanges } from './evidence/shown-exchanges.js';
import { causeGroups, observationGroups } from './evidence/shown-findings.js';

/** What the report is made of: the record, and the exchanges that it asks for by id. */
export type HtmlRun = Pick<FinishedRun, 'record' | 'exchangesById'>;

/** A run as one HTML document: static, without a script, without a request to anywhere, readable on paper too. */
export async function renderHtml(run: HtmlRun): Promise<string> {
  const record = withEveryResult(run.record);
  const view = viewOf(record);
  const findings = causeGroups(view.causes);
  const observations = observationGroups(record);
  const exchanges = await shownExchanges(findings, observations, record, run.exchangesById);
  const properties = { record, view, findings, observations, exchanges };
  return `<!doctype html>\n${renderToString(<ReportDocument {...properties} />)}\n`;
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
  summary: 'the report for people: verdicts, findings with evidence, the specification annotated',
  render: async function* (run) {
    yield await renderHtml(run);
  },
};
