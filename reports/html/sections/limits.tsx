import type { JSX } from 'preact';
import type { PlanMeasurement } from '../../../lib/evidence/record/plan-measurement.js';
import { limitFacts, limitsTitle } from '../../summary/limit-summary.js';
import { outcomeOf } from '../../summary/requirement-outcome.js';
import { drawnWindows, flagsOf } from '../evidence/drawn-windows.js';
import { usePage } from '../page-data.js';
import { OutcomeMark } from '../parts/outcome-mark.js';
import { PartView, Table } from '../parts/table.js';
import { Prose } from '../parts/text.js';
import { WindowBar } from './window-bar.js';

const windowMs = 60_000;

/** The limits of each plan; null if none was tested. */
export function Limits(): JSX.Element | null {
  const { plans = [] } = usePage().record;
  if (plans.length === 0) return null;
  return (
    <section id="limits" aria-labelledby="limits-title">
      <h2 id="limits-title">The limits under load</h2>
      <p class="note">
        Dots are Remaining as reported, the band is Remaining as a conforming limiter would have reported it.
        Strokes below are the requests.
      </p>
      {plans.map((measurement, index) => (
        <>
          <h3>{limitsTitle(measurement)}</h3>
          <PartView part={{ title: '', facts: limitFacts(measurement) }} />
          <Windows measurement={measurement} id={`plan-${index + 1}`} />
          {plans.length > 1 && <Results {...measurement} />}
        </>
      ))}
    </section>
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

/** The results of one of several plans. */
function Results({ plan, requirements }: PlanMeasurement): JSX.Element {
  const { record } = usePage();
  return (
    <Table
      caption={`Results of the ${plan} plan; the requirements show the least favourable of all plans`}
      head={['Requirement', 'Outcome', 'Why']}
      rows={requirements.map((result) => [
        <a href={`#${result.id}`}>{result.id}</a>,
        <OutcomeMark outcome={outcomeOf(result, record)} />,
        <Prose text={result.findings.map(({ message }) => message).join('; ') || (result.reason ?? '')} />,
      ])}
    />
  );
}
