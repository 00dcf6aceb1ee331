import { scaleLinear, type ScaleLinear } from 'd3-scale';
import { plot } from './frame.js';
import type { Timeline } from './plan-timeline.js';
import { longWaits, type Wait } from './waits.js';

export interface TimeAxis {
  readonly x: ScaleLinear<number, number>;
  readonly xTicks: readonly number[];
  readonly xText: (seconds: number) => string;
  readonly xName: string;
  /** Where time is cut short, in the units of the drawing. */
  readonly waits: readonly Wait[];
}

const units = [
  { upTo: 240, divisor: 1, xName: 'seconds' },
  { upTo: 4 * 3_600, divisor: 60, xName: 'minutes' },
  { upTo: Number.POSITIVE_INFINITY, divisor: 3_600, xName: 'hours' },
] as const;

/** The axis of time that all of a plan's pictures share, in the unit that suits its length; long waits are cut short. */
export function timeAxis(timeline: Pick<Timeline, 'points' | 'seconds'>): TimeAxis {
  const { seconds } = timeline;
  const unit = units.find(({ upTo }) => seconds <= upTo) ?? units[0];
  const waits = longWaits(timeline);
  if (waits.length > 0) return brokenAxis(seconds, waits, unit);
  const inUnits = scaleLinear([0, seconds / unit.divisor], [0, 1]);
  return {
    x: scaleLinear([0, seconds], [plot.left, plot.right]),
    xTicks: inUnits.ticks(6).map((tick) => tick * unit.divisor),
    xText: (value) => String(Number((value / unit.divisor).toPrecision(6))),
    xName: unit.xName,
    waits: [],
  };
}

/** Widths in the units of the drawing. */
const widthOfWait = 16;
const leastWidth = 14;
const betweenLabels = 26;
/** Beside a wait the first and the last answer keep off its edge by this share of all that is not waiting. */
const margin = 0.03;

function brokenAxis(seconds: number, waits: readonly Wait[], unit: (typeof units)[number]): TimeAxis {
  // Never nothing, so that a single answer has a width, too.
  const awake = Math.max(seconds / 1_000, seconds - waits.reduce((sum, { from, to }) => sum + to - from, 0));
  const cut = waits.map(({ from, to }) => {
    const kept = Math.min(awake * margin, (to - from) / 10);
    return { from: from + kept, to: to - kept };
  });
  const stretches = [...cut, { from: seconds, to: seconds }].map(({ from }, index) => ({
    from: cut[index - 1]?.to ?? 0,
    to: from,
  }));
  const drawn = stretches.reduce((sum, { from, to }) => sum + to - from, 0);
  const room = plot.right - plot.left - widthOfWait * cut.length - leastWidth * stretches.length;
  const moments: number[] = [];
  const places: number[] = [];
  let place: number = plot.left;
  for (const { from, to } of stretches) {
    const width = leastWidth + (room * (to - from)) / drawn;
    moments.push(from, to);
    places.push(place, place + width);
    place += width + widthOfWait;
  }
  const x = scaleLinear(moments, places);
  return {
    x,
    xTicks: apart([0, ...waits.map(({ to }) => to)], (moment) => x(moment)),
    xText: (value) => String(Number((value / unit.divisor).toFixed(unit.divisor === 1 ? 0 : 1))),
    xName: `${unit.xName}; waits cut short`,
    waits: cut.map(({ from, to }) => ({ from: x(from), to: x(to) })),
  };
}

/** The moments whose labels do not touch. */
function apart(moments: readonly number[], placeOf: (moment: number) => number): number[] {
  const kept: number[] = [];
  for (const moment of moments) {
    const last = kept.at(-1);
    if (last === undefined || placeOf(moment) - placeOf(last) >= betweenLabels) kept.push(moment);
  }
  return kept;
}
