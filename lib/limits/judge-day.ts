import { Inconclusive } from '../verdict/outcome.js';
import type { Judgement } from '../verdict/judgement.js';
import type { Plan } from '../specification/plan.js';
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
  /** When the first of them was sent; undefined where there was none. */
  readonly firstAt?: number | undefined;
}

export const nothingUsed: UsedBefore = { least: 0, most: 0 };

/** Milliseconds by which rounding and the way there may move the end of a day that began with a request. */
const endIsRough = 3_000;

/** LIMIT-10: the plan's requests per day are admitted, and no more. */
export function judgeDay(judgement: Judgement, evidence: DayEvidence): void {
  const { plan, count, refusal } = evidence;
  // A day that was seen to begin has nothing behind it.
  const before = count.begun?.fresh === true ? nothingUsed : evidence.usedBefore;
  const lost = count.sent - count.answered + count.failed;
  const allowance = dayAllowance(evidence);
  const admitted = count.admitted + (isOfThatDay(before, evidence) ? before.least : 0);
  const beyond = admitted - plan.perDay;
  if (beyond > allowance) {
    if (evidence.crossedMidnight) {
      throw new Inconclusive('a day may have ended while it was counted: begin again after midnight (UTC)');
    }
    const claim = {
      message: `${admitted} requests were admitted in a day, ${beyond} more than the plan's ${plan.perDay}`,
      expected: `at most ${plan.perDay} admitted${allowance > 0 ? `, ${allowance} more by refill` : ''}, then 429`,
      received: `${admitted} admitted${refusal ? ', then 429' : ' and no 429'}`,
    };
    judgement.fail(evidence.beyond ? answerOf(evidence.beyond) : [], claim);
    return;
  }
  if (!refusal) {
    throw new Inconclusive(
      evidence.stopped ?? `the day's limit was not reached: ${admitted} of ${plan.perDay} were sent`,
    );
  }
  if (beyond >= 0) {
    pass(judgement, count);
    if (beyond > 0)
      judgement.note(`${beyond} more than ${plan.perDay} were admitted, which a refill meanwhile explains.`);
    return;
  }
  if (count.admitted + lost + before.most >= plan.perDay) {
    pass(judgement, count);
    if (before.most > before.least)
      judgement.note(
        `${before.most - before.least} requests of this run may have used the day up before it was counted.`,
      );
    if (lost > 0)
      judgement.note(`${lost} requests got no answer, or an error, and may be among those admitted.`);
    return;
  }
  if (evidence.others > 0) {
    throw new Inconclusive(
      `other clients use the key: Remaining fell by ${evidence.others} more than was sent`,
    );
  }
  const figure = figureTold(refusal, evidence);
  if (!count.begun?.fresh && !beganWithRun(evidence) && figure === undefined) {
    throw new Inconclusive(
      `the day's limit was reached after ${admitted} of ${plan.perDay} requests; the others may have been used up earlier in the day. Go on with --resume=DIR after it has reset: the next day is counted from its beginning`,
    );
  }
  const claim = {
    message: `the day's limit was reached after ${admitted} of the plan's ${plan.perDay} requests${figure === undefined ? '' : `: the limit in force is ${figure}`}`,
    expected: `${plan.perDay} requests admitted in a day`,
    received: `${admitted} admitted, then ${String(answerOf(refusal))}`,
  };
  judgement.fail(answerOf(refusal), claim);
}

function pass(judgement: Judgement, { admitted }: DayCount): void {
  for (let one = 0; one < admitted; one += 1) judgement.held();
}

/** Whether what was sent before the counting was sent on the same day (UTC): for certain it weighs on no other one. */
function isOfThatDay({ firstAt }: UsedBefore, { count, dayMs }: DayEvidence): boolean {
  const dayOf = (moment: number): number => Math.floor(moment / dayMs);
  return firstAt !== undefined && count.begun !== undefined && dayOf(firstAt) === dayOf(count.begun.at);
}

/** The day that was used up began with the first request of this run, by the time at which it is told to end. */
function beganWithRun({ count, dayMs, usedBefore }: DayEvidence): boolean {
  const { end, firstSentAt } = count;
  if (end?.resetsAt === undefined || end.resetsAt === null || firstSentAt === undefined) return false;
  const first = Math.min(firstSentAt, usedBefore.firstAt ?? firstSentAt);
  return end.resetsAt - dayMs >= first - endIsRough;
}

/** The limit that the day's 429 names, where it is another than the plan's, and what was admitted reaches it. */
function figureTold({ told }: Seen, { plan, count, usedBefore }: DayEvidence): number | undefined {
  const { limit, remaining } = told;
  if (limit === undefined || remaining !== 0 || limit === plan.perMinute || limit >= plan.perDay)
    return undefined;
  return count.admitted + usedBefore.most >= limit ? limit : undefined;
}

/** Admissions above the day's figure that a refill explains: not where the 429 says to wait for many of its shares. */
function dayAllowance({ plan, dayMs, mayRefill, span, refusal }: DayEvidence): number {
  const share = dayMs / plan.perDay;
  const wait = refusal && waitMs(refusal);
  if (!mayRefill || (wait !== undefined && wait > 2 * share + endIsRough)) return 0;
  return Math.floor(span / share + 1e-9);
}

/** Milliseconds that `Retry-After` asks to wait. */
export function waitMs({ told: { retryAfter, date } }: Seen): number | undefined {
  if (retryAfter?.form === 'seconds') return retryAfter.seconds * 1_000;
  return retryAfter?.form === 'date' && date !== undefined ? retryAfter.date - date : undefined;
}
