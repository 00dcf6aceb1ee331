import type { JSX } from 'preact';
import { printable } from '../../../lib/explain/printable.js';
import type { ExplanationPoint } from '../../../lib/evidence/record/explanation.js';
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

const lanes = [
  ['admitted', 'green'],
  ['rejected', 'red'],
  ['failed', 'yellow'],
  ['unknown', 'dim'],
] as const satisfies [ExplanationPoint['outcome'], string][];

type Scale = (value: number) => number;

export interface WindowBarProperties {
  readonly drawn: DrawnWindow;
  /** Unique in the document. */
  readonly id: string;
  /** The limit of the plan. */
  readonly perMinute: number;
  /** The length of the axis in milliseconds, the same for all windows of a plan. */
  readonly lengthMs: number;
  readonly flags: readonly Flag[];
}

/** One window of a limiter on a true axis of time: Remaining, the requests by outcome, and what was announced. */
export function WindowBar({ drawn, id, perMinute, lengthMs, flags }: WindowBarProperties): JSX.Element {
  const { points, number, phases } = drawn;
  const most = Math.max(perMinute, ...points.map(({ remaining = 0 }) => remaining));
  const place: Scale = (time) => Math.round((whole * Math.max(0, time)) / lengthMs);
  const height: Scale = (remaining) => Math.round(remainingHeight * (1 - remaining / most));
  const used = lanes.filter(([outcome]) => points.some((point) => point.outcome === outcome));
  const laneTop = (index: number): number => remainingHeight + 6 + laneHeight * index;
  const bottom = laneTop(used.length);
  const above = flagHeight * flags.length;
  const admitted = points.filter(({ outcome }) => outcome === 'admitted').length;
  const names: [name: string, y: number][] = [
    [`${integer(most)} left`, 10],
    ['0 left', remainingHeight],
    ...used.map(([outcome], index) => [outcome, laneTop(index + 1) - 2] satisfies [string, number]),
  ];
  return (
    <figure>
      <figcaption id={id}>
        <b>{`Window ${number}: ${integer(admitted)} of ${count(points.length, 'request')} admitted`}</b>{' '}
        <TargetText text={phases.join(', ')} />
      </figcaption>
      <svg class="window" role="img" aria-labelledby={id} height={above + bottom + axisHeight}>
        <desc>{printable(flags.map(({ text }) => text).join('; '))}</desc>
        <svg y={above}>
          {marksOf(lengthMs).map((mark) => (
            <>
              <line class="mark" x1={percent(place(mark))} x2={percent(place(mark))} y2={bottom} />
              <text x={percent(place(mark))} y={bottom + axisHeight - 4} text-anchor="middle">
                {mark === 0 ? '0' : duration(mark)}
              </text>
            </>
          ))}
          {names.map(([name, y]) => (
            <text x="-8" y={y} text-anchor="end">
              {name}
            </text>
          ))}
          <svg height={bottom} viewBox={`0 0 ${whole} ${bottom}`} preserveAspectRatio="none">
            <rect width={whole} height={remainingHeight} />
            <path class="conforming" d={bandOf(points, place, height)} />
            <path class="reported" d={reportedOf(points, place, height)} />
            {used.map(([outcome, colour], index) => (
              <path class={colour} d={strokesOf(points, outcome, place, laneTop(index))} />
            ))}
          </svg>
        </svg>
        {flags.map((flag, index) => (
          <FlagLine flag={flag} place={place} top={flagHeight * index} bottom={above + bottom} />
        ))}
      </svg>
    </figure>
  );
}

const percent = (thousandths: number): string => `${thousandths / 10}%`;

/** Round moments from 0 to the end. */
function marksOf(lengthMs: number): number[] {
  const step = 1_000 * (steps.find((seconds) => lengthMs / 1_000 / seconds <= mostMarks) ?? lengthMs / 1_000);
  return Array.from({ length: Math.floor(lengthMs / step) + 1 }, (_, index) => index * step);
}

/** Remaining as a conforming limiter would have reported it: each range holds until the next response. */
function bandOf(points: readonly ExplanationPoint[], place: Scale, height: Scale): string {
  const ranges = points.flatMap(({ received, explained }) =>
    explained ? [{ left: place(received), top: height(explained[1]), bottom: height(explained[0]) }] : [],
  );
  const shapes = ranges.map(({ left, top, bottom }, index) => {
    const right = Math.max(ranges[index + 1]?.left ?? left, left + leastBand);
    const missing = Math.max(0, leastBand - (bottom - top)) / 2;
    return `M${left} ${top - missing}H${right}V${bottom + missing}H${left}Z`;
  });
  return shapes.join('');
}

/** A dot for each response with Remaining. */
function reportedOf(points: readonly ExplanationPoint[], place: Scale, height: Scale): string {
  const dots = points.flatMap(({ received, remaining }) =>
    remaining === undefined ? [] : [`M${place(received)} ${height(remaining)}h0`],
  );
  return [...new Set(dots)].join('');
}

/** A stroke for each place at which a request was sent: a burst has hundreds at one. */
function strokesOf(points: readonly ExplanationPoint[], wanted: string, place: Scale, top: number): string {
  const own = points.filter(({ outcome }) => outcome === wanted);
  return [...new Set(own.map(({ sent }) => `M${place(sent)} ${top}v${laneHeight - 2}`))].join('');
}

interface FlagLineProperties {
  readonly flag: Flag;
  readonly place: Scale;
  readonly top: number;
  readonly bottom: number;
}

/** A flag at its moment, its text where there is room; one without a moment at the end of the axis. */
function FlagLine({ flag: { text, at }, place, top, bottom }: FlagLineProperties): JSX.Element {
  const x = at === undefined ? whole : place(at);
  const isLeft = x < whole / 2;
  return (
    <g class="flag">
      {at !== undefined && <line x1={percent(x)} x2={percent(x)} y1={top} y2={bottom} />}
      <text x={percent(x)} y={top + 11} dx={isLeft ? 5 : -5} text-anchor={isLeft ? 'start' : 'end'}>
        {printable(text).slice(0, longestFlag)}
      </text>
    </g>
  );
}
