import type { ExplanationPoint, ExplanationWindow } from '../../../lib/evidence/record/explanation.js';
import type { PlanMeasurement } from '../../../lib/evidence/record/plan-measurement.js';

/** A window of a limiter as it is drawn. */
export interface DrawnWindow extends ExplanationWindow {
  /** From 1, among those that are drawn. */
  readonly number: number;
  /** The first request that was rejected. */
  readonly rejected: ExplanationPoint | undefined;
}

/** A day that was resumed has more windows. Fewer points make no picture. */
const mostWindows = 12;
const fewestPoints = 3;

/** The windows of the limit's own probes in the order of time, as of their points: other requests stay below the limit. */
export function drawnWindows({ explanation }: PlanMeasurement): DrawnWindow[] {
  return (explanation?.windows ?? [])
    .filter(({ points, phases }) => points.length >= fewestPoints && phases.length > 0)
    .slice(0, mostWindows)
    .map((window, index) => {
      const points = window.points.toSorted((one, other) => one.received - other.received);
      const rejected = points.find(({ outcome }) => outcome === 'rejected');
      return { ...window, points, number: index + 1, rejected };
    });
}
