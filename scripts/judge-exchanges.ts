import '../suites/all.js';
import type { Exchange } from '../lib/http/exchange/exchange.js';
import type { RequirementResult, RunRecord } from '../lib/record/record.js';
import { plans, type Plan } from '../lib/specification/plan.js';
import { removalDate } from '../lib/specification/catalogue.js';
import { judgeExchanges } from '../lib/requirement/invariants.js';
import { declaredInvariants, declaredProbes } from '../lib/requirement/requirement.js';
import { limitsOfRecord } from '../lib/limits/limits-of-run.js';
import type { Probe } from '../lib/requirement/requirement.js';
import { Judgement } from '../lib/verdict/judgement.js';

/**
 * Judges recorded exchanges again as the run did that recorded them: every invariant, and the limits of its plans, by
 * the facts of its record. If the record does not tell the quotas of an Enterprise plan, RATE-04 is left out.
 */
export async function judgeAgain(
  exchanges: AsyncIterable<Exchange>,
  record: RunRecord,
): Promise<RequirementResult[]> {
  const plan = planOf(record);
  const invariants = declaredInvariants().filter(({ id }) => plan !== undefined || id !== 'RATE-04');
  const kept: Exchange[] = [];
  const limited = record.plans !== undefined;
  const rows = await judgeExchanges(invariants, limited ? keeping(exchanges, kept) : exchanges, {
    plan: plan ?? { name: record.target.plan, perMinute: Number.NaN, perDay: Number.NaN },
    planGiven: record.target.planGiven ?? true,
    clockDifference: record.target.clockDifferenceMs,
    redact: (text) => text,
    keyMayBeWord: record.target.keyMayBeWord === true,
    removalDatePassed: Date.parse(record.run.startedAt) >= removalDate,
  });
  return [...rows.values(), ...(await limitsAgain(record, kept))];
}

async function* keeping(exchanges: AsyncIterable<Exchange>, kept: Exchange[]): AsyncGenerator<Exchange> {
  for await (const exchange of exchanges) {
    kept.push(exchange);
    yield exchange;
  }
}

/** The limits, as the suite declares them; only those that the run judged. */
async function limitsAgain(record: RunRecord, exchanges: readonly Exchange[]): Promise<RequirementResult[]> {
  const limits = limitsOfRecord(record, exchanges);
  const judged = new Set(record.plans?.flatMap(({ requirements }) => requirements.map(({ id }) => id)));
  if (limits.ban) judged.add('LIMIT-12');
  return Promise.all(
    declaredProbes()
      .filter(({ id }) => judged.has(id))
      .map(async ({ id, judge }) => {
        const judgement = new Judgement(id);
        // Requirements of the limits need nothing else of a run.
        const probe = { judgement, limits: async () => limits } as unknown as Probe;
        try {
          return (await judge(probe)) ?? judgement.result();
        } catch (error) {
          return judgement.result(error);
        }
      }),
  );
}

function planOf({ target: { plan: name, perMinute, perDay } }: RunRecord): Plan | undefined {
  if (perMinute !== undefined && perDay !== undefined) return { name, perMinute, perDay };
  return name === 'enterprise' ? undefined : plans[name];
}
