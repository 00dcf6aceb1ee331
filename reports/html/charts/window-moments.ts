import type { Timeline } from './plan-timeline.js';

/**
 * Windows are read off announced resets, which are rounded to seconds: what lies nearer than this, in seconds, is one
 * moment. Of windows shorter than a few seconds, as tests have them, a quarter.
 */
const roundingOfResets = 1.5;

function tolerance({ windows }: Timeline): number {
  const shortest = windows.reduce(
    (length, { from, to }) => Math.min(length, to - from),
    Number.POSITIVE_INFINITY,
  );
  return Math.min(roundingOfResets, shortest / 4);
}

/** Moments in order, each once, though it was told several times with another rounding. */
function distinct(moments: readonly number[], apart: number): number[] {
  const kept: number[] = [];
  for (const moment of [...moments].sort((one, other) => one - other)) {
    const last = kept.at(-1);
    if (last === undefined || moment - last > apart) kept.push(moment);
  }
  return kept;
}

/** The moments at which a window of the limit begins or ends, within the picture. */
export function windowEdges(timeline: Timeline): number[] {
  const edges = timeline.windows.flatMap(({ from, to }) => [from, to]);
  return distinct(edges, tolerance(timeline)).filter((edge) => edge >= 0 && edge <= timeline.seconds);
}

/**
 * Where counting starts anew: at each window's beginning; without windows, at each phase's. A reset that was rounded up
 * puts the beginning after the phase's first requests, which belong to the window: then it begins with the phase.
 */
export function restartsOf(timeline: Timeline): number[] {
  const { windows, phases } = timeline;
  if (windows.length === 0)
    return distinct(
      phases.map(({ from }) => from),
      0,
    );
  const apart = tolerance(timeline);
  const begins = windows.map(({ from }) => {
    const begun = phases.find((phase) => from >= phase.from && from - phase.from <= apart);
    return begun?.from ?? from;
  });
  return distinct(begins, apart);
}
