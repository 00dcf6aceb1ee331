import type { JSX } from 'preact';
import type { PlanMeasurement } from '../../../lib/evidence/record/plan-measurement.js';
import { limitFacts, limitsTitle } from '../../summary/limit-summary.js';
import { drawnWindows, flagsOf } from '../evidence/drawn-windows.js';
import { usePage } from '../page-data.js';
import { PartView } from '../parts/table.js';
import { WindowBar } from './window-bar.js';

const windowMs = 60_000;

/** What the limiter did, in words and drawn. */
export function Limits(): JSX.Element {
  const { plans = [] } = usePage().record;
  return (
    <>
      <p class="note">
        Dots are Remaining as reported, the band is Remaining as a conforming limiter would have reported it.
        Strokes below are the requests.
      </p>
      {plans.map((measurement) => (
        <>
          <h3>{limitsTitle(measurement)}</h3>
          <PartView facts={limitFacts(measurement)} />
          <Windows {...measurement} />
        </>
      ))}
    </>
  );
}

/** The windows of a plan under one axis, long enough for all that they announced. */
function Windows(measurement: PlanMeasurement): JSX.Element {
  const { record, exchanges } = usePage();
  const { plan, perMinute } = measurement;
  const windows = drawnWindows(measurement).map((drawn, index) => {
    const rejection = exchanges.rejection(drawn.rejected?.id);
    const flags = flagsOf(drawn, rejection, record.target.clockDifferenceMs ?? 0);
    return { drawn, flags, number: index + 1, id: `${plan}-window-${index + 1}` };
  });
  const ends = windows.flatMap(({ drawn, flags }) => [drawn.durationMs, ...flags.map(({ at = 0 }) => at)]);
  const lengthMs = Math.max(windowMs, ...ends);
  return (
    <>
      {windows.map((window) => (
        <WindowBar {...window} perMinute={perMinute} lengthMs={lengthMs} />
      ))}
    </>
  );
}
