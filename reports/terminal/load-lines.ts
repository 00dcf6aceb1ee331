import type { RunRecord } from '../../lib/evidence/record/record.js';
import { loadFacts, loadTables, thresholdText } from '../summary/load-summary.js';
import type { Layout } from './layout.js';

/** What a load measured, as it is printed when it has ended. */
export function loadLines({ load }: RunRecord, layout: Layout): string[] {
  if (!load) return [];
  const bounds = load.thresholds.map((threshold) => {
    const { word, measured } = thresholdText(threshold);
    return factLine([word, `${threshold.name} ${threshold.bound}: ${measured}`], layout);
  });
  return [
    ...loadFacts(load).map((fact) => factLine(fact, layout)),
    '',
    ...loadTables(load).flatMap(({ caption, head, rows }) => [
      ...columnsOf([head, ...rows]),
      layout.paint('dim', layout.paragraph('  ', caption)),
      '',
    ]),
    ...bounds,
  ];
}

/** A fact with its name before it. */
export function factLine([name, text]: readonly [name: string, text: string], layout: Layout): string {
  return layout.paragraph(name.padEnd(13), text);
}

/** Rows of cells in columns, the first to the left, the others to the right. */
function columnsOf(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map(([first = '', ...cells]) => {
    const others = cells.map((cell, index) => cell.padStart(widths[index + 1] ?? 0));
    return [first.padEnd(widths[0] ?? 0), ...others].join('  ').trimEnd();
  });
}
