import type { Timeline } from './plan-timeline.js';
import { restartsOf } from './window-moments.js';

/** How many were admitted in a window, up to a moment or as a whole. */
export interface Step {
  readonly seconds: number;
  readonly admitted: number;
  /** Whether a request was refused at this moment, or in this window. */
  readonly refused: boolean;
}

/** What a picture of admissions shows: a stepped line, and crosses where something was refused. */
export interface Drawn {
  readonly line: readonly Step[];
  readonly crosses: readonly Step[];
}

/** Counts what was admitted, answer by answer, from nothing at each restart. */
export function admittedSoFar(timeline: Timeline): Step[] {
  const restarts = restartsOf(timeline);
  const steps: Step[] = [{ seconds: 0, admitted: 0, refused: false }];
  let admitted = 0;
  let next = 0;
  for (const point of timeline.points) {
    for (
      let restart = restarts[next];
      restart !== undefined && restart <= point.seconds;
      restart = restarts[next]
    ) {
      if (admitted > 0) {
        steps.push({ seconds: restart, admitted, refused: false });
        steps.push({ seconds: restart, admitted: 0, refused: false });
      }
      admitted = 0;
      next++;
    }
    if (!point.refused && !point.failed) admitted += point.weight;
    steps.push({ seconds: point.seconds, admitted, refused: point.refused });
  }
  return steps;
}

/** What each window admitted as a whole, at its beginning. */
export function admittedByWindow(timeline: Timeline): Step[] {
  const steps: Step[] = [];
  const { points } = timeline;
  const restarts = restartsOf(timeline);
  let next = 0;
  restarts.forEach((seconds, index) => {
    const end = restarts[index + 1] ?? Number.POSITIVE_INFINITY;
    let admitted = 0;
    let refused = false;
    for (let point = points[next]; point && point.seconds < end; point = points[++next]) {
      if (point.refused) refused = true;
      else if (!point.failed) admitted += point.weight;
    }
    steps.push({ seconds, admitted, refused });
  });
  return steps;
}

/** Crosses nearer than this, in columns, are one. */
const columnsOfACross = 5;

/** One step for each column and level of rest, and crosses that do not cover each other. */
export function thinnedAnswers(steps: readonly Step[], column: (step: Step) => number): Drawn {
  const line: Step[] = [];
  const crosses: Step[] = [];
  steps.forEach((step, index) => {
    const after = steps[index + 1];
    const falls = after !== undefined && after.admitted < step.admitted;
    const fell = (line.at(-1)?.admitted ?? -1) > step.admitted;
    const beginsOrEnds = index === 0 || !after;
    if (beginsOrEnds || falls || fell || Math.round(column(after)) !== Math.round(column(step)))
      line.push(step);
    if (!step.refused) return;
    const last = crosses.at(-1);
    const apart = last && column(step) - column(last) >= columnsOfACross;
    if (!last || apart || Math.abs(last.admitted - step.admitted) > 1) crosses.push(step);
  });
  return { line, crosses };
}

/** Of each column's windows the one that admitted most: an over-admission is never thinned away. */
export function thinnedWindows(steps: readonly Step[], column: (step: Step) => number): Drawn {
  const highest = new Map<number, Step>();
  for (const step of steps) {
    const key = Math.round(column(step));
    if (step.admitted >= (highest.get(key)?.admitted ?? 0)) highest.set(key, step);
  }
  const crosses: Step[] = [];
  for (const step of steps.filter(({ refused }) => refused)) {
    const last = crosses.at(-1);
    if (!last || column(step) - column(last) >= columnsOfACross) crosses.push(step);
  }
  return { line: [...highest.values()], crosses };
}
