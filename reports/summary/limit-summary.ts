import type { PlanMeasurement, TwoCounts } from '../../lib/evidence/record/measurements.js';
import { count, type Fact, integer, known } from '../text.js';

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
      return [conforming ? 'Conforming' : 'Not conforming', `${name}: ${how}`] as const;
    }),
  ]);
}

/** `two counts agree: 1,061 sent, 1,000 x 200, 61 x 429`, or what each of them says. */
export function countsSentence({ ledger, autocannon }: TwoCounts): string {
  const [own, other] = [ledger, autocannon].map(({ sent, byStatus, errors }) =>
    [`${integer(sent)} sent`, statusesText(byStatus), errors > 0 ? `${integer(errors)} lost` : '']
      .filter(Boolean)
      .join(', '),
  );
  return own === other
    ? `two counts agree: ${own}`
    : `two counts do not agree: the ledger has ${own}; autocannon has ${other}`;
}

/** `60 x 200, 1 x 429`. */
export function statusesText(byStatus: Readonly<Record<string, number>>): string {
  const counted = Object.entries(byStatus).filter(([, number]) => number > 0);
  return counted.map(([status, number]) => `${integer(number)} x ${status}`).join(', ');
}
