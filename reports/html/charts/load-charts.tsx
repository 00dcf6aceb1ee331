import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import type { JSX } from 'preact';
import { duration } from '../../text/quantity.js';
import { Frame, plot, rounded } from './frame.js';
import type { Stretch } from './load-course.js';
import { timeAxis } from './time-axis.js';

interface LoadChartProperties {
  readonly course: readonly Stretch[];
  readonly seconds: number;
}

const perSecond = (value: number): string => String(Number(value.toPrecision(3)));

/** Good answers a second, with a cross where something was refused or failed, against the rate that was planned. */
export function GoodputChart({
  course,
  seconds,
  planned,
}: LoadChartProperties & { readonly planned: number }): JSX.Element {
  const { waits: _, ...axis } = timeAxis({ points: [], seconds });
  const missed = course.filter(({ missedPerSecond }) => missedPerSecond > 0);
  const most = Math.max(
    planned,
    ...course.map(({ goodPerSecond, missedPerSecond }) => Math.max(goodPerSecond, missedPerSecond)),
  );
  const y = scaleLinear([0, most * 1.15], [plot.bottom, plot.top]);
  const path = line<Stretch>(
    (stretch) => rounded(axis.x(stretch.seconds)),
    (stretch) => rounded(y(stretch.goodPerSecond)),
  );
  const rates = course.map(({ goodPerSecond }) => goodPerSecond);
  return (
    <Frame
      id="load-goodput"
      title="Goodput over time"
      description={`Between ${perSecond(Math.min(...rates))} and ${perSecond(Math.max(...rates))} good answers a second, where ${perSecond(planned)} requests a second were planned; refused or failed in ${missed.length} of ${course.length} stretches.`}
      {...axis}
      y={y}
      yTicks={y.ticks(4)}
      yText={perSecond}
      yName="Good answers a second"
    >
      <path class="line" d={path([...course]) ?? ''} />
      <g class="limit">
        <path d={`M${plot.left} ${rounded(y(planned))}H${plot.right}`} />
        <text x={plot.left + 5} y={rounded(y(planned)) - 5}>
          {perSecond(planned)} planned
        </text>
      </g>
      <path
        class="crosses"
        d={missed
          .map(
            ({ seconds: at, missedPerSecond }) =>
              `M${rounded(axis.x(at) - 3)} ${rounded(y(missedPerSecond) - 3)}l6 6m0-6l-6 6`,
          )
          .join('')}
      />
    </Frame>
  );
}

type Told = Stretch & { readonly median: number; readonly longest: number };

/** Where nothing was answered there is no latency, and no line. */
function isTold(stretch: Stretch): stretch is Told {
  return stretch.median !== undefined && stretch.longest !== undefined;
}

/** The median and the longest latency of each stretch. */
export function LatencyCourseChart({ course, seconds }: LoadChartProperties): JSX.Element {
  const { waits: _, ...axis } = timeAxis({ points: [], seconds });
  const told = course.filter(isTold);
  const most = Math.max(0.01, ...told.map(({ longest }) => longest));
  const y = scaleLinear([0, most * 1.15], [plot.bottom, plot.top]);
  const pathOf = (value: (stretch: Told) => number): string =>
    line<Stretch>(
      (stretch) => rounded(axis.x(stretch.seconds)),
      (stretch) => rounded(y(isTold(stretch) ? value(stretch) : 0)),
    ).defined(isTold)([...course]) ?? '';
  return (
    <Frame
      id="load-latency-course"
      title="Latency over time"
      description={`Medians up to ${duration(Math.max(0, ...told.map(({ median }) => median)))}, the longest ${duration(most)}.`}
      {...axis}
      y={y}
      yTicks={y.ticks(4)}
      yText={perSecond}
      yName="Latency in milliseconds: median, longest (dotted)"
    >
      <path class="line" d={pathOf(({ median }) => median)} />
      <path class="line thin dotted" d={pathOf(({ longest }) => longest)} />
    </Frame>
  );
}
