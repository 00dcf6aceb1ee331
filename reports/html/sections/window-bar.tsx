import type { JSX } from 'preact';
import { printable } from '../../../lib/explain/printable.js';
import { count, duration, integer } from '../../text/quantity.js';
import type { DrawnWindow, Flag } from '../evidence/drawn-windows.js';
import { TargetText } from '../parts/text.js';

/** Heights in pixels, from the top: a line for each flag, Remaining, a lane for each outcome, the axis. */
const flagHeight = 16;
const remainingHeight = 64;
const laneHeight = 13;
const axisHeight = 18;
/** A range of Remaining is drawn at least as high as this, to be seen. */
const leastBand = 7;
/** Places on the axis of time are thousandths of its length, so that the bar fits every screen. */
const whole = 1_000;
const longestFlag = 120;

/** Seconds between the marks of the axis: the first number that leaves room for their texts. */
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 14_400];
const mostMarks = 7;

const colours = { admitted: 'green', rejected: 'red', failed: 'yellow', unknown: 'dim' } as const;
type Lane = keyof typeof colours;

export interface WindowBarProperties {
  readonly drawn: DrawnWindow;
  /** From 1, among those that are drawn. */
  readonly number: number;
  /** Unique in the document. */
  readonly id: string;
  /** The limit of the plan. */
  readonly perMinute: number;
  /** The length of the axis in milliseconds, the same for all windows of a plan. */
  readonly lengthMs: number;
  readonly flags: readonly Flag[];
}

/** One window of a limiter on a true axis of time: Remaining, the requests by outcome, and what was announced. */
export function WindowBar(properties: WindowBarProperties): JSX.Element {
  const { drawn, number, id, perMinute, lengthMs, flags } = properties;
  const { points, phases } = drawn;
  const most = Math.max(perMinute, ...points.map(({ remaining = 0 }) => remaining));
  const x = (time: number): number => Math.round((whole * Math.max(0, time)) / lengthMs);
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
  return (
    <figure>
      <figcaption id={id}>
        <b>{`Window ${number}: ${integer(sentAt('admitted').length)} of ${count(points.length, 'request')} admitted`}</b>{' '}
        <TargetText text={phases.join(', ')} />
      </figcaption>
      <svg class="window" role="img" aria-labelledby={id} height={above + bottom + axisHeight}>
        <desc>{printable(flags.map(({ text }) => text).join('; '))}</desc>
        <svg y={above}>
          {marksOf(lengthMs).map((mark) => (
            <>
              <line class="mark" x1={percent(x(mark))} x2={percent(x(mark))} y2={bottom} />
              <text x={percent(x(mark))} y={bottom + axisHeight - 4} text-anchor="middle">
                {mark === 0 ? '0' : duration(mark)}
              </text>
            </>
          ))}
          <Name text={`${integer(most)} left`} y={10} />
          <Name text="0 left" y={remainingHeight} />
          {lanes.map(({ lane, top }) => (
            <Name text={lane} y={top + laneHeight - 2} />
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
        {flags.map(({ text, at }, index) => (
          <g class="flag">
            {at !== undefined && (
              <line x1={percent(x(at))} x2={percent(x(at))} y1={flagHeight * index} y2={above + bottom} />
            )}
            <FlagText text={text} place={at === undefined ? whole : x(at)} y={flagHeight * index + 11} />
          </g>
        ))}
      </svg>
    </figure>
  );
}

const percent = (thousandths: number): string => `${thousandths / 10}%`;

/** Shapes as one path; a burst has hundreds at one place. */
const once = (shapes: readonly string[]): string => [...new Set(shapes)].join('');

/** Round moments from 0 to the end. */
function marksOf(lengthMs: number): number[] {
  const step = 1_000 * (steps.find((seconds) => lengthMs / 1_000 / seconds <= mostMarks) ?? lengthMs / 1_000);
  return Array.from({ length: Math.floor(lengthMs / step) + 1 }, (_, index) => index * step);
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

/** What stands to the left of the bar. */
function Name({ text, y }: { readonly text: string; readonly y: number }): JSX.Element {
  return (
    <text x="-8" y={y} text-anchor="end">
      {text}
    </text>
  );
}

/** The text of a flag on the side of its place where there is room. */
function FlagText({ text, place, y }: { readonly text: string; readonly place: number; readonly y: number }) {
  const isLeft = place < whole / 2;
  return (
    <text x={percent(place)} y={y} dx={isLeft ? 5 : -5} text-anchor={isLeft ? 'start' : 'end'}>
      {printable(text).slice(0, longestFlag)}
    </text>
  );
}
