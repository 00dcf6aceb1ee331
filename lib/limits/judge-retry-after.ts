import { Inconclusive, NotApplicable } from '../verdict/outcome.js';
import type { Failure as Claim, Judgement } from '../verdict/judgement.js';
import type { LimitEvidence } from './evidence.js';
import { mayComeOneByOne } from './identify.js';
import { dayUsedUp } from './day-used-up.js';
import { othersSeen } from './judge-figures.js';
import { answerOf, refused, type Seen } from './seen.js';
import { viewOf } from './told.js';

/** Seconds that rounding and a sliding window's last share may add to a wait. */
const roundingSeconds = 2;
const secondsOfDay = 86_400;

/** LIMIT-04: every 429 carries `Retry-After`, as RFC 9110 10.2.3 writes it, and it makes sense. */
export function judgeRetryAfter(judgement: Judgement, evidence: LimitEvidence): void {
  const refusals = evidence.history.filter(refused);
  if (refusals.length === 0) throw new Inconclusive(evidence.stopped ?? 'no 429 was seen');
  for (const refusal of refusals) {
    const claim = wrongRetryAfter(refusal, evidence);
    judgement.check(claim === undefined, answerOf(refusal), () => claim ?? { message: '' });
  }
}

/** What is wrong with a 429's `Retry-After`; undefined where nothing is. */
function wrongRetryAfter(refusal: Seen, evidence: LimitEvidence): Claim | undefined {
  const { retryAfter } = refusal.told;
  const expected = 'Retry-After: whole seconds from 1 on, or an HTTP date';
  if (!retryAfter) return { message: '429 without Retry-After', expected, received: 'no Retry-After' };
  const received = `Retry-After: ${retryAfter.text}`;
  const longest = longestWait(refusal, evidence);
  const wrong = (message: string): Claim => ({ message, expected, received });
  if (retryAfter.form === 'malformed') {
    return wrong('Retry-After is neither a whole number of seconds nor an HTTP date');
  }
  const now = targetTime(refusal, evidence);
  const ahead = retryAfter.form === 'seconds' ? retryAfter.seconds : (retryAfter.date - now.least) / 1000;
  if (retryAfter.form === 'seconds' && ahead < 1)
    return wrong('Retry-After is 0: the client is told not to wait');
  if (ahead <= 0) return wrong('Retry-After is a date that has passed');
  if (ahead <= longest) return undefined;
  return {
    message: `Retry-After is longer than the window that is used up${likeness(ahead, refusal, now.least)}`,
    expected: `at most ${Math.round(longest - roundingSeconds)} s`,
    received,
  };
}

function likeness(seconds: number, { told }: Seen, now: number): string {
  if (seconds >= 1e9 && seconds < 1e11) return ' (it looks like a Unix timestamp)';
  const left = told.reset === undefined ? undefined : told.reset.at - now;
  return left !== undefined && Math.abs(seconds - left) <= 3_000 ? ' (it looks like milliseconds)' : '';
}

function longestWait(refusal: Seen, evidence: LimitEvidence): number {
  const window = dayUsedUp(refusal, evidence) ? secondsOfDay : evidence.windowMs / 1000;
  return window + roundingSeconds + pushedBack(refusal, evidence);
}

/** Seconds by which refused requests may push the next admission back, where a limiter slides and counts them too. */
function pushedBack(refusal: Seen, { history, windowMs, plan }: LimitEvidence): number {
  const pushes = history.filter((seen) => refused(seen) && seen.at <= refusal.at).length;
  return (pushes * windowMs) / 1000 / plan.perMinute;
}

/** The target's clock at the moment of an answer, as an interval in epoch milliseconds. */
function targetTime(
  { sentAt, at, told }: Seen,
  { difference }: LimitEvidence,
): { least: number; most: number } {
  if (difference) return { least: sentAt + difference.least, most: at + difference.most };
  return told.date === undefined ? { least: sentAt, most: at } : { least: told.date, most: told.date + 1000 };
}

/** LIMIT-05: the first request after `Retry-After` is served. */
export function judgeServedAfterRetryAfter(judgement: Judgement, evidence: LimitEvidence): void {
  const followed = evidence.recoveries.filter(({ by }) => by === 'Retry-After');
  if (followed.length === 0) {
    const refusal = evidence.history.find(refused);
    const wrong = refusal && wrongRetryAfter(refusal, evidence);
    throw new Inconclusive(
      evidence.stopped ??
        (wrong ? `there was no Retry-After to wait for (${wrong.message})` : 'no 429 was waited out'),
    );
  }
  for (const { refusal, look } of followed) {
    if (look.status === null) {
      judgement.leaveOpen('the request after Retry-After got no answer');
      continue;
    }
    if (refused(look) && dayUsedUp(look, evidence)) {
      judgement.leaveOpen("the day's requests were used up meanwhile");
      continue;
    }
    if (refused(look) && othersSeen(evidence)) {
      judgement.leaveOpen('other clients use the key, and may have used the window up first');
      continue;
    }
    const claim = {
      message: 'the first request after Retry-After is refused with 429 again',
      expected: `served ${((look.sentAt - refusal.at) / 1000).toFixed(1)} s after "Retry-After: ${refusal.told.retryAfter?.text ?? ''}"`,
      received: String(answerOf(look)),
    };
    judgement.check(!refused(look), [answerOf(refusal), answerOf(look)], () => claim);
  }
}

/** LIMIT-06: `Retry-After` and Reset name the same moment, within two seconds. */
export function judgeAgreement(judgement: Judgement, evidence: LimitEvidence): void {
  let ofTheDay = false;
  let clockUnknown = false;
  for (const refusal of evidence.history.filter(refused)) {
    const { retryAfter, reset } = refusal.told;
    if (!retryAfter || retryAfter.form === 'malformed' || !reset) continue;
    if (viewOf(refusal.told, evidence.plan, evidence.windowMs) === 'day' && !dayUsedUp(refusal, evidence)) {
      ofTheDay = true;
      continue;
    }
    const apart = secondsApart(refusal, evidence);
    if (Math.abs(apart) > 2 && !clockIsKnown(refusal, evidence)) {
      clockUnknown = true;
      continue;
    }
    if (Math.abs(apart) > 2 && explainedByAlgorithm(refusal, evidence, apart)) {
      judgement.held();
      judgement.note(
        apart < 0
          ? 'Retry-After names the next single admission, Reset the moment when all have come back.'
          : 'Reset names the moment when the oldest request comes back, Retry-After that of the next admission.',
      );
      continue;
    }
    const claim = {
      message: `Retry-After and X-RateLimit-Reset are more than two seconds apart`,
      expected: 'both name the same moment',
      received: `Retry-After: ${retryAfter.text}, ${Math.abs(apart).toFixed(0)} s ${apart < 0 ? 'before' : 'after'} Reset`,
    };
    judgement.check(Math.abs(apart) <= 2, answerOf(refusal), () => claim);
  }
  if (judgement.checks > 0) return;
  if (ofTheDay) throw new NotApplicable("Reset tells the day's end, Retry-After the minute's");
  if (clockUnknown) {
    throw new NotApplicable('no Date tells the target’s clock, by which Reset and seconds could be compared');
  }
  if (evidence.history.some(refused)) throw new NotApplicable('no 429 carried both Retry-After and a Reset');
  throw new Inconclusive(evidence.stopped ?? 'no 429 was seen');
}

/** Two dates of one clock can be compared without knowing it. */
function clockIsKnown({ told }: Seen, { difference }: LimitEvidence): boolean {
  return told.retryAfter?.form === 'date' || told.date !== undefined || difference !== undefined;
}

/** By how many seconds `Retry-After` lies after Reset (negative: before), what clocks leave open counted in its favour. */
function secondsApart(refusal: Seen, evidence: LimitEvidence): number {
  const { retryAfter, reset } = refusal.told;
  if (!retryAfter || !reset || retryAfter.form === 'malformed') return 0;
  if (retryAfter.form === 'date') return (retryAfter.date - reset.at) / 1000;
  const now = targetTime(refusal, evidence);
  const least = retryAfter.seconds - (reset.at - now.least) / 1000;
  const most = retryAfter.seconds - (reset.at - now.most) / 1000;
  if (least <= 0 && most >= 0) return 0;
  return Math.abs(least) < Math.abs(most) ? least : most;
}

/**
 * Whether requests come back one by one, and the one that `Retry-After` named did. It may come before Reset, where that
 * names the moment when all are back, and behind it where refused requests are counted too.
 */
function explainedByAlgorithm(refusal: Seen, evidence: LimitEvidence, apart: number): boolean {
  const { identification, recoveries } = evidence;
  const oneByOne = mayComeOneByOne(identification);
  const pushed = 2 + pushedBack(refusal, evidence);
  if (!oneByOne || (apart > pushed && identification.countsRefusals === false)) return false;
  const followed = recoveries.filter(({ by }) => by === 'Retry-After');
  const own = followed.filter((recovery) => recovery.refusal === refusal);
  const known = own.length > 0 ? own : followed;
  // Others may have taken what came back.
  return known.length > 0 && (known.every(({ look }) => !refused(look)) || othersSeen(evidence));
}
