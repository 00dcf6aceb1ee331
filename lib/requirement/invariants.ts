import { type Exchange, brokenReason } from '../http/exchange/exchange.js';
import type { RequirementResult } from '../record/record.js';
import type { RequirementId } from '../specification/catalogue.js';
import type { Invariant, RunFacts } from './requirement.js';
import { resultOf } from '../verdict/requirement-result.js';
import { Judgement } from '../verdict/judgement.js';

/** An invariant while it is judged. */
interface Judging {
  readonly judgement: Judgement;
  readonly brokenToo: boolean;
  readonly judge: ReturnType<Invariant['begin']>;
  /** What ended its judging early. */
  error?: unknown;
}

/**
 * Judges the invariants on exchanges, in one pass and in their order. It reads nothing but recorded exchanges and facts
 * that the record holds, so a live run and its evidence, read again later, come to the same rows.
 *
 * Methods and paths that the specification does not list are passed over: they are ROBUST-02's alone.
 */
export async function judgeExchanges(
  invariants: readonly Invariant[],
  exchanges: Iterable<Exchange> | AsyncIterable<Exchange>,
  run: RunFacts,
): Promise<Map<RequirementId, RequirementResult>> {
  const judges = invariants.map((invariant): Judging => {
    const judgement = new Judgement(invariant.id);
    return { judgement, brokenToo: invariant.brokenToo, judge: invariant.begin(judgement, run) };
  });
  for await (const exchange of exchanges) {
    // What we gave up ourselves shows nothing of the target.
    if (exchange.operation === null || exchange.failure?.kind === 'aborted') continue;
    const broken = brokenReason(exchange) !== undefined;
    for (const each of judges) {
      if (each.error !== undefined || (broken && !each.brokenToo)) continue;
      try {
        each.judge.see(exchange);
      } catch (error) {
        each.error = error;
      }
    }
  }
  const results = new Map<RequirementId, RequirementResult>();
  for (const each of judges) {
    try {
      if (each.error === undefined) each.judge.conclude?.();
    } catch (error) {
      each.error = error;
    }
    results.set(each.judgement.id, resultOf(each.judgement, each.error));
  }
  return results;
}
