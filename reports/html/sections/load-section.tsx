import type { ComponentChildren, JSX } from 'preact';
import type { Latency, LoadMeasurement, PlanMeasurement, RunRecord } from '../../../lib/record/record.js';
import { answers, percentiles } from '../../summary/load-summary.js';
import { LatencyChart } from '../charts/latency-chart.js';
import { latencyCounts } from '../charts/latency-distribution.js';
import { GoodputChart, LatencyCourseChart } from '../charts/load-charts.js';
import { courseOf } from '../charts/load-course.js';
import { planTimeline } from '../charts/plan-timeline.js';
import { RemainingChart } from '../charts/remaining-chart.js';
import { count, counted, duration, listed } from '../../text/quantity.js';
import { TargetText } from '../parts/target-text.js';
import { OutcomeSymbol } from '../parts/outcome-mark.js';
import { Warnings } from './verdict-section.js';

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** `15/s`, `0.917/s`. */
function rate(perSecond: number): string {
  return `${Number(perSecond.toPrecision(3))}/s`;
}

function shareOf(part: number, whole: number): string {
  return whole === 0 ? '' : ` (${Number(((100 * part) / whole).toPrecision(3))} %)`;
}

function Figures({ load }: { readonly load: LoadMeasurement }): JSX.Element {
  const { sent, good, refused, errors, withheld } = load;
  const mix = Object.entries(load.mix).filter(([, share]) => share > 0);
  return (
    <dl class="facts">
      <Fact name="Planned">
        {rate(load.ratePerSecond)}, evenly spaced, for {duration(load.durationMs)}
      </Fact>
      <Fact name="Mix">{listed(mix.map(([name, share]) => `${share} ${name}`))}</Fact>
      <Fact name="Goodput">
        <b>{rate(load.goodputPerSecond)}</b>: {count(good)} of {counted(sent, 'request')} answered with
        success{shareOf(good, sent)}
      </Fact>
      <Fact name="Refused">
        {count(refused)} with 429{shareOf(refused, sent)}
        {withheld > 0 && `; ${count(withheld)} not sent while the service asked to wait`}
      </Fact>
      <Fact name="Errors">
        {count(errors)} with another error, or without an answer{shareOf(errors, sent)}
      </Fact>
      <Fact name="Answers">
        <TargetText text={answers({ ...load, withheld: 0 })} />
      </Fact>
    </dl>
  );
}

/** The bounds that the load was given; they decide its exit code. */
function Bounds({ load: { thresholds } }: { readonly load: LoadMeasurement }): JSX.Element {
  if (thresholds.length === 0) {
    return <p>No bound was set (--p99, --errors and the like): this run measured, and judged nothing.</p>;
  }
  return (
    <table class="bounds">
      <caption>The bounds that it had to keep</caption>
      <thead>
        <tr>
          <th scope="col">Bound</th>
          <th scope="col">Asked</th>
          <th scope="col">Measured</th>
          <th scope="col">Outcome</th>
        </tr>
      </thead>
      <tbody>
        {thresholds.map(({ name, bound, measured, kept }) => {
          const outcome = kept ? 'pass' : 'fail';
          return (
            <tr>
              <th scope="row">{name}</th>
              <td>{bound}</td>
              <td>{measured}</td>
              <td>
                <span class={`outcome is-${outcome}`}>
                  <OutcomeSymbol outcome={outcome} />
                  {kept ? 'Kept' : 'Missed'}
                </span>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function LatencyRow({
  name,
  sent,
  latency,
}: {
  readonly name: string;
  readonly sent: number;
  readonly latency: Latency | undefined;
}): JSX.Element {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{count(sent)}</td>
      {percentiles.map((each) => (
        <td>{latency ? duration(latency[each]) : '–'}</td>
      ))}
    </tr>
  );
}

function Latencies({ load }: { readonly load: LoadMeasurement }): JSX.Element {
  return (
    <div class="scrolled" role="region" aria-labelledby="load-latencies" tabIndex={0}>
      <table class="phases figures">
        <caption id="load-latencies">
          Latency, from the moment that was planned for a request to its answer
        </caption>
        <thead>
          <tr>
            {['Operation', 'Sent', ...percentiles].map((name) => (
              <th scope="col">{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Object.entries(load.byOperation).map(([name, { sent, latency }]) => (
            <LatencyRow name={name} sent={sent} latency={latency} />
          ))}
          <LatencyRow name="all" sent={load.sent} latency={load.latency} />
        </tbody>
      </table>
    </div>
  );
}

function Pictures({
  load,
  measurement,
}: {
  readonly load: LoadMeasurement;
  readonly measurement: PlanMeasurement;
}): JSX.Element | null {
  const [phase] = measurement.phases;
  const course = phase ? courseOf(phase, load.ratePerSecond) : [];
  if (!phase || course.length === 0) return null;
  const seconds = phase.durationMs / 1_000;
  const timeline = planTimeline(measurement);
  const counts = latencyCounts(measurement);
  return (
    <figure>
      <div class="charts pairs">
        <GoodputChart course={course} seconds={seconds} planned={load.ratePerSecond} />
        <LatencyCourseChart course={course} seconds={seconds} />
        <LatencyChart measurement={measurement} counts={counts} id="load-latency" />
        <RemainingChart measurement={measurement} timeline={timeline} id="load-remaining" />
      </div>
      <figcaption>
        A cross is a refusal with 429 or an error, dashes across are the rate that was planned.
        {timeline.omitted > 0 &&
          ` Drawn from a sample: ${counted(timeline.omitted, 'answer')} of ${count(load.sent)} ${timeline.omitted === 1 ? 'is' : 'are'} not in the series; the figures rest on all of them.`}
      </figcaption>
    </figure>
  );
}

/** A sustained load: the bounds that it had to keep, what came back, how fast, and how that went over time. */
export function LoadSection({ record }: { readonly record: RunRecord }): JSX.Element {
  const { load, plans: [measurement] = [] } = record;
  return (
    <section id="load" aria-labelledby="load-title">
      <h2 id="load-title">The load</h2>
      <Warnings record={record} />
      <p class="lead">
        A steady load judges no requirement of the specification: this report claims nothing of conformance.
      </p>
      {load ? (
        <>
          <Bounds load={load} />
          <Figures load={load} />
          <Latencies load={load} />
          {measurement && <Pictures load={load} measurement={measurement} />}
        </>
      ) : (
        <p>Nothing was measured.</p>
      )}
    </section>
  );
}
