import { Inconclusive } from '../verdict/outcome.js';
import { Judgement } from '../verdict/judgement.js';
import type { LimitEvidence } from './evidence.js';
import { judgeCountedForEachCaller } from './judge-effects.js';
import { judgeFigureAdmitted } from './judge-figures.js';
import { admitted, refused, type Seen } from './seen.js';

/**
 * LIMIT-08. If no second key was given for it, the keys of several plans may have been used up side by side: one is told
 * to wait, and another is served meanwhile. A counter that both share would show that, too, as long as it is not used
 * up: so it says something only of two keys that were each admitted their plan's figure.
 */
export function judgeBetweenKeys(
  judgement: Judgement,
  evidence: LimitEvidence,
  plans: readonly LimitEvidence[],
): void {
  const beside = evidence.other.given
    ? undefined
    : plans.map((other) => servedBeside(evidence, other) ?? servedBeside(other, evidence)).find(Boolean);
  if (!beside) {
    judgeCountedForEachCaller(judgement, evidence);
    return;
  }
  const { first, second } = beside;
  judgement.held();
  judgement.note(
    `The key of ${second.plan.name} was served while that of ${first.plan.name} was told to wait, and each was admitted its figure.`,
  );
}

interface Beside {
  readonly first: LimitEvidence;
  readonly second: LimitEvidence;
  readonly refusal: Seen;
  readonly served: Seen;
}

/** What shows that the second key was served while the first was used up. */
function servedBeside(first: LimitEvidence, second: LimitEvidence): Beside | undefined {
  if (first === second || ![first, second].every(admitsItsFigure)) return undefined;
  const requests = first.uses.sequence?.requests ?? [];
  const refusal = requests.find(refused);
  if (!refusal) return undefined;
  const until = refusedUntil(refusal, requests);
  const served = second.uses.sequence?.requests.find(
    (one) => admitted(one) && one.sentAt >= refusal.at && one.at <= until,
  );
  return served && { first, second, refusal, served };
}

function admitsItsFigure(evidence: LimitEvidence): boolean {
  const judgement = new Judgement('LIMIT-01');
  try {
    judgeFigureAdmitted(judgement, evidence);
    return judgement.result().verdict === 'pass';
  } catch (error) {
    if (error instanceof Inconclusive) return false;
    throw error;
  }
}

/** Until when (epoch milliseconds, our clock) the key was told to wait, or until it was next tried. */
function refusedUntil(refusal: Seen, requests: readonly Seen[]): number {
  const { retryAfter } = refusal.told;
  if (retryAfter?.form !== 'seconds') return refusal.at;
  const next = requests.find(({ sentAt }) => sentAt > refusal.at)?.sentAt ?? Number.POSITIVE_INFINITY;
  return Math.min(refusal.at + retryAfter.seconds * 1000, next);
}
