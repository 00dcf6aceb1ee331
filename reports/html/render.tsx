import { renderToString } from 'preact-render-to-string';
import type { FinishedRun } from '../finished-run.js';
import type { Renderer } from '../renderer.js';
import { evidenceFiles, type EvidenceFile } from './evidence/evidence-files.js';
import { ReportDocument } from './document.js';
import { findingGroups } from './evidence/shown-findings.js';
import { shownExchanges } from './evidence/shown-exchanges.js';
import { observationGroups } from './evidence/shown-observations.js';
import { withEveryRow } from './verdict/every-row.js';

/** What the report is made of: the record, and the exchanges that it asks for by id. */
export interface HtmlRun extends Pick<FinishedRun, 'record' | 'exchangesById'> {
  /** The run's other files, where their sizes and hashes are known already. */
  readonly files?: readonly EvidenceFile[];
}

/** A run as one HTML document: static, without a script, without a request to anywhere, readable on paper too. */
export async function renderHtml(run: HtmlRun): Promise<string> {
  const record = withEveryRow(run.record);
  const findings = findingGroups(record);
  const observations = observationGroups(record);
  const exchanges = await shownExchanges(findings, observations, run.exchangesById);
  const document = (
    <ReportDocument
      record={record}
      findings={findings}
      observations={observations}
      exchanges={exchanges}
      files={run.files}
    />
  );
  return `<!doctype html>\n${renderToString(document)}\n`;
}

/** `report.html`. */
export const htmlReport: Renderer = {
  name: 'html',
  file: 'report.html',
  summary: 'the report for people: verdicts, findings with evidence, the specification annotated',
  render: async function* (run) {
    yield await renderHtml({ ...run, files: await evidenceFiles(run.directory) });
  },
};
