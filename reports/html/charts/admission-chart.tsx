import { scaleLinear } from 'd3-scale';
import { curveStepAfter, line } from 'd3-shape';
import type { JSX } from 'preact';
import type { PlanMeasurement } from '../../../lib/run/record.js';
import { count, counted } from '../figures.js';
import { Frame, plot, rounded } from './frame.js';
import type { Timeline } from './plan-timeline.js';
import { timeAxis } from './time-axis.js';
import { WindowEdges, windowEdges } from './window-edges.js';

/** How many were admitted since the window began, at a moment. */
interface Step {
  readonly seconds: number;
  readonly admitted: number;
  readonly refused: boolean;
}

/** Counts what was admitted, from nothing at each window's beginning; without windows, at each phase's. */
export function admittedInWindow(timeline: Timeline): Step[] {
  const begins = timeline.windows.map(({ from }) => from);
  const restarts = [...new Set(begins.length > 0 ? begins : timeline.phases.map(({ from }) => from))].sort(
    (one, other) => one - other,
  );
  const steps: Step[] = [{ seconds: 0, admitted: 0, refused: false }];
  let admitted = 0;
  let next = 0;
  for (const point of timeline.points) {
    for (
      let restart = restarts[next];
      restart !== undefined && restart <= point.seconds;
      restart = restarts[next]
    ) {
      if (admitted > 0) {
        steps.push({ seconds: restart, admitted, refused: false });
        steps.push({ seconds: restart, admitted: 0, refused: false });
      }
      admitted = 0;
      next++;
    }
    if (!point.refused && !point.failed) admitted += point.weight;
    steps.push({ seconds: point.seconds, admitted, refused: point.refused });
  }
  return steps;
}

/** Keeps one step for each column of the picture and level of rest, and one cross in every few columns. */
function thinned(steps: readonly Step[], column: (step: Step) => number): { line: Step[]; crosses: Step[] } {
  const kept: Step[] = [];
  const crosses: Step[] = [];
  steps.forEach((step, index) => {
    const after = steps[index + 1];
    const falls = after !== undefined && after.admitted < step.admitted;
    const risen = (kept.at(-1)?.admitted ?? -1) > step.admitted;
    if (!after || falls || risen || Math.round(column(after)) !== Math.round(column(step))) kept.push(step);
    if (!step.refused) return;
    const last = crosses.at(-1);
    if (!last || column(step) - column(last) >= 5 || Math.abs(last.admitted - step.admitted) > 1)
      crosses.push(step);
  });
  return { line: kept, crosses };
}

export interface PlanChartProperties {
  readonly measurement: PlanMeasurement;
  readonly timeline: Timeline;
  readonly id: string;
}

/** Admitted in the window so far, as a line that starts anew at each window; refusals as crosses on it. */
export function AdmissionChart({ measurement, timeline, id }: PlanChartProperties): JSX.Element {
  const axis = timeAxis(timeline);
  const steps = admittedInWindow(timeline);
  const most = steps.reduce((highest, step) => Math.max(highest, step.admitted), 0);
  const limits = [measurement.perMinute, ...(most > measurement.perMinute * 3 ? [measurement.perDay] : [])];
  const y = scaleLinear([0, Math.max(most, ...limits) * 1.12], [plot.bottom, plot.top]);
  const { line: kept, crosses } = thinned(steps, (step) => axis.x(step.seconds));
  const path = line<Step>(
    (step) => rounded(axis.x(step.seconds)),
    (step) => rounded(y(step.admitted)),
  ).curve(curveStepAfter);
  const refused = timeline.points.reduce((sum, point) => sum + (point.refused ? point.weight : 0), 0);
  return (
    <Frame
      id={id}
      title={`Admitted and refused, ${measurement.plan}`}
      description={`At most ${counted(Math.round(most), 'request')} admitted in one window, where the plan allows ${count(measurement.perMinute)} a minute; ${count(Math.round(refused))} refused with 429; ${counted(windowEdges(timeline).length, 'window edge')} marked.`}
      {...axis}
      y={y}
      yTicks={y.ticks(4)}
      yText={count}
      yName="Admitted in the window"
    >
      <WindowEdges timeline={timeline} x={axis.x} />
      {limits.map((limit) => (
        <g class="limit">
          <path d={`M${plot.left} ${rounded(y(limit))}H${plot.right}`} />
          <text x={plot.left + 5} y={rounded(y(limit)) - 5}>
            {limit === measurement.perMinute ? `${count(limit)} a minute` : `${count(limit)} a day`}
          </text>
        </g>
      ))}
      <path class="line" d={path(kept) ?? ''} />
      <path
        class="crosses"
        d={crosses
          .map(
            (step) => `M${rounded(axis.x(step.seconds) - 3)} ${rounded(y(step.admitted) - 3)}l6 6m0-6l-6 6`,
          )
          .join('')}
      />
    </Frame>
  );
}
