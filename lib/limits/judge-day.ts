import { Inconclusive } from '../verdict/outcome.js';
import type { Trial } from '../verdict/trial.js';
import type { Plan } from '../specification/plans.js';
import type { DayCount } from './day-journal.js';
import { answerOf, type Seen } from './seen.js';

/** What the counting of a day came to. */
export interface DayEvidence {
  readonly plan: Plan;
  readonly dayMs: number;
  readonly count: DayCount;
  /** Whether elapsed time may explain admissions above the figure. */
  readonly mayRefill: boolean;
  /** Milliseconds from the first to the last request. */
  readonly span: number;
  /** The 429 of the day's limit. */
  readonly refusal: Seen | undefined;
  /** The last of the requests that should have been refused. */
  readonly beyond: Seen | undefined;
  /** Requests of others on the key, as Remaining shows them. */
  readonly others: number;
  /** A midnight of the target's clock passed in between, at which a day may have ended. */
  readonly crossedMidnight: boolean;
  readonly stopped: string | undefined;
  /** What the run itself sent with the key before it counted. */
  readonly usedBefore: UsedBefore;
}

/** Requests that were sent, and for certain or at the most count against the day: an error may, or may not. */
export interface UsedBefore {
  readonly least: number;
  readonly most: number;
}

export const nothingUsed: UsedBefore = { least: 0, most: 0 };

/** LIMIT-10: the plan's requests per day are admitted, and no more. */
export function judgeDay(trial: Trial, evidence: DayEvidence): void {
  const { plan, count, refusal } = evidence;
  const { admitted } = count;
  // A day that was seen to begin has nothing behind it.
  const before = count.begun?.fresh === true ? nothingUsed : evidence.usedBefore;
  const lost = count.sent - count.answered + count.failed;
  const allowance = dayAllowance(evidence);
  const beyond = admitted + before.least - plan.perDay;
  if (beyond > allowance) {
    if (evidence.crossedMidnight) {
      throw new Inconclusive('a day may have ended while it was counted: begin again after midnight (UTC)');
    }
    const claim = {
      message: `${admitted} requests were admitted in a day, ${beyond} more than the plan's ${plan.perDay}`,
      expected: `at most ${plan.perDay} admitted${allowance > 0 ? `, ${allowance} more by refill` : ''}, then 429`,
      received: `${admitted} admitted${refusal ? ', then 429' : ' and no 429'}`,
    };
    trial.check(false, claim, ...(evidence.beyond ? [answerOf(evidence.beyond)] : []));
    return;
  }
  if (!refusal) {
    throw new Inconclusive(
      evidence.stopped ?? `the day's limit was not reached: ${admitted} of ${plan.perDay} were sent`,
    );
  }
  if (beyond >= 0) {
    for (let one = 0; one < admitted; one += 1) trial.check(true, { message: '' });
    if (beyond > 0)
      trial.note(`${beyond} more than ${plan.perDay} were admitted, which a refill meanwhile explains.`);
    return;
  }
  if (admitted + lost + before.most >= plan.perDay) {
    for (let one = 0; one < admitted; one += 1) trial.check(true, { message: '' });
    if (before.most > 0)
      trial.note(`${before.most} requests of this run used the key before the day was counted.`);
    if (lost > 0) trial.note(`${lost} requests got no answer, or an error, and may be among those admitted.`);
    return;
  }
  if (evidence.others > 0) {
    throw new Inconclusive(
      `other clients use the key: Remaining fell by ${evidence.others} more than was sent`,
    );
  }
  if (!count.begun?.fresh) {
    throw new Inconclusive(
      `the day's limit was reached after ${admitted} of ${plan.perDay} requests; the others may have been used up earlier in the day. Go on with --resume=DIR after it has reset: the next day is counted from its beginning`,
    );
  }
  const claim = {
    message: `the day's limit was reached after ${admitted} of the plan's ${plan.perDay} requests`,
    expected: `${plan.perDay} requests admitted in a day`,
    received: `${admitted} admitted, then ${String(answerOf(refusal))}`,
  };
  trial.check(false, claim, answerOf(refusal));
}

/** Admissions above the day's figure that a refill explains. */
function dayAllowance({ plan, dayMs, mayRefill, span }: DayEvidence): number {
  return mayRefill ? Math.floor((plan.perDay * span) / dayMs + 1e-9) : 0;
}
