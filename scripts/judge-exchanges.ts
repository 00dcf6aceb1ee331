import '../suites/all.js';
import type { Exchange } from '../lib/http/exchange/exchange.js';
import type { RequirementResult, RunRecord } from '../lib/record/record.js';
import { plans, type Plan } from '../lib/specification/plan.js';
import { removalDate } from '../lib/specification/catalogue.js';
import { judgeExchanges } from '../lib/requirement/invariants.js';
import { declaredInvariants } from '../lib/requirement/requirement.js';

/**
 * Judges recorded exchanges again as their run did: every invariant, by the facts of its record. If the record does not
 * have the limits of an Enterprise plan, RATE-04 is left out.
 */
export async function judgeAgain(
  exchanges: AsyncIterable<Exchange>,
  record: RunRecord,
): Promise<RequirementResult[]> {
  const plan = planOf(record);
  const invariants = declaredInvariants().filter(({ id }) => plan !== undefined || id !== 'RATE-04');
  const rows = await judgeExchanges(invariants, exchanges, {
    plan: plan ?? { name: record.target.plan, perMinute: Number.NaN, perDay: Number.NaN },
    planGiven: record.target.planGiven ?? true,
    clockDifference: record.target.clockDifferenceMs,
    removalDatePassed: Date.parse(record.run.startedAt) >= removalDate,
  });
  return [...rows.values()];
}

function planOf({ target: { plan: name, perMinute, perDay } }: RunRecord): Plan | undefined {
  if (perMinute !== undefined && perDay !== undefined) return { name, perMinute, perDay };
  return name === 'enterprise' ? undefined : plans[name];
}
