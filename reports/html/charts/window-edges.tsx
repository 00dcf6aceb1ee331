import type { JSX } from 'preact';
import { plot, rounded } from './frame.js';
import type { Timeline } from './plan-timeline.js';
import type { TimeAxis } from './time-axis.js';

/** More edges than this would be a hatching: a day has 1,440. */
export const mostEdges = 40;

/** The moments at which a window of the limit begins or ends, within the picture, each once. */
export function windowEdges({ windows, seconds }: Timeline): number[] {
  const edges = windows.flatMap(({ from, to }) => [from, to]).map((edge) => Math.round(edge * 1_000) / 1_000);
  return [...new Set(edges)].filter((edge) => edge >= 0 && edge <= seconds).sort((one, other) => one - other);
}

/** A dashed upright line at each edge of a window. */
export function WindowEdges({
  timeline,
  x,
}: {
  readonly timeline: Timeline;
  readonly x: TimeAxis['x'];
}): JSX.Element {
  const edges = windowEdges(timeline);
  return (
    <g class="edges">
      {edges.length <= mostEdges &&
        edges.map((edge) => <path d={`M${rounded(x(edge))} ${plot.top}V${plot.bottom}`} />)}
    </g>
  );
}
