import type { JSX } from 'preact';
import type { PlanMeasurement, RunRecord } from '../../../lib/record/record.js';
import { AdmissionChart } from '../charts/admission-chart.js';
import { LatencyChart } from '../charts/latency-chart.js';
import { latencyCounts } from '../charts/latency-distribution.js';
import { planTimeline } from '../charts/plan-timeline.js';
import { RemainingChart } from '../charts/remaining-chart.js';
import { count, counted, duration } from '../../text/quantity.js';
import { admittedWith, sentAfterFirst429, windowUses } from '../../summary/limit-figures.js';
import { TargetText } from '../parts/target-text.js';
import { Prose } from '../text/prose.js';
import { outcomeOf } from '../parts/outcome.js';
import { OutcomeMark } from '../parts/outcome-mark.js';

/** Phases told one by one; a run that was taken up again many times has more. */
const mostPhases = 40;

function planName(plan: PlanMeasurement['plan']): string {
  return `${plan.charAt(0).toUpperCase()}${plan.slice(1)}`;
}

function Phases({
  measurement,
  id,
}: {
  readonly measurement: PlanMeasurement;
  readonly id: string;
}): JSX.Element {
  const { phases } = measurement;
  return (
    <div class="scrolled" role="region" aria-labelledby={`${id}-phases`} tabIndex={0}>
      <table class="phases">
        <caption id={`${id}-phases`}>{planName(measurement.plan)}, phase by phase</caption>
        <thead>
          <tr>
            {[
              'Phase',
              'Lasted',
              'Sent',
              'Admitted',
              'Refused',
              'Failed',
              'After the first 429',
              'p50',
              'p99',
              'Sender',
            ].map((name) => (
              <th scope="col">{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {phases.slice(0, mostPhases).map((phase) => (
            <tr>
              <th scope="row">
                <TargetText text={phase.name} />
              </th>
              <td>{duration(phase.durationMs)}</td>
              <td>{count(phase.sent)}</td>
              <td>{count(phase.admitted)}</td>
              <td>{count(phase.refused)}</td>
              <td>{count(phase.failed)}</td>
              <td>{count(phase.sentAfterFirst429)}</td>
              <td>{phase.latency ? duration(phase.latency.p50) : '–'}</td>
              <td>{phase.latency ? duration(phase.latency.p99) : '–'}</td>
              <td>
                <TargetText text={phase.sender} />
                {phase.exact ? '' : ', not exact'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {phases.length > mostPhases && (
        <p class="note">{counted(phases.length - mostPhases, 'further phase')} in report.json.</p>
      )}
    </div>
  );
}

function PlanVerdicts({ measurement }: { readonly measurement: PlanMeasurement }): JSX.Element | null {
  const { requirements } = measurement;
  if (requirements.length === 0) return null;
  return (
    <ul class="requirements compact">
      {requirements.map((row) => (
        <li class={`requirement is-${outcomeOf(row)}`}>
          <OutcomeMark outcome={outcomeOf(row)} />
          <div>
            <p class="requirement-title">
              <a href={`#${row.id}`}>{row.id}</a> <Prose text={row.title} />
            </p>
            {row.reason !== undefined && (
              <p class="reason">
                <Prose text={row.reason} />
              </p>
            )}
            {row.findings.slice(0, 5).map(({ message, expected, received }) => (
              <p class="note">
                <Prose text={message} />
                {expected !== undefined && (
                  <>
                    {' Expected: '}
                    <Prose text={expected} />.
                  </>
                )}
                {received !== undefined && (
                  <>
                    {' Received: '}
                    <Prose text={received} />.
                  </>
                )}
              </p>
            ))}
            {(row.notes ?? []).slice(0, 5).map((note) => (
              <p class="note">
                <Prose text={note} />
              </p>
            ))}
          </div>
        </li>
      ))}
    </ul>
  );
}

function Algorithm({
  algorithm,
}: {
  readonly algorithm: NonNullable<PlanMeasurement['algorithm']>;
}): JSX.Element {
  const { name, certainty, trace } = algorithm;
  return (
    <>
      <p>
        The evidence fits: <b>{<Prose text={name} />}</b> (<Prose text={certainty} />
        ).
      </p>
      {trace !== undefined && (
        <details>
          <summary>The trace that this was read from</summary>
          <pre class="body">
            <TargetText text={trace} keepLayout />
          </pre>
        </details>
      )}
    </>
  );
}

function Plan({
  measurement,
  index,
}: {
  readonly measurement: PlanMeasurement;
  readonly index: number;
}): JSX.Element {
  const id = `plan-${index + 1}`;
  const timeline = planTimeline(measurement);
  const counts = latencyCounts(measurement);
  return (
    <section class="plan" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>
        {planName(measurement.plan)}: {count(measurement.perMinute)} requests a minute,{' '}
        {count(measurement.perDay)} a day
      </h3>
      {measurement.algorithm && <Algorithm algorithm={measurement.algorithm} />}
      {timeline.points.length > 0 && (
        <figure>
          <div class="charts">
            <AdmissionChart measurement={measurement} timeline={timeline} id={`${id}-admission`} />
            <RemainingChart measurement={measurement} timeline={timeline} id={`${id}-remaining`} />
            {counts.length > 0 && (
              <LatencyChart measurement={measurement} counts={counts} id={`${id}-latency`} />
            )}
          </div>
          {timeline.omitted > 0 && (
            <figcaption>
              {`Drawn from a sample, so heights are near, not exact: ${counted(timeline.omitted, 'point')} of the series ${timeline.omitted === 1 ? 'is' : 'are'} not in the record. The verdicts rest on all of them.`}
            </figcaption>
          )}
        </figure>
      )}
      <Phases measurement={measurement} id={id} />
      <PlanVerdicts measurement={measurement} />
    </section>
  );
}

/** How many requests one window admitted, plan by plan: each is to be the plan's figure. */
function Summary({ plans }: { readonly plans: readonly PlanMeasurement[] }): JSX.Element | null {
  const used = plans.filter((plan) => windowUses.some((use) => admittedWith(plan, use) !== undefined));
  if (used.length === 0) return null;
  const heads = ['Plan', 'A minute', 'In sequence', 'Operations in turn', 'In a burst', 'After a 429'];
  return (
    <div class="scrolled" role="region" aria-labelledby="limits-summary" tabIndex={0}>
      <table class="phases">
        <caption id="limits-summary">
          Admitted in one window, used up in three ways, and sent after the first 429 had come
        </caption>
        <thead>
          <tr>
            {[...heads, 'Algorithm'].map((name) => (
              <th scope="col">{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {used.map((plan) => (
            <tr>
              <th scope="row">{planName(plan.plan)}</th>
              <td>{count(plan.perMinute)}</td>
              {windowUses.map((use) => {
                const admitted = admittedWith(plan, use);
                return <td>{admitted === undefined ? '–' : count(admitted)}</td>;
              })}
              <td>{count(sentAfterFirst429(plan))}</td>
              <td class="wordy">
                {plan.algorithm ? (
                  <Prose text={`${plan.algorithm.name} (${plan.algorithm.certainty})`} />
                ) : (
                  'not told'
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What the limit checks measured, a row of pictures a plan; nothing where no limit was tried. */
export function LimitsSection({
  record: { plans = [] },
}: {
  readonly record: RunRecord;
}): JSX.Element | null {
  if (plans.length === 0) return null;
  return (
    <section id="limits" aria-labelledby="limits-title">
      <h2 id="limits-title">The limits under load</h2>
      <p class="lead">
        In the pictures a line counts what was admitted since the window began, a cross is a refusal with 429,
        dashes across are the plan’s figure, dashes upright the edges of windows. Where nothing was sent for
        long, time is cut short: a grey band.
      </p>
      <Summary plans={plans} />
      {plans.map((measurement, index) => (
        <Plan measurement={measurement} index={index} />
      ))}
    </section>
  );
}
