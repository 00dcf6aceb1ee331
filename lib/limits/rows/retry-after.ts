import { failed, passed, type Checks } from '../../verdict/check.js';
import { type Failure, wrongHeader } from '../../verdict/judgement.js';
import { Inconclusive, NotApplicable } from '../../verdict/outcome.js';
import { seconds } from '../judge/certificate.js';
import { findingsOf, type Explanation } from '../judge/hypothesis.js';
import { dayMs } from '../day/day-count.js';
import { isRejected, responsesOf, type Observation } from '../history/observation.js';
import { including, type History } from '../history/history.js';
import { plus, type Interval } from '../interval.js';
import { isFixedWindow } from '../limiter/limiter.js';
import type { LimitEvidence } from '../limit-evidence.js';
import { tolerances } from '../tolerances.js';

/** LIMIT-04: every 429 carries a `Retry-After` that RFC 9110 10.2.3 allows, and that makes sense. */
export function* judgeRetryAfter({ history, day }: LimitEvidence): Checks {
  const rejections = [...history.own, ...day].filter(isRejected);
  if (rejections.length === 0) throw new Inconclusive('no 429 was seen');
  for (const rejection of rejections) {
    const { retryAfter } = rejection.headers;
    const windowMs = rejection.phase === 'day' ? dayMs : history.windowMs;
    const wrong = unusable(rejection, { ...history, windowMs });
    if (wrong === undefined) yield passed;
    else
      yield failed(responsesOf(rejection), {
        ...wrong,
        received: retryAfter ? `Retry-After: ${retryAfter.text}` : 'no Retry-After',
        fact: wrongHeader('Retry-After', retryAfter ? [retryAfter.text] : []),
      });
  }
}

/** What is wrong with the `Retry-After` of a 429. */
function unusable(rejection: Observation, history: History): Failure | undefined {
  const { retryAfter } = rejection.headers;
  const expected = 'Retry-After: whole seconds from 1 on, or an HTTP date';
  if (!retryAfter) return { message: '429 without Retry-After', expected };
  if (retryAfter.form === 'malformed')
    return { message: 'Retry-After is neither a whole number of seconds nor an HTTP date', expected };
  // A date by an unknown clock says nothing of the time until then.
  if (retryAfter.form === 'date' && history.clock === undefined) return undefined;
  const ahead =
    retryAfter.form === 'seconds'
      ? retryAfter.seconds * 1000
      : retryAfter.date - targetTime(rejection, history)[0];
  if (ahead <= 0) return { message: 'Retry-After asks for no wait', expected };
  if (ahead <= history.windowMs + tolerances.longestWaitMs) return undefined;
  return {
    message: 'Retry-After is longer than the exhausted window',
    expected: `at most ${seconds(history.windowMs)}`,
  };
}

/** The target's clock when it responded; if nothing tells it, ours. */
function targetTime({ sentAt, receivedAt }: Observation, { clock = [0, 0] }: History): Interval {
  return plus([sentAt, receivedAt], clock);
}

/** LIMIT-06: `Retry-After` and Reset name the same moment, within two seconds. */
export function* judgeRetryAfterAgrees(evidence: LimitEvidence): Checks {
  const rejections = evidence.history.own.filter(isRejected);
  if (rejections.length === 0) throw new Inconclusive('no 429 was seen');
  const compared = rejections.flatMap((rejection) => {
    const apart = apartMs(rejection, evidence.history);
    return apart === undefined ? [] : [[rejection, apart] as const];
  });
  if (compared.length === 0)
    throw new NotApplicable('no 429 carried a Retry-After and a Reset of the minute that can be compared');
  for (const [rejection, apart] of compared) {
    if (Math.abs(apart) <= tolerances.agreementMs || apart <= latestBack(rejection, evidence)) yield passed;
    else
      yield failed(responsesOf(rejection), {
        message: 'Retry-After and X-RateLimit-Reset are more than two seconds apart',
        expected: 'both name the same moment',
        received: `Retry-After: ${rejection.headers.retryAfter?.text ?? ''}, ${seconds(Math.abs(apart))} ${apart < 0 ? 'before' : 'after'} Reset`,
        fact: wrongHeader('Retry-After', ['not Reset']),
      });
  }
}

/** By how much `Retry-After` is after Reset (negative: before); what clocks leave open counts in its favour. */
function apartMs(rejection: Observation, history: History): number | undefined {
  const { retryAfter, reset, period } = rejection.headers;
  // With the Reset of the day nothing is compared that may be the minute's.
  if (!retryAfter || retryAfter.form === 'malformed' || reset === undefined || period === 'day')
    return undefined;
  if (retryAfter.form === 'date') return retryAfter.date - reset;
  if (!history.clock) return undefined;
  const [least, most] = plus(targetTime(rejection, history), [-reset, -reset]);
  const waitMs = retryAfter.seconds * 1000;
  return Math.max(least + waitMs, Math.min(0, most + waitMs));
}

/**
 * How much later than Reset the next single request may come back if the limit comes back bit by bit, whatever Reset means
 * then. Never, if the limit comes back at once.
 */
function latestBack(rejection: Observation, { diagnosis: { possible }, history }: LimitEvidence): number {
  const bitByBit = possible.filter(({ hypothesis }) => !isFixedWindow(hypothesis.algorithm));
  const fits = (one: Explanation): boolean => !findingsOf(one, 'other time').some(including(rejection));
  if (bitByBit.length < possible.length && !bitByBit.some(fits)) return Number.NEGATIVE_INFINITY;
  // A rejection that counts pushes the limit back.
  if (possible.some(({ hypothesis }) => hypothesis.chargesRejected)) return Number.POSITIVE_INFINITY;
  return tolerances.agreementMs + history.windowMs / (rejection.headers.limit || history.plan.perMinute);
}
