import type { PlanMeasurement } from '../../lib/evidence/record/plan-measurement.js';
import { sumOfCounts, type TwoCounts, type VolleyCount } from '../../lib/evidence/record/request-counts.js';
import { integer } from '../text/quantity.js';

/** What the limiter behaves like; undefined if the day alone was counted. */
export function behaviourOf({ explanation, algorithm }: PlanMeasurement): string | undefined {
  return explanation?.behavesLike ?? (algorithm && `${algorithm.name} (${algorithm.certainty})`);
}

/** `60 of 62 admitted, 1 failed`. */
export function phaseText({ sent, admitted, failed, exact }: PlanMeasurement['phases'][number]): string {
  return [
    `${integer(admitted)} of ${integer(sent)} admitted`,
    ...(failed > 0 ? [`${integer(failed)} failed`] : []),
    ...(exact ? [] : ['not every request is accounted for']),
  ].join(', ');
}

/** Both counts of all that the limit probes of a plan sent, in words; undefined in records without them. */
export function countsOfPlan({ phases, day }: PlanMeasurement): string | undefined {
  const all = [...phases.map(({ counts }) => counts), day?.counts].filter((one) => one !== undefined);
  if (all.length === 0) return undefined;
  return countsSentence({
    ledger: sumOfCounts(all.map(({ ledger }) => ledger)),
    autocannon: sumOfCounts(all.map(({ autocannon }) => autocannon)),
  });
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
