import { scaleLinear } from 'd3-scale';
import { curveStepAfter, line } from 'd3-shape';
import type { JSX } from 'preact';
import type { PlanMeasurement } from '../../../lib/record/record.js';
import { count, counted } from '../../text/quantity.js';
import { admittedByWindow, admittedSoFar, thinnedAnswers, thinnedWindows, type Step } from './admissions.js';
import { Frame, plot, rounded } from './frame.js';
import type { Timeline } from './plan-timeline.js';
import { timeAxis } from './time-axis.js';
import { mostEdges, WindowEdges } from './window-edges.js';
import { restartsOf, windowEdges } from './window-moments.js';

export interface PlanChartProperties {
  readonly measurement: PlanMeasurement;
  readonly timeline: Timeline;
  readonly id: string;
}

/**
 * Admitted in the window so far, as a line that starts anew at each window, with refusals as crosses on it. Where the
 * windows are too many to tell apart, the line shows what each admitted as a whole.
 */
export function AdmissionChart({ measurement, timeline, id }: PlanChartProperties): JSX.Element {
  const axis = timeAxis(timeline);
  const column = (step: Step): number => axis.x(step.seconds);
  const asWholes = restartsOf(timeline).length > mostEdges;
  const steps = asWholes ? admittedByWindow(timeline) : admittedSoFar(timeline);
  const drawn = asWholes ? thinnedWindows(steps, column) : thinnedAnswers(steps, column);
  const most = steps.reduce((highest, step) => Math.max(highest, step.admitted), 0);
  const limits = [measurement.perMinute, ...(most > measurement.perMinute * 3 ? [measurement.perDay] : [])];
  const y = scaleLinear([0, Math.max(most, ...limits) * 1.12], [plot.bottom, plot.top]);
  const path = line<Step>(
    (step) => rounded(column(step)),
    (step) => rounded(y(step.admitted)),
  ).curve(curveStepAfter);
  const refused = timeline.points.reduce((sum, point) => sum + (point.refused ? point.weight : 0), 0);
  return (
    <Frame
      id={id}
      title={`Admitted and refused, ${measurement.plan}`}
      description={`At most ${counted(Math.round(most), 'request')} admitted in one window, where the plan allows ${count(measurement.perMinute)} a minute; ${count(Math.round(refused))} refused with 429; ${counted(windowEdges(timeline).length, 'window edge')}.`}
      {...axis}
      y={y}
      yTicks={y.ticks(4)}
      yText={count}
      yName={asWholes ? 'Admitted in each window' : 'Admitted in the window so far'}
    >
      <WindowEdges timeline={timeline} x={axis.x} />
      {limits.map((limit) => (
        <g class="limit">
          <path d={`M${plot.left} ${rounded(y(limit))}H${plot.right}`} />
          <text x={plot.left + 5} y={rounded(y(limit)) + (Math.round(most) > limit ? 13 : -5)}>
            {limit === measurement.perMinute ? `${count(limit)} a minute` : `${count(limit)} a day`}
          </text>
        </g>
      ))}
      <path class="line" d={path([...drawn.line]) ?? ''} />
      <path
        class="crosses"
        d={drawn.crosses
          .map((step) => `M${rounded(column(step) - 3)} ${rounded(y(step.admitted) - 3)}l6 6m0-6l-6 6`)
          .join('')}
      />
    </Frame>
  );
}
