import type { RunRecord } from '../../lib/record/record.js';
import {
  latencyHead,
  latencyRows,
  loadFacts,
  thresholdText,
  workerHead,
  workerRows,
} from '../summary/load-summary.js';
import { headline } from '../summary/verdict-sentences.js';
import type { Layout } from './layout.js';

/** A load as it is printed when it has ended. */
export function loadLines(record: RunRecord, layout: Layout, report: string | undefined): string[] {
  const { load, run, target } = record;
  const fact = (name: string, text: string): string => layout.paragraph(name.padEnd(13), text);
  const end = [
    ...(run.stopped === undefined ? [] : [fact('Stopped', run.stopped)]),
    ...(report === undefined ? [] : [fact('Report', report)]),
    fact('Result', headline(record)),
  ];
  if (!load) return ['', fact('Target', target.baseUrl), ...end];
  return [
    '',
    fact('Target', target.baseUrl),
    ...loadFacts(load).map(([name, text]) => fact(name, text)),
    '',
    ...tableLines([latencyHead, ...latencyRows(load)]),
    '  Latency is counted from the planned moment of a request.',
    '',
    ...(load.workers ? [...tableLines([workerHead, ...workerRows(load)]), ''] : []),
    ...record.requirements.flatMap(({ id, verdict, findings }) =>
      verdict === 'fail' ? findings.map(({ message }) => fact(id, `failed: ${message}`)) : [],
    ),
    ...load.thresholds.map((threshold) => {
      const { mark, measured } = thresholdText(threshold);
      return fact(mark, `${threshold.name} ${threshold.bound}: ${measured}`);
    }),
    ...end,
  ];
}

/** Rows of cells in columns, the first to the left, the others to the right. */
function tableLines(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}
