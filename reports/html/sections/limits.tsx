import type { JSX } from 'preact';
import type { PlanMeasurement } from '../../../lib/evidence/record/plan-measurement.js';
import type { RunRecord } from '../../../lib/evidence/record/record.js';
import { behaviourOf, countsOfPlan, phaseText } from '../../summary/limit-summary.js';
import { outcomeOf } from '../../summary/requirement-outcome.js';
import { capitalized, count, duration, integer } from '../../text/quantity.js';
import { drawnWindows } from '../evidence/drawn-windows.js';
import type { ShownExchanges } from '../evidence/shown-exchanges.js';
import { OutcomeMark } from '../parts/outcome-mark.js';
import { Facts, Table } from '../parts/table.js';
import { Prose, TargetText } from '../parts/text.js';
import { WindowBar } from './window-bar.js';
import { flagsOf } from './window-flags.js';

/** A day that was resumed many times has more phases. */
const mostPhases = 40;
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
  const like = behaviourOf(measurement);
  return (
    <section aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>
        {capitalized(plan)}: {integer(perMinute)} requests a minute, {integer(perDay)} a day
      </h3>
      <Facts
        facts={[
          ['Behaves like', like && <Prose text={like} />],
          ['Counted', countsOfPlan(measurement)],
        ]}
      />
      <Windows measurement={measurement} id={id} record={record} exchanges={exchanges} />
      <Measured measurement={measurement} record={record} />
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

/** Limiters consistent with the responses, what each phase of the probes sent, and the results of one of several plans. */
function Measured({ measurement, record }: Pick<PlanProperties, 'measurement' | 'record'>): JSX.Element {
  const { plan, phases, explanation, requirements } = measurement;
  const candidates = (explanation?.candidates ?? []).map(({ name, conforming, unexplained }) => {
    const rest = unexplained.join('; ');
    const how = rest === '' ? 'explains every response' : `must assume, or cannot explain: ${rest}`;
    return [conforming ? 'Conforming' : 'Not conforming', `${capitalized(name)}: ${how}.`] as const;
  });
  const rows = phases.slice(0, mostPhases).map((phase) => {
    const after = `${count(phase.sentAfterFirst429, 'request')} sent after its first 429`;
    return [phase.name, `in ${duration(phase.durationMs)} ${phaseText(phase)}; ${after}`] as const;
  });
  const rest = phases.length - mostPhases;
  const results = requirements.map((result) => [
    <a href={`#${result.id}`}>{result.id}</a>,
    <OutcomeMark outcome={outcomeOf(result, record)} />,
    <Prose text={result.findings.map(({ message }) => message).join('; ') || (result.reason ?? '')} />,
  ]);
  return (
    <details>
      <summary>How it was measured</summary>
      <Facts facts={[...candidates, ...rows].map(([name, text]) => [name, <TargetText text={text} />])} />
      {rest > 0 && <p class="note">{count(rest, 'further phase')} in report.json.</p>}
      {(record.plans ?? []).length > 1 && results.length > 0 && (
        <Table
          caption={`Results of the ${plan} plan; the requirements show the least favourable of all plans`}
          head={['Requirement', 'Outcome', 'Why']}
          rows={results}
        />
      )}
    </details>
  );
}
