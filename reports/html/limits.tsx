import type { JSX } from 'preact';
import type { PlanMeasurement } from '../../lib/evidence/record/measurements.js';
import type { RecordedExchange } from '../../lib/evidence/recorded-exchange.js';
import { printable } from '../../lib/explain/printable.js';
import { parseRateHeaders, waitOf } from '../../lib/http/headers/rate-headers.js';
import { limitPart } from '../summary/measurements.js';
import { count, duration, groupBy, integer } from '../text.js';
import { FindingView, type PageData } from './exchanges.js';
import { Facts } from './parts.js';

export function Limits({ record: { plans = [], target }, exchanges }: PageData): JSX.Element {
  return (
    <>
      <p class="note">
        Dots are Remaining as reported, the band is Remaining as a conforming limiter would have reported it.
        Strokes below are the requests.
      </p>
      {plans.map((measurement) => (
        <>
          <h3>{limitPart(measurement).title}</h3>
          <Facts facts={limitPart(measurement).facts} />
          {drawnWindows(measurement).map((drawn) => {
            const rejection = exchanges.byId.get(drawn.rejected?.id ?? '');
            const flags = flagsOf(drawn, rejection, target.clockDifferenceMs ?? 0);
            return (
              <>
                <WindowBar drawn={drawn} flags={flags} perMinute={measurement.perMinute} />
                {rejection && <FindingView exchanges={exchanges} finding={{ exchanges: [rejection.id] }} />}
              </>
            );
          })}
        </>
      ))}
    </>
  );
}

type DrawnWindow = ReturnType<typeof drawnWindows>[number];

/** A day that was resumed has more windows. Fewer points make no picture. */
const mostWindows = 12;
const fewestPoints = 3;

/** The windows of the limit's own probes, each with its points in the order of time: other requests stay below the limit. */
export function drawnWindows({ explanation, plan }: PlanMeasurement) {
  const windows = (explanation?.windows ?? []).filter(
    ({ points, phases }) => points.length >= fewestPoints && phases.length > 0,
  );
  return windows.slice(0, mostWindows).map((window, index) => {
    const points = window.points.toSorted((one, other) => one.received - other.received);
    const rejected = points.find(({ outcome }) => outcome === 'rejected');
    return { ...window, points, rejected, number: index + 1, anchor: `${plan}-window-${index + 1}` };
  });
}

/** Milliseconds up to which a moment is drawn behind the last request: a limiter may announce any. */
const farthest = 120_000;

/**
 * The first 429 of a window, and what it announced near it, in milliseconds since the window's first request.
 * @param aheadMs the target's clock minus ours
 */
export function flagsOf(
  { startedAt, durationMs, rejected }: DrawnWindow,
  rejection: RecordedExchange | undefined,
  aheadMs: number,
) {
  if (!rejected) return [];
  const begin = Date.parse(startedAt) + aheadMs;
  const headers = rejection?.response?.headers ?? [];
  const { reset, resetAt = NaN, retryAfter } = parseRateHeaders(headers);
  const wait = waitOf(retryAfter, begin + rejected.received) ?? NaN;
  const moments = [
    ['first 429', rejected.received],
    [`Retry-After ${retryAfter?.text}`, rejected.received + wait],
    [`Reset ${reset}`, resetAt - begin],
  ] as const;
  return moments
    .filter(([, at]) => at >= 0 && at <= durationMs + farthest)
    .map(([text, at]) => ({ text: printable(`${text}, at ${duration(at)}`), at }));
}

/** Heights in pixels, from the top: Remaining, a lane for each outcome, the axis, a line for each flag. */
const remainingHeight = 64;
const laneHeight = 13;
const lineHeight = 16;
/** Places on the axis of time are thousandths of its length, so that the bar fits every screen. */
const whole = 1_000;
/** Milliseconds: the axis is a multiple of it, and at least two. */
const half = 30_000;
const marks = [0, 1, 2, 3, 4, 5, 6].map((sixths) => sixths / 6);

const colours = { admitted: 'green', rejected: 'red', failed: 'yellow', unknown: 'dim' } as const;

interface WindowBarProperties {
  readonly drawn: DrawnWindow;
  readonly perMinute: number;
  readonly flags: ReturnType<typeof flagsOf>;
}

/** One window of a limiter on a true axis of time: Remaining, the requests by outcome, and what was announced. */
export function WindowBar({ drawn, perMinute, flags }: WindowBarProperties): JSX.Element {
  const { anchor, number, points, phases, durationMs } = drawn;
  const end = Math.ceil(Math.max(half + 1, durationMs, ...flags.map(({ at }) => at)) / half) * half;
  const x = (ms: number): number => Math.round((whole * Math.max(0, ms)) / end);
  const most = Math.max(perMinute, ...points.map(({ remaining = 0 }) => remaining));
  const y = (remaining: number): number => Math.round(remainingHeight * (1 - remaining / most));
  const lanes = [...groupBy(points, ({ outcome }) => outcome)].map(([outcome, own], index) => {
    const top = remainingHeight + 6 + laneHeight * index;
    const strokes = once(own.map(({ sent }) => `M${x(sent)} ${top}v${laneHeight - 2}`));
    return { outcome, own, top, strokes };
  });
  const admitted = lanes.find(({ outcome }) => outcome === 'admitted')?.own.length ?? 0;
  const bottom = remainingHeight + 6 + laneHeight * lanes.length;
  const dots = points.flatMap(({ received, remaining }) =>
    remaining === undefined ? [] : `M${x(received)} ${y(remaining)}h0`,
  );
  // Each range holds until the next response.
  const ranges = points.flatMap(({ received, explained }, index) => {
    const right = x(points[index + 1]?.received ?? received);
    return explained ? `M${x(received)} ${y(explained[1])}H${right}V${y(explained[0])}H${x(received)}Z` : [];
  });
  const names = [
    [`${integer(most)} left`, 10],
    ['0 left', remainingHeight],
    ...lanes.map(({ outcome, top }) => [outcome, top + laneHeight - 2] as const),
  ] as const;
  return (
    <figure>
      <figcaption id={anchor}>
        <b>{`Window ${number}: ${integer(admitted)} of ${count(points.length, 'request')} admitted`}</b>{' '}
        {phases.join(', ')}
      </figcaption>
      <svg
        class="window"
        role="img"
        aria-labelledby={anchor}
        height={bottom + lineHeight * (flags.length + 1)}
      >
        {marks.map((part) => (
          <>
            <line class="mark" x1={percent(part * whole)} x2={percent(part * whole)} y2={bottom} />
            <text x={percent(part * whole)} y={bottom + lineHeight - 2} text-anchor="middle">
              {part === 0 ? '0' : duration(part * end)}
            </text>
          </>
        ))}
        {names.map(([name, top]) => (
          <text x="-8" y={top} text-anchor="end">
            {name}
          </text>
        ))}
        <svg height={bottom} viewBox={`0 0 ${whole} ${bottom}`} preserveAspectRatio="none">
          <rect width={whole} height={remainingHeight} />
          <path class="conforming" d={ranges.join('')} />
          <path class="reported" d={once(dots)} />
          {lanes.map(({ outcome, strokes }) => (
            <path class={colours[outcome]} d={strokes} />
          ))}
        </svg>
        {flags.map(({ text, at }, index) => {
          const [place, below] = [percent(x(at)), bottom + lineHeight * (index + 2)];
          const isLeft = x(at) < whole / 2;
          return (
            <g class="flag">
              <line x1={place} x2={place} y2={below} />
              <text x={place} y={below - 2} dx={isLeft ? 5 : -5} text-anchor={isLeft ? 'start' : 'end'}>
                {text}
              </text>
            </g>
          );
        })}
      </svg>
    </figure>
  );
}

const percent = (thousandths: number): string => `${thousandths / 10}%`;

/** Shapes as one path; a burst has hundreds at one place. */
const once = (shapes: readonly string[]): string => [...new Set(shapes)].join('');
