import type { JSX } from 'preact';
import { limitFacts, limitsTitle } from '../../summary/limit-summary.js';
import { count, duration, integer } from '../../text.js';
import { drawnWindows, flagsOf, type DrawnWindow, type Flag } from '../evidence/drawn-windows.js';
import { ExchangeViews } from '../evidence/exchange-view.js';
import type { PageData } from '../evidence/shown-exchanges.js';
import { Facts } from '../parts.js';

/** What the limiter did, in words and drawn. */
export function Limits({ record, exchanges }: PageData): JSX.Element {
  const { plans = [], target } = record;
  return (
    <>
      <p class="note">
        Dots are Remaining as reported, the band is Remaining as a conforming limiter would have reported it.
        Strokes below are the requests.
      </p>
      {plans.map((measurement) => (
        <>
          <h3>{limitsTitle(measurement)}</h3>
          <Facts facts={limitFacts(measurement)} />
          {drawnWindows(measurement).map((drawn) => {
            const rejection = exchanges.byId.get(drawn.rejected?.id ?? '');
            const flags = flagsOf(drawn, rejection, target.clockDifferenceMs ?? 0);
            return (
              <>
                <WindowBar drawn={drawn} flags={flags} perMinute={measurement.perMinute} />
                <ExchangeViews exchanges={exchanges} place={drawn.anchor} />
              </>
            );
          })}
        </>
      ))}
    </>
  );
}

/** Heights in pixels, from the top: a line for each flag, Remaining, a lane for each outcome, the axis. */
const flagHeight = 16;
const remainingHeight = 64;
const laneHeight = 13;
const axisHeight = 18;
/** A range of Remaining is drawn at least as high and as wide as this, to be seen. */
const leastBand = 7;
/** Places on the axis of time are thousandths of its length, so that the bar fits every screen. */
const whole = 1_000;

/** Seconds: the shortest axis, and the marks of one, of which there is room for so many. */
const shortest = 60;
const steps = [10, 30, 60, 300, 600, 1_800, 3_600, 14_400];
const mostMarks = 7;

const colours = { admitted: 'green', rejected: 'red', failed: 'yellow', unknown: 'dim' } as const;
type Lane = keyof typeof colours;

interface WindowBarProperties {
  readonly drawn: DrawnWindow;
  /** The limit of the plan. */
  readonly perMinute: number;
  readonly flags: readonly Flag[];
}

/** One window of a limiter on a true axis of time: Remaining, the requests by outcome, and what was announced. */
export function WindowBar({ drawn, perMinute, flags }: WindowBarProperties): JSX.Element {
  const { anchor, title, points, phases } = drawn;
  const seconds = Math.max(
    shortest,
    ...[drawn.durationMs, ...flags.map(({ at }) => at)].map((ms) => ms / 1_000),
  );
  const x = (ms: number): number => Math.round(Math.max(0, ms) / seconds);
  const most = Math.max(perMinute, ...points.map(({ remaining = 0 }) => remaining));
  const y = (remaining: number): number => Math.round(remainingHeight * (1 - remaining / most));
  const sentAt = (lane: Lane) => points.flatMap(({ outcome, sent }) => (outcome === lane ? x(sent) : []));
  const lanes = (Object.keys(colours) as Lane[])
    .filter((lane) => sentAt(lane).length > 0)
    .map((lane, index) => ({ lane, top: remainingHeight + 6 + laneHeight * index }));
  const bottom = remainingHeight + 6 + laneHeight * lanes.length;
  const above = flagHeight * flags.length;
  const dots = points.flatMap(({ received, remaining }) =>
    remaining === undefined ? [] : `M${x(received)} ${y(remaining)}h0`,
  );
  const names = [
    [`${integer(most)} left`, 10],
    ['0 left', remainingHeight],
    ...lanes.map(({ lane, top }) => [lane, top + laneHeight - 2] as const),
  ] as const;
  return (
    <figure>
      <figcaption id={anchor}>
        <b>{`${title}: ${integer(sentAt('admitted').length)} of ${count(points.length, 'request')} admitted`}</b>{' '}
        {phases.join(', ')}
      </figcaption>
      <svg class="window" role="img" aria-labelledby={anchor} height={above + bottom + axisHeight}>
        <desc>{flags.map(({ text }) => text).join('; ')}</desc>
        <svg y={above}>
          {marksOf(seconds).map((mark) => (
            <>
              <line class="mark" x1={percent(x(mark))} x2={percent(x(mark))} y2={bottom} />
              <text x={percent(x(mark))} y={bottom + axisHeight - 4} text-anchor="middle">
                {mark === 0 ? '0' : duration(mark)}
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
            <path class="conforming" d={bandOf(drawn, x, y)} />
            <path class="reported" d={once(dots)} />
            {lanes.map(({ lane, top }) => (
              <path
                class={colours[lane]}
                d={once(sentAt(lane).map((place) => `M${place} ${top}v${laneHeight - 2}`))}
              />
            ))}
          </svg>
        </svg>
        {flags.map(({ text, at }, index) => {
          const isLeft = x(at) < whole / 2;
          const top = flagHeight * index;
          return (
            <g class="flag">
              <line x1={percent(x(at))} x2={percent(x(at))} y1={top} y2={above + bottom} />
              <text
                x={percent(x(at))}
                y={top + 11}
                dx={isLeft ? 5 : -5}
                text-anchor={isLeft ? 'start' : 'end'}
              >
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

/** Round moments from 0 to the end, in milliseconds. */
function marksOf(seconds: number): number[] {
  const step = steps.find((one) => seconds / one <= mostMarks) ?? seconds;
  return Array.from({ length: Math.floor(seconds / step) + 1 }, (_, index) => index * step * 1_000);
}

type Scale = (value: number) => number;

/** Remaining as a conforming limiter would have reported it: each range holds until the next response. */
function bandOf({ points }: DrawnWindow, x: Scale, y: Scale): string {
  const ranges = points.flatMap(({ received, explained }) =>
    explained ? [{ left: x(received), top: y(explained[1]), bottom: y(explained[0]) }] : [],
  );
  const shapes = ranges.map(({ left, top, bottom }, index) => {
    const right = Math.max(ranges[index + 1]?.left ?? left, left + leastBand);
    const missing = Math.max(0, leastBand - (bottom - top)) / 2;
    return `M${left} ${top - missing}H${right}V${bottom + missing}H${left}Z`;
  });
  return shapes.join('');
}
