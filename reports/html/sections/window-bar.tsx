import type { JSX } from 'preact';
import type { ExplanationPoint } from '../../../lib/evidence/record/explanation.js';
import { printable } from '../../../lib/explain/printable.js';
import { count, duration, integer } from '../../text/quantity.js';
import type { DrawnWindow } from '../evidence/drawn-windows.js';
import { TargetText } from '../parts/text.js';
import type { Flag } from './window-flags.js';

/** Heights in pixels, from the top of Remaining. Flags stand above it, in the margin that the style leaves. */
const flagHeight = 16;
const remainingHeight = 64;
const laneHeight = 13;
const axisHeight = 18;
/** A range of Remaining is drawn at least as high as this, to be seen. */
const leastBand = 5;
/** Places on the axis of time are thousandths of its length, so that the bar fits every screen. */
const whole = 1_000;

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

/** Remaining as a conforming limiter would have reported it: each range holds until the next response. */
function bandOf(points: readonly ExplanationPoint[], place: Scale, height: Scale): string {
  const ranges = points.flatMap(({ received, explained, conforming = explained }) =>
    conforming ? [{ left: place(received), top: height(conforming[1]), bottom: height(conforming[0]) }] : [],
  );
  const shapes = ranges.map(({ left, top, bottom }, index) => {
    const right = Math.max(ranges[index + 1]?.left ?? left, left + leastBand);
    const missing = Math.max(0, leastBand - (bottom - top)) / 2;
    return `M${left} ${top - missing}H${right}V${bottom + missing}H${left}Z`;
  });
  return shapes.join('');
}

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

/** One window of a limiter on a true axis of time: Remaining, the requests by outcome, and what was announced. */
export function WindowBar({ drawn, id, perMinute, lengthMs, flags }: WindowBarProperties): JSX.Element {
  const { window, number } = drawn;
  const points = window.points.toSorted((one, other) => one.received - other.received);
  const most = Math.max(perMinute, ...points.map(({ remaining = 0 }) => remaining));
  const place: Scale = (time) => Math.round((whole * Math.max(0, time)) / lengthMs);
  const percent = (time: number): string => `${place(time) / 10}%`;
  const height: Scale = (remaining) => Math.round(remainingHeight * (1 - remaining / most));
  const used = lanes.flatMap(([outcome, colour]) => {
    const own = points.filter((point) => point.outcome === outcome);
    return own.length === 0 ? [] : [{ outcome, colour, own }];
  });
  const laneTop = (index: number): number => remainingHeight + 6 + laneHeight * index;
  const bottom = laneTop(used.length);
  const step = 1_000 * (steps.find((seconds) => lengthMs / 1_000 / seconds <= mostMarks) ?? lengthMs / 1_000);
  const marks = Array.from({ length: Math.floor(lengthMs / step) + 1 }, (_, index) => index * step);
  const reported = points.flatMap(({ received, remaining }) =>
    remaining === undefined ? [] : [`M${place(received)} ${height(remaining)}h0`],
  );
  const names: [name: string, y: number][] = [
    [`${integer(most)} left`, 10],
    ['0 left', remainingHeight],
    ...used.map(({ outcome }, index) => [outcome, laneTop(index + 1) - 2] satisfies [string, number]),
  ];
  const admitted = points.filter(({ outcome }) => outcome === 'admitted').length;
  const seen = used.flatMap(({ own, colour }, index) => {
    // A burst has hundreds of requests at one place.
    const strokes = new Set(own.map(({ sent }) => `M${place(sent)} ${laneTop(index)}v${laneHeight - 2}`));
    return <path class={colour} d={[...strokes].join('')} />;
  });
  return (
    <figure>
      <figcaption id={id}>
        <b>{`Window ${number}: ${integer(admitted)} of ${count(points.length, 'request')} admitted`}</b>{' '}
        <TargetText text={window.phases.join(', ')} />
      </figcaption>
      <svg class="window" role="img" aria-labelledby={id} height={bottom + axisHeight}>
        <desc>{printable(flags.map(({ text }) => text).join('; '))}</desc>
        {marks.map((mark) => (
          <>
            <line class="mark" x1={percent(mark)} x2={percent(mark)} y2={bottom} />
            <text x={percent(mark)} y={bottom + axisHeight - 4} text-anchor="middle">
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
          <path class="reported" d={[...new Set(reported)].join('')} />
          {seen}
        </svg>
        {flags.map(({ text, at }, index) => {
          const isLeft = at === undefined || place(at) < whole / 2;
          const y = flagHeight * (index - flags.length);
          return (
            <g class="flag">
              {at !== undefined && <line x1={percent(at)} x2={percent(at)} y1={y} y2={bottom} />}
              <text
                x={percent(at ?? 0)}
                y={y + 10}
                dx={isLeft ? 5 : -5}
                text-anchor={isLeft ? 'start' : 'end'}
              >
                {printable(text).slice(0, 120)}
              </text>
            </g>
          );
        })}
      </svg>
    </figure>
  );
}
