import type { ExplanationPoint, ExplanationWindow } from '../../../lib/record/explanation.js';
import type { PlanMeasurement } from '../../../lib/record/record.js';

/** A window of a limiter as it is drawn. */
export interface DrawnWindow {
  readonly window: ExplanationWindow;
  /** From 1, among all windows of the plan. */
  readonly number: number;
  /** The first request that was rejected. */
  readonly rejected: ExplanationPoint | undefined;
}

/** A day that was resumed has more windows. Fewer points make no picture. */
const mostWindows = 12;
const fewestPoints = 3;

/** The windows of a plan that are drawn, in the order of time. */
export function drawnWindows({ explanation }: PlanMeasurement): DrawnWindow[] {
  return (explanation?.windows ?? [])
    .map((window, index) => {
      const rejected = window.points
        .filter(({ outcome }) => outcome === 'rejected')
        .toSorted((one, other) => one.received - other.received);
      return { window, number: index + 1, rejected: rejected[0] };
    })
    .filter(({ window }) => window.points.length >= fewestPoints)
    .slice(0, mostWindows);
}
