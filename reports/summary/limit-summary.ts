import type { PlanMeasurement, TwoCounts, VolleyCount } from '../../lib/evidence/record/measurements.js';
import { capitalized, count, type Fact, integer, known } from '../text.js';

/** `Limits: free, 60 requests a minute`. */
export function limitsTitle({ plan, perMinute }: PlanMeasurement): string {
  return `Limits: ${plan}, ${count(perMinute, 'request')} a minute`;
}

/** The limiter of a plan: what it behaves like, both counts of what was sent, and which limiters explain it. */
export function limitFacts({ explanation, algorithm, counts, day }: PlanMeasurement): Fact[] {
  return known([
    ['Behaves like', explanation?.behavesLike ?? (algorithm && `${algorithm.name} (${algorithm.certainty})`)],
    ['Counted', counts && countsSentence(counts)],
    ['In the day', day?.counts && countsSentence(day.counts)],
    ...(explanation?.candidates ?? []).map(({ name, conforming, unexplained }) => {
      const unlike = unexplained.join('; ');
      const how = unlike === '' ? 'explains every response' : `must assume, or cannot explain: ${unlike}`;
      return [conforming ? 'Conforming' : 'Not conforming', `${capitalized(name)}: ${how}.`] as const;
    }),
  ]);
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
