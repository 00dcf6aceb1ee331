import type { PlanMeasurement } from '../../lib/record/record.js';

/** The ways in which a minute's window is used up. */
export const windowUses = ['sequence', 'mixed', 'burst'] as const;
export type WindowUse = (typeof windowUses)[number];

/**
 * What one window admitted until it was used up: a phase of that name, with what was sent before it in the same window
 * to open or to prepare it. Undefined where no window was used up so.
 */
export function admittedWith({ phases }: PlanMeasurement, use: WindowUse): number | undefined {
  const index = phases.findLastIndex(({ name }) => name === use);
  if (index < 0) return undefined;
  let first = index;
  while (first > 0 && ['opening', 'recovery', 'preparation'].includes(phases[first - 1]?.name ?? ''))
    first -= 1;
  return phases.slice(first, index + 1).reduce((sum, phase) => sum + admittedInLastWindow(phase), 0);
}

/** A phase that waited for a fresh window had its earlier requests in another one. */
function admittedInLastWindow({ admitted, windows, series }: PlanMeasurement['phases'][number]): number {
  const last = windows.at(-1);
  if (windows.length < 2 || last === undefined) return admitted;
  return series.filter(({ t, status }) => t >= last.from && status !== null && status !== 429).length;
}

/** Requests sent after the first 429 of their phase had arrived, over all phases. */
export function sentAfterFirst429({ phases }: PlanMeasurement): number {
  return phases.reduce((sum, phase) => sum + phase.sentAfterFirst429, 0);
}
