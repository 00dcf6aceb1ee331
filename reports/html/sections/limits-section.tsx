import type { JSX } from 'preact';
import type { ExplanationRecord, ExplanationWindow } from '../../../lib/record/explanation.js';
import type { PlanMeasurement, RunRecord } from '../../../lib/record/record.js';
import { behaviourOf } from '../../summary/limit-summary.js';
import { countsOfPlan, countsSentence } from '../../summary/two-counts.js';
import { outcomeOf } from '../../summary/requirement-outcome.js';
import { capitalized } from '../../summary/verdict-sentences.js';
import { printable } from '../../../lib/usage/printable.js';
import { count, duration, integer } from '../../text/quantity.js';
import { outcomesText, WindowStrip } from '../charts/window-strip.js';
import type { ShownExchanges } from '../evidence/shown-exchanges.js';
import { ExchangeLinks, RequirementLinks } from '../parts/links.js';
import { OutcomeMark } from '../parts/outcome-mark.js';
import { Table } from '../parts/table.js';
import { Prose, TargetText } from '../parts/text.js';

/** Shown one by one; a day that was resumed many times has more phases, and a large plan more points. */
const mostPhases = 40;
const mostWindows = 12;
const mostPoints = 400;
const mostCandidates = 4;
/** Fewer points make no picture: the table has them. */
const fewestDrawn = 3;

const phaseHead = [
  'Phase',
  'Lasted',
  'Sent',
  'Admitted',
  'Rejected',
  'Failed',
  'After a 429',
  'p50',
  'p99',
  'Sender',
];

function Phases({ measurement, id }: { measurement: PlanMeasurement; id: string }): JSX.Element {
  const { phases } = measurement;
  const rows = phases
    .slice(0, mostPhases)
    .map((phase) => [
      <TargetText text={phase.name} />,
      duration(phase.durationMs),
      ...[phase.sent, phase.admitted, phase.refused, phase.failed, phase.sentAfterFirst429].map(integer),
      phase.latency ? duration(phase.latency.p50) : '–',
      phase.latency ? duration(phase.latency.p99) : '–',
      <TargetText text={`${phase.sender}${phase.exact ? '' : ', not exact'}`} />,
    ]);
  const rest = phases.length - mostPhases;
  const counts = countsOfPlan(measurement);
  return (
    <>
      <Table
        id={`${id}-phases`}
        caption={`What each phase sent (${measurement.plan})`}
        head={phaseHead}
        rows={rows}
      />
      {rest > 0 && <p class="note">{count(rest, 'further phase')} in report.json.</p>}
      {counts && (
        <p>The ledger and autocannon counted the requests by themselves: {countsSentence(counts)}.</p>
      )}
    </>
  );
}

/** What could explain the history, and what each reading must assume. */
function readings({ candidates }: ExplanationRecord): string[] {
  // Both kinds of reading are shown, though the cheapest may all be of one kind.
  const other = candidates.find(({ conforming }) => conforming !== candidates[0]?.conforming);
  const cheapest = candidates.slice(0, mostCandidates);
  const shown = other && !cheapest.includes(other) ? [...cheapest, other] : cheapest;
  const texts = shown.map(({ name, conforming, unexplained }) => {
    const needs = `must assume, or cannot explain: ${unexplained.join('; ')}`;
    const outcome = unexplained.length === 0 ? 'explains every response' : needs;
    return `${capitalized(name)} (${conforming ? 'conforms' : 'does not conform'}): ${outcome}.`;
  });
  return [...new Set(texts)];
}

const pointHead = [
  'Exchange',
  'Sent (s)',
  'Answered (s)',
  'Operation',
  'Outcome',
  'Status',
  'Remaining',
  'Explained',
];

const isDrawn = ({ points }: ExplanationWindow): boolean => points.length >= fewestDrawn;

interface WindowProperties {
  readonly window: ExplanationWindow;
  readonly id: string;
  readonly name: string;
  readonly shown: ShownExchanges;
}

function Window({ window, id, name, shown }: WindowProperties): JSX.Element {
  const { points, phases, durationMs } = window;
  const rest = Math.max(0, points.length - mostPoints);
  const title = printable(
    `${name} (${phases.join(', ')}): ${outcomesText(points)} in ${duration(durationMs)}`,
  );
  const seconds = (milliseconds: number): string => (milliseconds / 1_000).toFixed(3);
  const rows = points
    .slice(0, mostPoints)
    .map((point) => [
      <ExchangeLinks ids={[point.id]} shown={shown} most={1} />,
      seconds(point.sent),
      seconds(point.received),
      point.operation ?? '–',
      `${point.outcome}${point.marked ? ', certificate' : ''}`,
      String(point.status ?? '–'),
      point.remaining === undefined ? '–' : integer(point.remaining),
      point.explained ? [...new Set(point.explained.map(integer))].join(' to ') : '–',
    ]);
  return (
    <figure class="window">
      {isDrawn(window) && <WindowStrip window={window} id={id} title={title} shown={shown} />}
      <figcaption>
        {title}
        {rest > 0 && `; ${count(rest, 'further point')} in report.json`}
      </figcaption>
      <details>
        <summary>The points of this window</summary>
        <Table id={`${id}-points`} caption={`Points of ${title}`} head={pointHead} rows={rows} />
      </details>
    </figure>
  );
}

interface ExplanationProperties {
  readonly explanation: ExplanationRecord;
  readonly id: string;
  /** The plan: windows of several plans differ by it. */
  readonly name: string;
  readonly shown: ShownExchanges;
}

/** What no conforming limiter explains with the exchanges that show it, what could explain it, and the windows. */
function Explanation({ explanation, id, name, shown }: ExplanationProperties): JSX.Element {
  return (
    <>
      <ul class="certificates">
        {explanation.certificates.map(({ requirement, sentence, exchanges }) => (
          <li>
            <Prose text={`${requirement}: ${sentence}`} />{' '}
            <ExchangeLinks ids={exchanges} shown={shown} most={12} />
          </li>
        ))}
      </ul>
      <h4>What could explain the history</h4>
      <ul class="readings">
        {readings(explanation).map((text) => (
          <li>
            <Prose text={text} />
          </li>
        ))}
      </ul>
      <div class="windows">
        {explanation.windows
          .slice(0, mostWindows)
          .map((window, index) => ({ window, number: index + 1 }))
          .toSorted((one, other) => Number(isDrawn(other.window)) - Number(isDrawn(one.window)))
          .map(({ window, number }) => (
            <Window
              window={window}
              id={`${id}-window-${number}`}
              name={`${name}, window ${number}`}
              shown={shown}
            />
          ))}
      </div>
    </>
  );
}

/** The results of one of several plans: the specification section has the least favourable of all. */
function PlanResults({ measurement, record }: { measurement: PlanMeasurement; record: RunRecord }) {
  const { plan, requirements } = measurement;
  const rows = requirements.map((result) => [
    <RequirementLinks ids={[result.id]} />,
    <OutcomeMark outcome={outcomeOf(result, record)} />,
    <Prose text={result.findings[0]?.message ?? result.reason ?? ''} />,
  ]);
  const head = ['Requirement', 'Outcome', 'Why'];
  return <Table id={`results-${plan}`} caption={`Results of the ${plan} plan`} head={head} rows={rows} />;
}

export interface LimitsSectionProperties {
  readonly record: RunRecord;
  readonly exchanges: ShownExchanges;
}

/** The limiter of each plan: what it behaves like, the certificates, a strip for each window; null if none was tested. */
export function LimitsSection({ record, exchanges }: LimitsSectionProperties): JSX.Element | null {
  const { plans = [] } = record;
  if (plans.length === 0) return null;
  return (
    <section id="limits" aria-labelledby="limits-title">
      <h2 id="limits-title">The limits under load</h2>
      <p class="lead">
        In each picture the line is Remaining as reported, the grey band Remaining as explained. Below are the
        requests: a stroke was admitted, a cross rejected with 429, a square failed, a triangle had no
        response. A ring marks the exchanges of a certificate.
      </p>
      {plans.map((measurement, index) => {
        const id = `plan-${index + 1}`;
        const { plan, perMinute, perDay, explanation } = measurement;
        const like = behaviourOf(measurement);
        return (
          <section class="plan" aria-labelledby={`${id}-title`}>
            <h3 id={`${id}-title`}>
              {capitalized(plan)}: {integer(perMinute)} requests a minute, {integer(perDay)} a day
            </h3>
            {like !== undefined && (
              <p>
                The limiter behaves like{' '}
                <b>
                  <Prose text={like} />
                </b>
                .
              </p>
            )}
            {explanation && (
              <Explanation explanation={explanation} id={id} name={capitalized(plan)} shown={exchanges} />
            )}
            <details>
              <summary>Phases{plans.length > 1 && ' and results'} of this plan</summary>
              <Phases measurement={measurement} id={id} />
              {plans.length > 1 && <PlanResults measurement={measurement} record={record} />}
            </details>
          </section>
        );
      })}
    </section>
  );
}
