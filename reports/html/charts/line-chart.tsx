import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import type { JSX } from 'preact';
import { groupBy } from '../../text/group-by.js';
import { ChartFrame, plotOf, rounded, smallBox, type Axis } from './chart-frame.js';

/** A value at a moment, in seconds since the beginning; undefined interrupts the line. */
interface Point {
  readonly seconds: number;
  readonly value: number | undefined;
}

export interface LineChartProperties {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly seconds: number;
  readonly name: string;
  readonly lines: readonly (readonly Point[])[];
  /** Moments at which something was rejected or failed. */
  readonly crosses?: readonly Point[];
  /** A dashed line across: what was planned. */
  readonly level?: { readonly value: number; readonly text: string };
}

const units = [
  { upTo: 240, divisor: 1, name: 'seconds' },
  { upTo: 4 * 3_600, divisor: 60, name: 'minutes' },
  { upTo: Infinity, divisor: 3_600, name: 'hours' },
] as const;

const plot = plotOf(smallBox);
const shortText = (value: number): string => String(Number(value.toPrecision(3)));

/** The axis of time, in the unit that suits its length. */
function timeAxis(seconds: number): Axis {
  const { divisor, name } = units.find(({ upTo }) => seconds <= upTo) ?? units[0];
  return {
    scale: scaleLinear([0, seconds], [plot.left, plot.right]),
    ticks: scaleLinear([0, seconds / divisor], [0, 1])
      .ticks(6)
      .map((tick) => tick * divisor),
    text: (value) => shortText(value / divisor),
    name,
  };
}

/** Of each column of the picture the first, lowest, highest and last point: what an eye could tell. */
function sampled(points: readonly Point[], column: (point: Point) => number): Point[] {
  return [...groupBy(points, (point) => String(Math.round(column(point)))).values()].flatMap((same) => {
    const sorted = same.toSorted((one, other) => (one.value ?? 0) - (other.value ?? 0));
    const kept = new Set([same[0], sorted[0], sorted.at(-1), same.at(-1)]);
    return same.filter((point) => kept.has(point));
  });
}

/** Lines over time, with a level to compare them with, and crosses. */
export function LineChart(properties: LineChartProperties): JSX.Element {
  const { id, title, description, seconds, name, lines, crosses = [], level } = properties;
  const x = timeAxis(seconds);
  const values = [...lines.flat(), ...crosses].flatMap(({ value }) => value ?? []);
  const most = values.reduce((highest, value) => Math.max(highest, value), level?.value ?? 0.01);
  const y = scaleLinear([0, most * 1.15], [plot.bottom, plot.top]);
  const left = ({ seconds: at }: Point): number => rounded(x.scale(at));
  const top = ({ value = 0 }: Point): number => rounded(y(value));
  const path = line<Point>(left, top).defined(({ value }) => value !== undefined);
  const drawn = crosses.map((point) => `M${left(point) - 3} ${top(point) - 3}l6 6m0-6l-6 6`);
  return (
    <ChartFrame
      id={id}
      title={title}
      description={description}
      x={x}
      y={{ scale: y, ticks: y.ticks(4), text: shortText, name }}
    >
      {lines.map((points, index) => (
        <path class={index === 0 ? 'line' : 'line dotted'} d={path(sampled(points, left)) ?? ''} />
      ))}
      {level && (
        <g class="limit">
          <path d={`M${plot.left} ${rounded(y(level.value))}H${plot.right}`} />
          <path d={`M${plot.right - 24} 20H${plot.right}`} />
          <text x={plot.right - 28} y="23.5" text-anchor="end">
            {level.text}
          </text>
        </g>
      )}
      <path class="crosses" d={drawn.join('')} />
    </ChartFrame>
  );
}
