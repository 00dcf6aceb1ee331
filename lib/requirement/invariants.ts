import type { Exchange } from '../http/exchange/exchange.js';
import type { RequirementResult } from '../record/record.js';
import { ApiResponse } from '../session/api-response.js';
import type { RequirementId } from '../specification/catalogue.js';
import { Judgement } from '../verdict/judgement.js';
import type { Invariant, InvariantJudge, RunFacts } from './requirement.js';

/** An invariant while it is judged. */
interface Ongoing {
  readonly judgement: Judgement;
  readonly judge: InvariantJudge;
  readonly includingBroken: boolean;
  /** What ended its judging early. */
  error?: unknown;
}

/**
 * Judges the invariants on exchanges, in one pass and in their order. It reads nothing but recorded exchanges and facts
 * that the record holds, so a live run and its evidence, read again later, come to the same results.
 *
 * Methods and paths that the specification does not list are passed over: one requirement of their own judges them.
 */
export async function judgeExchanges(
  invariants: readonly Invariant[],
  exchanges: Iterable<Exchange> | AsyncIterable<Exchange>,
  run: RunFacts,
): Promise<Map<RequirementId, RequirementResult>> {
  const judged = invariants.map(({ id, leavesTo, includingBroken = false, begin }): Ongoing => {
    const judgement = new Judgement(id, leavesTo);
    return { judgement, includingBroken, judge: begin(judgement, run) };
  });
  const attempt = (one: Ongoing, step: () => void): void => {
    if (one.error !== undefined) return;
    try {
      step();
    } catch (error) {
      one.error = error;
    }
  };
  for await (const exchange of exchanges) {
    // What we gave up ourselves shows nothing of the target.
    if (exchange.operation === null || exchange.failure?.kind === 'aborted') continue;
    const response = new ApiResponse(exchange);
    const broken = response.broken !== undefined;
    for (const one of judged) {
      if (!broken || one.includingBroken) attempt(one, () => one.judge.see(response));
    }
  }
  for (const one of judged) attempt(one, () => one.judge.conclude?.());
  return new Map(judged.map(({ judgement, error }) => [judgement.id, judgement.result(error)]));
}
