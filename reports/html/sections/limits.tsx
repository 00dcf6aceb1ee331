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
      {plans.map((measurement, index) => (
        <>
          <h3>{limitsTitle(measurement)}</h3>
          <PartView part={{ title: '', facts: limitFacts(measurement) }} />
          <Windows measurement={measurement} id={`plan-${index + 1}`} />
        </>
      ))}
    </>
  );
}

/** The windows of a plan under one axis, long enough for all that they announced. */
function Windows({ measurement, id }: { measurement: PlanMeasurement; id: string }): JSX.Element {
  const { record, exchanges } = usePage();
  const windows = drawnWindows(measurement).map((drawn) => {
    const rejection = exchanges.rejection(drawn.rejected?.id);
    return { drawn, flags: flagsOf(drawn, rejection, record.target.clockDifferenceMs ?? 0) };
  });
  const ends = windows.flatMap(({ drawn, flags }) => [drawn.durationMs, ...flags.map(({ at = 0 }) => at)]);
  const lengthMs = Math.max(windowMs, ...ends);
  const { perMinute } = measurement;
  return (
    <>
      {windows.map((window, index) => (
        <WindowBar {...window} id={`${id}-window-${index + 1}`} perMinute={perMinute} lengthMs={lengthMs} />
      ))}
    </>
  );
}
