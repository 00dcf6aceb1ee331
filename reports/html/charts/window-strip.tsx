import type { JSX } from 'preact';
import type { ExplanationPoint, ExplanationWindow } from '../../../lib/record/explanation.js';
import { count, integer, list } from '../../text/quantity.js';
import { exchangeAnchor, type ShownExchanges } from '../evidence/shown-exchanges.js';
import { timeAxis, verticalAxis, type TimeAxis } from './axes.js';

/** At its smallest as wide as a small screen: its text is never smaller than that of a note. */
const box = { width: 400, height: 236 } as const;
const plot = { left: 58, right: box.width - 12, top: 34, bottom: box.height - 36 } as const;

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

/** `60 admitted and 2 rejected`. */
export function outcomesText(points: readonly ExplanationPoint[]): string {
  const parts = outcomes.map((outcome) => [outcome, points.filter((one) => one.outcome === outcome).length]);
  return list(parts.filter(([, number]) => number !== 0).map(([outcome, number]) => `${number} ${outcome}`));
}

interface PointsProperties {
  readonly points: readonly ExplanationPoint[];
  readonly time: TimeAxis;
}

function Marks({ points, time }: PointsProperties) {
  return outcomes.map((outcome) => {
    const places = new Set(
      points.filter((point) => point.outcome === outcome).map(({ sent }) => time.scale(sent)),
    );
    return (
      places.size > 0 && (
        <>
          <text x={plot.left - 6} y={lanes[outcome] + 3.5} text-anchor="end">
            {outcome}
          </text>
          <path
            class={`mark-${outcome}`}
            d={[...places].map((left) => `M${left} ${lanes[outcome]}${shapes[outcome]}`).join('')}
          />
        </>
      )
    );
  });
}

/** The exchanges of certificates: a ring around each, the first of them with a link. */
function Rings({ points, time, shown }: PointsProperties & { readonly shown: ShownExchanges }) {
  return points.map(({ id, sent, outcome }, index) => {
    const ring = <circle class="ring" cx={time.scale(sent)} cy={lanes[outcome]} r="7" />;
    if (index >= mostLinks || !shown.find(id)) return ring;
    return (
      <a href={`#${exchangeAnchor(id)}`} aria-label={`Exchange of the certificate: ${exchangeAnchor(id)}`}>
        {ring}
      </a>
    );
  });
}

interface AxesProperties {
  readonly time: TimeAxis;
  readonly remaining: ReturnType<typeof verticalAxis>;
}

function Axes({ time, remaining }: AxesProperties): JSX.Element {
  return (
    <>
      <path
        class="grid"
        d={remaining.ticks.map((tick) => `M${plot.left} ${remaining.scale(tick)}H${plot.right}`).join('')}
      />
      <g class="ticks">
        {remaining.ticks.map((tick) => (
          <text x={plot.left - 6} y={remaining.scale(tick) + 3.5} text-anchor="end">
            {integer(tick)}
          </text>
        ))}
        {time.ticks.map((tick) => (
          <>
            <path d={`M${time.scale(tick)} ${plot.bottom}v4`} />
            <text x={time.scale(tick)} y={plot.bottom + 15} text-anchor="middle">
              {Number((tick / 1_000).toPrecision(3))}
            </text>
          </>
        ))}
      </g>
      <path class="axis" d={`M${plot.left} ${plot.bottom}H${plot.right}`} />
      <text class="axis-name" x={plot.right} y={box.height - 5} text-anchor="end">
        {time.waits.length > 0 ? 'seconds; waits cut short' : 'seconds'}
      </text>
      <text class="measure" x="0" y="11">
        Remaining
      </text>
      {time.waits.map(([from, to]) => (
        <rect class="wait" x={from} y={plot.top} width={to - from} height={plot.bottom - plot.top} />
      ))}
    </>
  );
}

interface Reported {
  readonly received: number;
  readonly remaining: number;
}

/** Remaining as reported, cut where a wait or another window lies between two values: they belong to no one line. */
function stretchesOf(reported: readonly Reported[], { scale, waits }: TimeAxis): Reported[][] {
  const stretches: Reported[][] = [];
  for (const point of reported) {
    const last = stretches.at(-1)?.at(-1);
    const isJoined =
      last !== undefined &&
      point.remaining <= last.remaining &&
      !waits.some(([from]) => from >= scale(last.received) - 1 && from < scale(point.received));
    if (isJoined) stretches.at(-1)?.push(point);
    else stretches.push([point]);
  }
  return stretches;
}

/** Remaining as explained: each range holds until the next response. */
function bandOf(steps: readonly { left: number; top: number; bottom: number }[]): string {
  const [first, ...others] = steps;
  if (!first) return '';
  const above = others.map(({ left, top }) => `H${left}V${top}`);
  const below = steps.toReversed().map(({ left, bottom }) => `V${bottom}H${left}`);
  return [`M${first.left} ${first.top}`, ...above, ...below, 'Z'].join('');
}

export interface WindowStripProperties {
  readonly window: ExplanationWindow;
  /** Unique in the document: the title and the description take their ids from it. */
  readonly id: string;
  readonly title: string;
  readonly shown: ShownExchanges;
}

/** A window of a limit: its requests by outcome, Remaining as reported and as explained, and the certificates marked. */
export function WindowStrip({ window: { points }, id, title, shown }: WindowStripProperties): JSX.Element {
  const time = timeAxis(
    points.flatMap(({ sent, received }) => [sent, received]),
    plot.left + 6,
    plot.right - 6,
  );
  const byResponse = points.toSorted((one, other) => one.received - other.received);
  const reported = byResponse.flatMap(({ received, remaining }): Reported[] =>
    remaining === undefined ? [] : [{ received, remaining }],
  );
  const explained = byResponse.flatMap(({ received, explained: range }) =>
    range ? [{ received, least: range[0], most: range[1] }] : [],
  );
  const most = [...reported.map(({ remaining }) => remaining), ...explained.map((one) => one.most)].reduce(
    (highest, value) => Math.max(highest, value),
    1,
  );
  const remaining = verticalAxis(most * 1.1, bottomOfRemaining, plot.top);
  const placeOf = (point: Reported): string =>
    `${time.scale(point.received)} ${remaining.scale(point.remaining)}`;
  const marked = points.filter((point) => point.marked);
  const [first, last] = [reported[0], reported.at(-1)];
  const told = first && last ? `reported from ${first.remaining} to ${last.remaining}` : 'not reported';
  return (
    // A picture with links inside is a group: an image would hide them.
    <svg
      class="chart"
      role="group"
      viewBox={`0 0 ${box.width} ${box.height}`}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-description`}
    >
      <title id={`${id}-title`}>{title}</title>
      <desc id={`${id}-description`}>
        {`${count(points.length, 'request')}: ${outcomesText(points)}. Remaining: ${told}. ${count(marked.length, 'exchange')} of certificates marked. The table has every point.`}
      </desc>
      <Axes time={time} remaining={remaining} />
      <path
        class="explained"
        d={bandOf(
          explained.map(({ received, least, most: highest }) => ({
            left: time.scale(received),
            top: remaining.scale(highest) - 1,
            bottom: remaining.scale(least) + 1,
          })),
        )}
      />
      <path
        class="line thin"
        d={stretchesOf(reported, time)
          .map((stretch) => `M${stretch.map(placeOf).join('L')}`)
          .join('')}
      />
      <path class="dots" d={reported.map((point) => `M${placeOf(point)}h0`).join('')} />
      <Marks points={points} time={time} />
      <Rings points={marked} time={time} shown={shown} />
    </svg>
  );
}
