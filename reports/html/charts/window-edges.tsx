import type { JSX } from 'preact';
import { plot, rounded } from './frame.js';
import type { Timeline } from './plan-timeline.js';
import type { TimeAxis } from './time-axis.js';
import { windowEdges } from './window-moments.js';

/** More edges than this would be a hatching: a day has 1,440. */
export const mostEdges = 40;

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
