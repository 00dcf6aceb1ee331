import type { RunRecord } from '../../lib/record/record.js';
import { latencyTable, loadFacts, shareTable, stageTable, thresholdText } from '../summary/load-summary.js';
import type { Layout } from './layout.js';

/** What a load measured, as it is printed when it has ended. */
export function loadLines({ load }: RunRecord, layout: Layout): string[] {
  if (!load) return [];
  return [
    ...loadFacts(load).map((fact) => factLine(fact, layout)),
    '',
    ...tableLines(latencyTable(load)),
    '  Latency is counted from the planned moment of a request, as users feel it.',
    '',
    ...[stageTable(load), shareTable(load)].flatMap((table) => (table ? [...tableLines(table), ''] : [])),
    ...load.thresholds.map((threshold) => {
      const { word, measured } = thresholdText(threshold);
      return factLine([word, `${threshold.name} ${threshold.bound}: ${measured}`], layout);
    }),
  ];
}

/** A fact with its name before it. */
export function factLine([name, text]: readonly [name: string, text: string], layout: Layout): string {
  return layout.paragraph(name.padEnd(13), text);
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
