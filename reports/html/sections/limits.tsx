import type { JSX } from 'preact';
import type { PlanMeasurement } from '../../../lib/evidence/record/plan-measurement.js';
import type { RunRecord } from '../../../lib/evidence/record/record.js';
import { limitFacts } from '../../summary/limit-summary.js';
import { outcomeOf } from '../../summary/requirement-outcome.js';
import { capitalized, integer } from '../../text/quantity.js';
import { drawnWindows } from '../evidence/drawn-windows.js';
import type { ShownExchanges } from '../evidence/shown-exchanges.js';
import { OutcomeMark } from '../parts/outcome-mark.js';
import { PartView, Table } from '../parts/table.js';
import { Prose } from '../parts/text.js';
import { WindowBar } from './window-bar.js';
import { flagsOf } from './window-flags.js';

const windowMs = 60_000;

export interface LimitsProperties {
  readonly record: RunRecord;
  readonly exchanges: ShownExchanges;
}

type PlanProperties = LimitsProperties & { readonly measurement: PlanMeasurement; readonly id: string };

/** The limits of each plan; null if none was tested. */
export function Limits({ record, exchanges }: LimitsProperties): JSX.Element | null {
  const { plans = [] } = record;
  if (plans.length === 0) return null;
  return (
    <section id="limits" aria-labelledby="limits-title">
      <h2 id="limits-title">The limits under load</h2>
      <p class="note">
        Dots are Remaining as reported, the band is Remaining as a conforming limiter would have reported it.
        Strokes below are the requests.
      </p>
      {plans.map((measurement, index) => (
        <Plan measurement={measurement} id={`plan-${index + 1}`} record={record} exchanges={exchanges} />
      ))}
    </section>
  );
}

/** The limiter of one plan: what it behaves like, and its windows. What no conforming limiter explains is a cause. */
function Plan({ measurement, id, record, exchanges }: PlanProperties): JSX.Element {
  const { plan, perMinute, perDay } = measurement;
  return (
    <section aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>
        {capitalized(plan)}: {integer(perMinute)} requests a minute, {integer(perDay)} a day
      </h3>
      <PartView part={{ title: '', facts: limitFacts(measurement) }} />
      <Windows measurement={measurement} id={id} record={record} exchanges={exchanges} />
      <Results measurement={measurement} record={record} />
    </section>
  );
}

/** The windows of a plan under one axis, long enough for all that they announced. */
function Windows({ measurement, id, record, exchanges }: PlanProperties): JSX.Element {
  const windows = drawnWindows(measurement).map((drawn) => {
    const rejection = exchanges.rejection(drawn.rejected?.id);
    const flags = flagsOf(drawn, rejection, record.target.clockDifferenceMs ?? 0);
    return { drawn, flags, end: Math.max(drawn.durationMs, ...flags.map(({ at = 0 }) => at)) };
  });
  const lengthMs = Math.max(windowMs, ...windows.map(({ end }) => end));
  return (
    <>
      {windows.map(({ drawn, flags }) => (
        <WindowBar
          drawn={drawn}
          flags={flags}
          id={`${id}-window-${drawn.number}`}
          perMinute={measurement.perMinute}
          lengthMs={lengthMs}
        />
      ))}
    </>
  );
}

/** The results of one of several plans. */
function Results({
  measurement: { plan, requirements },
  record,
}: Pick<PlanProperties, 'measurement' | 'record'>): JSX.Element | null {
  if ((record.plans ?? []).length < 2) return null;
  const results = requirements.map((result) => [
    <a href={`#${result.id}`}>{result.id}</a>,
    <OutcomeMark outcome={outcomeOf(result, record)} />,
    <Prose text={result.findings.map(({ message }) => message).join('; ') || (result.reason ?? '')} />,
  ]);
  return (
    <Table
      caption={`Results of the ${plan} plan; the requirements show the least favourable of all plans`}
      head={['Requirement', 'Outcome', 'Why']}
      rows={results}
    />
  );
}
