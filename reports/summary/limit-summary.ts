import type { PlanMeasurement } from '../../lib/evidence/record/plan-measurement.js';
import { sumOfCounts, type TwoCounts, type VolleyCount } from '../../lib/evidence/record/request-counts.js';
import { capitalized, count, duration, integer } from '../text/quantity.js';
import { known, type Fact } from './part.js';

/** `Limits: free, 60 requests a minute`. */
export function limitsTitle({ plan, perMinute }: PlanMeasurement): string {
  return `Limits: ${plan}, ${count(perMinute, 'request')} a minute`;
}

/** A day that was resumed many times has more. */
const mostPhases = 40;

/** The limiter of a plan: what it behaves like, both counts of what was sent, which limiters explain it, and each phase. */
export function limitFacts(measurement: PlanMeasurement): Fact[] {
  const { explanation, algorithm, phases, counts, day } = measurement;
  const rest = phases.length - mostPhases;
  const all = [counts, ...phases.map((phase) => phase.counts), day?.counts].flatMap((one) => one ?? []);
  const sum = {
    ledger: sumOfCounts(all.map(({ ledger }) => ledger)),
    autocannon: sumOfCounts(all.map(({ autocannon }) => autocannon)),
  };
  return known([
    ['Behaves like', explanation?.behavesLike ?? (algorithm && `${algorithm.name} (${algorithm.certainty})`)],
    ['Counted', all.length > 0 ? countsSentence(sum) : undefined],
    ...(explanation?.candidates ?? []).map(({ name, conforming, unexplained }) => {
      const unlike = unexplained.join('; ');
      const how = unlike === '' ? 'explains every response' : `must assume, or cannot explain: ${unlike}`;
      return [conforming ? 'Conforming' : 'Not conforming', `${capitalized(name)}: ${how}.`] as const;
    }),
    ...phases.slice(0, mostPhases).map((phase) => [capitalized(phase.name), phaseText(phase)] as const),
    ['And', rest > 0 ? `${count(rest, 'more phase')}, in report.json` : undefined],
  ]);
}

/** `60 of 62 admitted in 4 s, 1 failed, 2 requests sent after the first 429`. */
function phaseText(phase: PlanMeasurement['phases'][number]): string {
  const { sent, admitted, failed, exact, durationMs, sentAfterFirst429 } = phase;
  return [
    `${integer(admitted)} of ${integer(sent)} admitted in ${duration(durationMs)}`,
    ...(failed > 0 ? [`${integer(failed)} failed`] : []),
    ...(exact ? [] : ['not every request is accounted for']),
    ...(sentAfterFirst429 > 0 ? [`${count(sentAfterFirst429, 'request')} sent after the first 429`] : []),
  ].join(', ');
}

/** `two counts agree: 1,061 sent, 1,000 admitted, 61 rejected`, or what each of them says. */
export function countsSentence({ ledger, autocannon }: TwoCounts): string {
  const [own, other] = [countText(ledger), countText(autocannon)];
  return own === other
    ? `two counts agree: ${own}`
    : `two counts do not agree: the ledger has ${own}; autocannon has ${other}`;
}

/** As the limiter sees it: it lets a request through whose content is then refused. */
function countText({ sent, byStatus, errors }: VolleyCount): string {
  const sums = { admitted: 0, rejected: 0, 'with another error': 0, lost: errors };
  for (const [text, number] of Object.entries(byStatus)) {
    const status = Number(text);
    const isAdmitted = status < 400 || status === 400 || status === 404;
    sums[isAdmitted ? 'admitted' : status === 429 ? 'rejected' : 'with another error'] += number;
  }
  const parts = Object.entries(sums).filter(
    ([name, number]) => number > 0 || name === 'admitted' || name === 'rejected',
  );
  return [`${integer(sent)} sent`, ...parts.map(([name, number]) => `${integer(number)} ${name}`)].join(', ');
}
