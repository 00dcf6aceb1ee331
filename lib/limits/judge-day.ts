import type { Plan } from '../specification/plans.js';
import { Inconclusive } from '../verdict/outcome.js';
import type { Trial } from '../verdict/trial.js';
import type { DayCount, UsedBefore } from './day-count.js';
import { answerOf, type Seen } from './seen.js';
import { viewOf } from './told.js';

/** Milliseconds by which rounding and clocks may part two moments that are the same. */
const sameMoment = 5_000;

export interface DayEvidence {
  readonly plan: Plan;
  readonly windowMs: number;
  readonly dayMs: number;
  readonly count: DayCount;
  readonly usedBefore: UsedBefore;
  /** The 429 that no minute's limit explains. */
  readonly refusal: Seen | undefined;
  /** A new day began, by the target's clock in UTC or by what Remaining told. */
  readonly dayTurned: boolean;
  /** Why the counting did not get to its end. */
  readonly stopped: string | undefined;
}

/** What a limiter that refills continuously gives back of a day's requests in a time (milliseconds). */
export function dayRefill({ perDay }: Plan, elapsed: number, dayMs: number): number {
  return Math.floor((perDay * elapsed) / dayMs) + 1;
}

/** LIMIT-10 (section 8): the plan's requests of a day are admitted, and no more. */
export function judgeDay(trial: Trial, evidence: DayEvidence): void {
  const { plan, count, usedBefore, refusal, dayTurned, stopped, dayMs } = evidence;
  const { perDay } = plan;
  const elapsed = (count.lastAt ?? 0) - (count.firstAt ?? 0);
  const refill = dayRefill(plan, elapsed, dayMs);
  const least = count.admitted + usedBefore.least;
  const most = count.admitted + count.uncertain + usedBefore.most;
  const shown = refusal === undefined ? [] : [answerOf(refusal)];
  if (least > perDay + refill && !dayTurned) {
    trial.check(
      false,
      {
        message: "more requests are admitted than the plan's of a day",
        expected: `429 after ${perDay} requests of a day; ${refill} more are what a refill may have given back`,
        received: `${least} admitted within ${Math.round(elapsed / 60_000)} minutes${refusal === undefined ? ', and no 429' : ''}`,
      },
      ...shown,
    );
    return;
  }
  if (refusal === undefined) {
    throw new Inconclusive(
      dayTurned
        ? 'a new day began during the counting: start it early enough in the day'
        : `${stopped ?? 'the counting did not get to the limit'} after ${count.admitted} of ${perDay}; go on with --resume`,
    );
  }
  if (most >= perDay) {
    trial.check(true, { message: "the day's requests are admitted" }, ...shown);
    if (least > perDay) trial.note(`${least - perDay} more than ${perDay} were admitted: the time that went by explains it on a limiter that refills.`);
    return;
  }
  judgeEarlyRefusal(trial, evidence, most);
}

/** Refused before the figure: the limit's doing, unless the key was used before the counting, which we can't see. */
function judgeEarlyRefusal(trial: Trial, { plan, windowMs, dayMs, count, refusal }: DayEvidence, most: number): void {
  if (!refusal) return;
  const claim = {
    message: "a request is refused before the plan's of a day are used up",
    expected: `${plan.perDay} requests admitted in a day`,
    received: `429 after ${most}`,
  };
  const { first } = count;
  if (first && viewOf(first.told, plan, windowMs) === 'day' && first.told.remaining !== undefined) {
    const left = first.told.remaining + 1;
    if (count.admitted + count.uncertain < left) {
      trial.check(false, { ...claim, expected: `${left} requests admitted, as Remaining told at the beginning` }, answerOf(first), answerOf(refusal));
      return;
    }
    throw new Inconclusive(`the key had ${left} requests left of its day at the beginning, and they were admitted: use a key that is fresh`);
  }
  const { reset } = refusal.told;
  const began = reset === undefined ? undefined : reset.at - dayMs;
  const difference = refusal.told.date === undefined ? 0 : refusal.told.date - refusal.at;
  if (began !== undefined && count.firstAt !== undefined && Math.abs(began - difference - count.firstAt) <= sameMoment) {
    trial.check(false, { ...claim, received: `${claim.received}, of a window that began with the first of them` }, answerOf(refusal));
    return;
  }
  throw new Inconclusive(`429 after ${most} of ${plan.perDay}: a key that was used earlier in the day would explain it; use one that is fresh`);
}
