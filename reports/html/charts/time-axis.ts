import { scaleLinear, type ScaleLinear } from 'd3-scale';
import { plot } from './frame.js';
import type { Timeline } from './plan-timeline.js';

export interface TimeAxis {
  readonly x: ScaleLinear<number, number>;
  readonly xTicks: readonly number[];
  readonly xText: (seconds: number) => string;
  readonly xName: string;
}

const units = [
  { upTo: 240, divisor: 1, xName: 'seconds' },
  { upTo: 4 * 3_600, divisor: 60, xName: 'minutes' },
  { upTo: Number.POSITIVE_INFINITY, divisor: 3_600, xName: 'hours' },
] as const;

/** The axis of time that all of a plan's pictures share, in the unit that suits its length. */
export function timeAxis({ seconds }: Timeline): TimeAxis {
  const unit = units.find(({ upTo }) => seconds <= upTo) ?? units[0];
  const inUnits = scaleLinear([0, seconds / unit.divisor], [0, 1]);
  return {
    x: scaleLinear([0, seconds], [plot.left, plot.right]),
    xTicks: inUnits.ticks(6).map((tick) => tick * unit.divisor),
    xText: (value) => String(Number((value / unit.divisor).toPrecision(6))),
    xName: unit.xName,
  };
}
