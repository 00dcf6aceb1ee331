import { scaleLinear } from 'd3-scale';
import { area, curveStepAfter, line } from 'd3-shape';
import type { JSX } from 'preact';
import type { ExplanationPoint, ExplanationWindow } from '../../../lib/record/explanation.js';
import { count, integer, list } from '../../text/quantity.js';
import { exchangeAnchor, type ShownExchanges } from '../evidence/shown-exchanges.js';
import { ChartFrame, plotOf, rounded, type Axis } from './chart-frame.js';

/** At its smallest as wide as a small screen: its text is never smaller than that of a note. */
const box = { width: 400, height: 236, left: 58 };
const plot = plotOf(box);

/** The places of the lanes of the outcomes, below the lines of Remaining. */
const lanes = { admitted: 150, rejected: 165, failed: 180, unknown: 190 } as const;
const bottomOfRemaining = 134;

/** One mark for each outcome, with its own shape and lane as well as its own colour. */
const shapes = {
  admitted: 'm0 -5v10',
  rejected: 'm-3 -3l6 6m0 -6l-6 6',
  failed: 'm-3 -3h6v6h-6z',
  unknown: 'm-3 3l3 -6l3 6z',
} as const satisfies Record<ExplanationPoint['outcome'], string>;
type Outcome = keyof typeof shapes;
const outcomes = Object.keys(shapes) as Outcome[];

/** Links in the picture; the table below it has all. */
const mostLinks = 12;

/** Waits longer than this many milliseconds, and five times as long as the median wait, are cut short. */
const longWait = 1_000;
const widthOfWait = 14;

interface TimeAxis extends Axis {
  /** The parts in which time is cut short, in the units of the drawing. */
  readonly waits: readonly (readonly [from: number, to: number])[];
}

/** An axis of time on which long waits between moments (in milliseconds) are cut short: a burst takes milliseconds. */
function timeAxis(moments: readonly number[]): TimeAxis {
  const times = [...new Set([0, ...moments])].toSorted((one, other) => one - other);
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  const median = gaps.toSorted((one, other) => one - other)[Math.floor(gaps.length / 2)] ?? 0;
  const isLong = (gap: number): boolean => gap > Math.max(longWait, 5 * median);
  const long = gaps.filter(isLong).length;
  const drawn = gaps.reduce((sum, gap) => sum + (isLong(gap) ? 0 : gap), 0);
  const room = plot.right - plot.left - 12 - long * widthOfWait;
  let place: number = plot.left + 6;
  const waits: [number, number][] = [];
  const places = [place];
  for (const gap of gaps) {
    const from = place;
    place += isLong(gap) ? widthOfWait : (room * gap) / Math.max(1, drawn);
    if (isLong(gap)) waits.push([from, place]);
    places.push(place);
  }
  const scale = scaleLinear(times, places);
  const ticks: number[] = [];
  for (const time of times) {
    const last = ticks.at(-1);
    if (last === undefined || scale(time) - scale(last) >= 44) ticks.push(time);
  }
  const text = (value: number): string => String(Number((value / 1_000).toPrecision(3)));
  return { scale, ticks, text, name: waits.length > 0 ? 'seconds; waits cut short' : 'seconds', waits };
}

/** `60 admitted and 2 rejected`. */
export function outcomesText(points: readonly ExplanationPoint[]): string {
  const parts = outcomes.map((outcome) => [outcome, points.filter((one) => one.outcome === outcome).length]);
  return list(parts.filter(([, number]) => number !== 0).map(([outcome, number]) => `${number} ${outcome}`));
}

function Marks({ points, axis }: { readonly points: readonly ExplanationPoint[]; readonly axis: Axis }) {
  return (
    <>
      {outcomes.map((outcome) => {
        const own = points.filter((point) => point.outcome === outcome);
        const places = new Set(own.map(({ sent }) => rounded(axis.scale(sent))));
        const d = [...places].map((left) => `M${left} ${lanes[outcome]}${shapes[outcome]}`);
        return (
          d.length > 0 && (
            <>
              <text x={plot.left - 6} y={lanes[outcome] + 3.5} text-anchor="end">
                {outcome}
              </text>
              <path class={`mark-${outcome}`} d={d.join('')} />
            </>
          )
        );
      })}
    </>
  );
}

/** The exchanges of certificates: a ring around each, the first of them with a link. */
function Rings({
  points,
  axis,
  shown,
}: {
  points: readonly ExplanationPoint[];
  axis: Axis;
  shown: ShownExchanges;
}) {
  return (
    <>
      {points.map(({ id, sent, outcome }, index) => {
        const ring = <circle class="ring" cx={rounded(axis.scale(sent))} cy={lanes[outcome]} r="7" />;
        if (index >= mostLinks || !shown.find(id)) return ring;
        return (
          <a
            href={`#${exchangeAnchor(id)}`}
            aria-label={`Exchange of the certificate: ${exchangeAnchor(id)}`}
          >
            {ring}
          </a>
        );
      })}
    </>
  );
}

interface Reported {
  readonly received: number;
  readonly remaining: number;
}

export interface WindowStripProperties {
  readonly window: ExplanationWindow;
  readonly id: string;
  readonly title: string;
  readonly shown: ShownExchanges;
}

/** A window of a limit: its requests by outcome, Remaining as reported and as explained, and the certificates marked. */
export function WindowStrip({ window: { points }, id, title, shown }: WindowStripProperties): JSX.Element {
  const axis = timeAxis(points.flatMap(({ sent, received }) => [sent, received]));
  const byResponse = points.toSorted((one, other) => one.received - other.received);
  const reported = byResponse.flatMap(({ received, remaining }): Reported[] =>
    remaining === undefined ? [] : [{ received, remaining }],
  );
  const explained = byResponse.flatMap(({ received, explained: range }) =>
    range ? [{ received, least: range[0], most: range[1] }] : [],
  );
  const most = [...reported.map(({ remaining }) => remaining), ...explained.map((one) => one.most), 1].reduce(
    (highest, value) => Math.max(highest, value),
  );
  const y = scaleLinear([0, most * 1.1], [bottomOfRemaining, plot.top]);
  const left = ({ received }: { received: number }): number => rounded(axis.scale(received));
  const band = area<(typeof explained)[number]>()
    .x(left)
    .y0((point) => rounded(y(point.least) + 1))
    .y1((point) => rounded(y(point.most) - 1))
    .curve(curveStepAfter);
  const path = line<Reported>(left, ({ remaining }) => rounded(y(remaining)));
  // What was reported before and after a wait, or another window, belongs to no one line.
  const isJoined = ({ received: from, remaining: before }: Reported, { received: to, remaining }: Reported) =>
    remaining <= before &&
    !axis.waits.some(([begin]) => begin >= axis.scale(from) - 1 && begin < axis.scale(to));
  const stretches = reported.reduce<Reported[][]>((all, point) => {
    const last = all.at(-1)?.at(-1);
    if (last && isJoined(last, point)) all.at(-1)?.push(point);
    else all.push([point]);
    return all;
  }, []);
  const marked = points.filter((point) => point.marked);
  const [first, last] = [reported[0], reported.at(-1)];
  const remaining = first && last ? `reported from ${first.remaining} to ${last.remaining}` : 'not reported';
  return (
    <ChartFrame
      id={id}
      title={title}
      description={`${count(points.length, 'request')}: ${outcomesText(points)}. Remaining: ${remaining}. ${count(marked.length, 'exchange')} of certificates marked. The table has every point.`}
      x={axis}
      y={{ scale: y, ticks: y.ticks(3).filter(Number.isInteger), text: integer, name: 'Remaining' }}
      box={box}
    >
      {axis.waits.map(([from, to]) => (
        <rect
          class="wait"
          x={rounded(from)}
          y={plot.top}
          width={rounded(to - from)}
          height={plot.bottom - plot.top}
        />
      ))}
      <path class="explained" d={band(explained) ?? ''} />
      <path class="line thin" d={stretches.map((stretch) => path(stretch) ?? '').join('')} />
      <path
        class="dots"
        d={reported.map((point) => `M${left(point)} ${rounded(y(point.remaining))}h0`).join('')}
      />
      <Marks points={points} axis={axis} />
      <Rings points={marked} axis={axis} shown={shown} />
    </ChartFrame>
  );
}
