import type { LimitEvidence } from './evidence.js';
import { dayUsedUp } from './day-used-up.js';
import { surroundings } from './judge-figures.js';
import { isFixed } from './models.js';
import { isNeverShownWhole } from './others-possible.js';
import { refused } from './seen.js';
import { viewOf } from './told.js';
import { crossedReset, figuresOf, type UseFigures, type WindowUse } from './window-use.js';

/** How often a window is used up before what came of it has to do. */
export const attempts = 3;

/** Windows without a request before a repeat that is to begin at another moment of its window. */
const outOfStep = 2.6;

/** How a window is to be used up again. */
export interface Repeat {
  /** Windows without a request before it. */
  readonly quiet: number;
}

export interface Doubt {
  /** Why nothing can be concluded, should it stay like this. */
  readonly reason: string;
  readonly repeat: Repeat;
  /** Should the repeat come to nothing, what came of this use is judged. */
  readonly judgeable?: true;
}

/**
 * Why a used-up window allows no judgement yet; undefined where it does. An honest limiter is not to be accused for a
 * window that ended meanwhile, for other clients on the key, or for what the suite itself had used up before.
 */
export function doubtOf(use: WindowUse, evidence: LimitEvidence, attempt: number): Doubt | undefined {
  const around = surroundings(evidence);
  const figures = figuresOf(use, around);
  const sameWay: Repeat = { quiet: 1 };
  const { perMinute } = evidence.plan;
  const beyond = figures.consumed - perMinute - figures.allowance;
  const missing = figures.expected - figures.consumed;
  const remainingTold = use.requests.some(
    ({ told }) => told.remaining !== undefined && viewOf(told, evidence.plan, evidence.windowMs) === 'minute',
  );

  if (crossedReset(use, around)) {
    return { reason: 'the window ended while it was being used up', repeat: sameWay };
  }
  if (beyond > 0) {
    // Without Remaining, a window may have ended unseen in between: that admits twice the figure at the most, and not
    // every time.
    const unseenEnd = !remainingTold && figures.consumed <= 2 * perMinute + figures.allowance;
    if (!unseenEnd || attempt > 1) return undefined;
    return { reason: 'a window may have ended unseen while it was being used up', repeat: sameWay };
  }
  // What is answered by nothing right behind the figure, twice, is the target's answer to it (LIMIT-02).
  const lostOverLimit = use.kind === 'sequence' && missing <= 0 && attempt > 1;
  if (figures.lost > 0 && !lostOverLimit)
    return { reason: `the ledger is not exact: ${use.inexact ?? 'requests got no answer'}`, repeat: sameWay };
  if (attempt === 1 && mayHideOne(use, figures, evidence)) {
    return {
      reason: 'no algorithm explains the answers, so that nobody knows what requests before it have used up',
      repeat: { ...sameWay, quiet: 2 },
      judgeable: true,
    };
  }
  const refusal = use.requests.find(refused);
  if (!refusal || dayUsedUp(refusal, evidence)) return undefined;
  // Who sends as regularly as windows end has always sent the same when one is looked at. It takes another moment of the
  // window to tell that from a limit that is lower than told.
  if (
    attempt === 1 &&
    use.kind === 'sequence' &&
    figures.consumed < perMinute &&
    isNeverShownWhole(evidence)
  ) {
    return {
      reason: 'the limit that is told was never shown as a whole, which other clients may explain',
      repeat: { ...sameWay, quiet: outOfStep },
    };
  }
  if (missing <= 0) return undefined;
  if (figures.others.certain > 0) {
    return {
      reason: `other clients use the key: Remaining fell by ${figures.others.certain} more than was sent`,
      repeat: sameWay,
    };
  }
  // Once more from a quiet beginning: one request of somebody else, or what a sliding counter still held, looks alike.
  const explainable = figures.others.possible > 0 || !remainingTold || evidence.identification.mayRefill;
  if (!explainable || attempt > 1) return undefined;
  return {
    reason: 'the figure was not reached, which other clients or requests before may explain',
    repeat: { ...sameWay, quiet: outOfStep },
  };
}

/**
 * Whether the suite's own requests before hide an admission too few or too many: where no algorithm explains the answers
 * by the figure that is told, nobody knows what they weigh.
 */
function mayHideOne(
  use: WindowUse,
  figures: UseFigures,
  { plan, identification, othersShown }: LimitEvidence,
): boolean {
  if (!identification.contradicted || use.light.length === 0 || figures.others.certain > 0) return false;
  // A fixed window begins anew, whatever was sent before; but where other algorithms explain the answers nearly as well,
  // and it is not other clients that disturb them, it is none for certain.
  const { candidates, certainty } = identification;
  if (candidates.some(isFixed) && (certainty === 'likely' || othersShown())) return false;
  return figures.consumed <= plan.perMinute;
}
