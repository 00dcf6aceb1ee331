import type { PlanMeasurement, RunRecord } from '../../lib/record/record.js';
import { admittedWith, sentAfterFirst429, windowUses } from '../summary/limit-figures.js';
import type { Layout } from './layout.js';

/**
 * The limits that a run measured, a line a plan: how many requests one window admitted, in sequence, by all operations
 * in turn and in a burst, how many were sent after a first 429 had come, and which algorithm fits. A day's counting and
 * other phases stand below, each in a line.
 */
export function limitLines({ plans = [] }: RunRecord, layout: Layout): string[] {
  if (plans.length === 0) return [];
  const head = ['Limits', 'a minute', ...windowUses, 'after 429', 'algorithm'];
  const rows = plans.map((plan) => [
    plan.plan,
    String(plan.perMinute),
    ...windowUses.map((use) => String(admittedWith(plan, use) ?? '-')),
    String(sentAfterFirst429(plan)),
    plan.algorithm ? `${plan.algorithm.name} (${plan.algorithm.certainty})` : 'not told',
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string => {
    const fixed = cells
      .slice(0, -1)
      .map((cell, column) => (column === 0 ? cell.padEnd(12) : cell.padStart(widths[column] ?? 0)));
    return layout.paragraph(`${fixed.join(' ')}  `, cells.at(-1) ?? '');
  };
  return [line(head), ...rows.map(line), ...plans.flatMap((plan) => otherPhases(plan, layout))];
}

const withinWindows: ReadonlySet<string> = new Set([...windowUses, 'opening', 'recovery', 'preparation']);
/** What is tried once behind a 429: a creation, and each operation. */
const behindRefusal = /^refused /;

function otherPhases({ plan, phases }: PlanMeasurement, layout: Layout): string[] {
  return phases
    .filter(({ name }) => !withinWindows.has(name) && !behindRefusal.test(name))
    .map(({ name, sent, admitted, failed, latency, exact }) =>
      layout.paragraph(
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
