import type { PlanMeasurement, RunRecord } from '../../lib/record/record.js';
import type { Paper } from './paper.js';

/** The ways in which a minute's window is used up, each in a column of its own. */
const uses = ['sequence', 'mixed', 'burst'] as const;

/**
 * The limits that a run measured, a line a plan: how many requests one window admitted, in sequence, by all operations
 * in turn and in a burst, how many were sent after a first 429 had come, and which algorithm fits. A day's counting and
 * other phases stand below, each in a line.
 */
export function limitLines({ plans = [] }: RunRecord, paper: Paper): string[] {
  if (plans.length === 0) return [];
  const head = ['Limits', 'a minute', ...uses, 'after 429', 'algorithm'];
  const rows = plans.map((plan) => [
    plan.plan,
    String(plan.perMinute),
    ...uses.map((use) => admittedWith(plan, use)),
    String(plan.phases.reduce((sum, { sentAfterFirst429 }) => sum + sentAfterFirst429, 0)),
    plan.algorithm ? `${plan.algorithm.name} (${plan.algorithm.certainty})` : 'not told',
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string => {
    const fixed = cells
      .slice(0, -1)
      .map((cell, column) => (column === 0 ? cell.padEnd(12) : cell.padStart(widths[column] ?? 0)));
    return paper.paragraph(`${fixed.join(' ')}  `, cells.at(-1) ?? '');
  };
  return [line(head), ...rows.map(line), ...plans.flatMap((plan) => otherPhases(plan, paper))];
}

/**
 * What one window admitted until it was used up: a phase of that name, with what was sent before it in the same window
 * to open or to prepare it.
 */
function admittedWith({ phases }: PlanMeasurement, use: (typeof uses)[number]): string {
  const index = phases.findLastIndex(({ name }) => name === use);
  if (index < 0) return '-';
  let first = index;
  while (first > 0 && ['opening', 'recovery', 'preparation'].includes(phases[first - 1]?.name ?? ''))
    first -= 1;
  return String(phases.slice(first, index + 1).reduce((sum, phase) => sum + admittedInLastWindow(phase), 0));
}

/** A phase that waited for a fresh window had its earlier requests in another one. */
function admittedInLastWindow({ admitted, windows, series }: PlanMeasurement['phases'][number]): number {
  const last = windows.at(-1);
  if (windows.length < 2 || last === undefined) return admitted;
  return series.filter(({ t, status }) => t >= last.from && status !== null && status !== 429).length;
}

const withinWindows: ReadonlySet<string> = new Set([
  ...uses,
  'opening',
  'recovery',
  'preparation',
  'refused creation',
]);

function otherPhases({ plan, phases }: PlanMeasurement, paper: Paper): string[] {
  return phases
    .filter(({ name }) => !withinWindows.has(name))
    .map(({ name, sent, admitted, failed, latency, exact }) =>
      paper.paragraph(
        `${name.padEnd(12)} `,
        [
          `${plan}: ${admitted} of ${sent} admitted`,
          ...(failed > 0 ? [`${failed} failed`] : []),
          ...(latency ? [`half of them within ${latency.p50} ms, 99 % within ${latency.p99} ms`] : []),
          ...(exact ? [] : ['not every request is accounted for']),
        ].join(', '),
      ),
    );
}
