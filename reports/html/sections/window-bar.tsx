import type { JSX } from 'preact';
import type { ExplanationPoint } from '../../../lib/record/explanation.js';
import { count, duration, integer } from '../../text/quantity.js';
import { TargetText } from '../parts/text.js';
import { printable } from '../../../lib/usage/printable.js';
import type { DrawnWindow } from '../evidence/drawn-windows.js';
import type { Flag } from './window-flags.js';

/** Heights in pixels. Places on the axis of time are thousandths of its length, so that the bar fits every screen. */
const flagHeight = 16;
const remainingHeight = 64;
const laneHeight = 12;
const axisHeight = 18;
const whole = 1_000;

/** A range of Remaining is drawn at least as high as this, to be seen. */
const leastBand = 5;

/** Milliseconds between the marks of the axis: the first one that leaves room for their texts. */
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 14_400].map(
  (seconds) => seconds * 1_000,
);
const mostMarks = 7;

const lanes = [
  ['admitted', ['admitted']],
  ['rejected', ['rejected']],
  ['no verdict', ['failed', 'unknown']],
] as const satisfies [string, ExplanationPoint['outcome'][]][];

export interface WindowBarProperties {
  readonly drawn: DrawnWindow;
  /** Unique in the document. */
  readonly id: string;
  /** The limit of the plan. */
  readonly perMinute: number;
  /** The length of the axis, the same for all windows of a plan. */
  readonly lengthMs: number;
  readonly flags: readonly Flag[];
}

/** Remaining as a conforming limiter would have reported it: each range holds until the next response. */
function bandOf(points: readonly ExplanationPoint[], place: Scale, height: Scale): string {
  const ranges = points.flatMap(({ received, explained, conforming = explained }) =>
    conforming ? [{ left: place(received), top: height(conforming[1]), bottom: height(conforming[0]) }] : [],
  );
  return ranges
    .map(({ left, top, bottom }, index) => {
      const right = Math.max(ranges[index + 1]?.left ?? left, left + leastBand);
      const missing = Math.max(0, leastBand - (bottom - top)) / 2;
      return `M${left} ${top - missing}H${right}V${bottom + missing}H${left}Z`;
    })
    .join('');
}

type Scale = (value: number) => number;

/** Each place once: a burst has hundreds of requests at one. */
function distinct(parts: readonly string[]): string {
  return [...new Set(parts)].join('');
}

/** One window of a limiter on a true axis of time: Remaining, the requests by outcome, and what was announced. */
export function WindowBar({ drawn, id, perMinute, lengthMs, flags }: WindowBarProperties): JSX.Element {
  const { window, number } = drawn;
  const points = window.points.toSorted((one, other) => one.received - other.received);
  const place: Scale = (time) => Math.round((whole * Math.max(0, time)) / lengthMs);
  const most = Math.max(perMinute, ...points.map(({ remaining = 0 }) => remaining));
  const height: Scale = (remaining) => Math.round(remainingHeight * (1 - remaining / most));
  const used = lanes.filter(([, outcomes]) =>
    points.some(({ outcome }) => outcomes.some((one) => one === outcome)),
  );
  const flagsHeight = flagHeight * flags.length;
  const top = flagsHeight + 6;
  const bottom = top + remainingHeight + 6 + laneHeight * used.length;
  const step = steps.find((one) => lengthMs / one <= mostMarks) ?? lengthMs;
  const marks = Array.from({ length: Math.floor(lengthMs / step) + 1 }, (_, index) => index * step);
  const admitted = points.filter(({ outcome }) => outcome === 'admitted').length;
  const phases = window.phases.length > 0 ? window.phases.join(', ') : 'other probes';
  const percent = (time: number): string => `${place(time) / 10}%`;
  const sentence = `${integer(admitted)} of ${count(points.length, 'request')} admitted`;
  return (
    <figure>
      <figcaption id={id}>
        <b>
          Window {number}: {sentence}
        </b>{' '}
        <span class="note">
          <TargetText text={phases} />
        </span>
      </figcaption>
      <svg
        class="window"
        role="img"
        aria-labelledby={id}
        aria-describedby={`${id}-told`}
        height={bottom + axisHeight}
      >
        <desc id={`${id}-told`}>{printable(flags.map(({ text }) => text).join('; ') || 'no 429')}</desc>
        {marks.map((mark) => (
          <>
            <line class="mark" x1={percent(mark)} x2={percent(mark)} y1={flagsHeight} y2={bottom + 4} />
            <text x={percent(mark)} y={bottom + axisHeight - 2} text-anchor={mark === 0 ? 'start' : 'middle'}>
              {duration(mark)}
            </text>
          </>
        ))}
        <text x="-6" y={top + 8} text-anchor="end">
          {integer(most)} left
        </text>
        <text x="-6" y={top + remainingHeight} text-anchor="end">
          0 left
        </text>
        {used.map(([name], index) => (
          <text x="-6" y={top + remainingHeight + 6 + laneHeight * (index + 1) - 1} text-anchor="end">
            {name}
          </text>
        ))}
        <svg
          y={top}
          width="100%"
          height={bottom - top}
          viewBox={`0 0 ${whole} ${bottom - top}`}
          preserveAspectRatio="none"
        >
          <rect class="ground" width={whole} height={remainingHeight} />
          <path class="conforming" d={bandOf(points, place, height)} />
          <path
            class="reported"
            d={distinct(
              points.flatMap(({ received, remaining }) =>
                remaining === undefined ? [] : [`M${place(received)} ${height(remaining)}h0`],
              ),
            )}
          />
          {used.map(([name, outcomes], index) => (
            <path
              class={`lane lane-${name.replace(' ', '-')}`}
              d={distinct(
                points
                  .filter(({ outcome }) => outcomes.some((one) => one === outcome))
                  .map(
                    ({ sent }) =>
                      `M${place(sent)} ${remainingHeight + 6 + laneHeight * index}v${laneHeight - 2}`,
                  ),
              )}
            />
          ))}
        </svg>
        {flags.map(({ text, at }, index) => {
          const isLeft = at === undefined || place(at) < whole / 2;
          const y = flagHeight * index + 12;
          return (
            <g class="flag">
              {at !== undefined && <line x1={percent(at)} x2={percent(at)} y1={y - 9} y2={bottom} />}
              <text x={percent(at ?? 0)} y={y} dx={isLeft ? 5 : -5} text-anchor={isLeft ? 'start' : 'end'}>
                {printable(text).slice(0, 120)}
              </text>
            </g>
          );
        })}
      </svg>
    </figure>
  );
}
