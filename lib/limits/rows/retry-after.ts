import { type Failure, type Judgement, wrongHeader } from '../../verdict/judgement.js';
import { Inconclusive, NotApplicable } from '../../verdict/outcome.js';
import { seconds } from '../judge/certificate.js';
import { findingsOf, type Explanation } from '../judge/hypothesis.js';
import { isRejected, responsesOf, type Observation } from '../history/observation.js';
import { including, type History } from '../history/history.js';
import { plus, type Interval } from '../interval.js';
import { isFixedWindow } from '../limiter/limiter.js';
import type { LimitEvidence } from '../limit-evidence.js';
import { tolerances } from '../tolerances.js';
import { owedMs } from './announced.js';

/** LIMIT-04: every 429 carries a `Retry-After` that RFC 9110 10.2.3 allows, and that makes sense. */
export function judgeRetryAfter(judgement: Judgement, { history, day, facts }: LimitEvidence): void {
  const ofMinute = history.own.filter(isRejected);
  const ofDay = day.filter(isRejected);
  if (ofMinute.length + ofDay.length === 0) throw new Inconclusive('no 429 was seen');
  for (const [earlier, rejection] of [...ofMinute, ...ofDay].entries()) {
    const { retryAfter } = rejection.headers;
    const windowMs = earlier < ofMinute.length ? history.windowMs : facts.day?.dayMs;
    const wrong = unusable(rejection, { ...history, windowMs: windowMs ?? 86_400_000 }, earlier);
    if (wrong === undefined) judgement.held(1);
    else
      judgement.fail(responsesOf(rejection), {
        ...wrong,
        received: retryAfter ? `Retry-After: ${retryAfter.text}` : 'no Retry-After',
        fact: wrongHeader('Retry-After', retryAfter ? [retryAfter.text] : []),
      });
  }
}

/** What is wrong with the `Retry-After` of a 429. @param earlier rejections before it, which may push a sliding limit back */
function unusable(rejection: Observation, history: History, earlier: number): Failure | undefined {
  const { retryAfter, reset } = rejection.headers;
  const expected = 'Retry-After: whole seconds from 1 on, or an HTTP date';
  if (!retryAfter) return { message: '429 without Retry-After', expected };
  if (retryAfter.form === 'malformed')
    return { message: 'Retry-After is neither a whole number of seconds nor an HTTP date', expected };
  // A date by an unknown clock says nothing of the time until then.
  if (retryAfter.form === 'date' && history.clock === undefined) return undefined;
  const [now] = targetTime(rejection, history);
  const ahead = retryAfter.form === 'seconds' ? retryAfter.seconds * 1000 : retryAfter.date - now;
  if (ahead <= 0 && retryAfter.form === 'date')
    return { message: 'Retry-After is a date that has passed', expected };
  if (ahead < 1000 && retryAfter.form === 'seconds')
    return { message: 'Retry-After is 0: the client is told not to wait', expected };
  const { windowMs } = history;
  if (ahead <= windowMs + tolerances.longestWaitMs + owedMs(earlier, history)) return undefined;
  const isMilliseconds = reset !== undefined && Math.abs(ahead / 1000 - (reset - now)) <= 3_000;
  const unit = ahead >= 1e12 ? 'a Unix timestamp' : isMilliseconds ? 'milliseconds' : undefined;
  const like = unit === undefined ? '' : ` (it looks like ${unit})`;
  return {
    message: `Retry-After is longer than the exhausted window${like}`,
    expected: `at most ${seconds(windowMs)}`,
  };
}

/** The target's clock when it responded; if nothing tells it, ours. */
function targetTime({ sentAt, receivedAt }: Observation, { clock = [0, 0] }: History): Interval {
  return plus([sentAt, receivedAt], clock);
}

/** LIMIT-06: `Retry-After` and Reset name the same moment, within two seconds. */
export function judgeRetryAfterAgrees(judgement: Judgement, evidence: LimitEvidence): void {
  const { history } = evidence;
  const rejections = history.own.filter(isRejected);
  let reason = 'no 429 carried both a Retry-After and a Reset that can be read';
  for (const rejection of rejections) {
    const { headers } = rejection;
    const apart = apartMs(rejection, history);
    if (apart === undefined) continue;
    if (headers.period === 'day') reason = 'Reset names the end of the day, Retry-After that of the minute';
    else if (Math.abs(apart) <= tolerances.agreementMs) judgement.held(1);
    else if (!history.clock && headers.retryAfter?.form !== 'date')
      reason = 'no Date shows the target’s clock, by which Reset and seconds could be compared';
    else if (apart <= latestBack(rejection, evidence)) {
      judgement.held(1);
      judgement.note(
        'Retry-After names the next single request that is admitted, Reset another moment of a limit that comes back bit by bit.',
      );
    } else
      judgement.fail(responsesOf(rejection), {
        message: 'Retry-After and X-RateLimit-Reset are more than two seconds apart',
        expected: 'both name the same moment',
        received: `Retry-After: ${headers.retryAfter?.text ?? ''}, ${seconds(Math.abs(apart))} ${apart < 0 ? 'before' : 'after'} Reset`,
        fact: wrongHeader('Retry-After', ['not Reset']),
      });
  }
  if (judgement.checks > 0) return;
  if (rejections.length > 0) throw new NotApplicable(reason);
  throw new Inconclusive('no 429 was seen');
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

/** By how much `Retry-After` is after Reset (negative: before); what clocks leave open counts in its favour. */
function apartMs(rejection: Observation, history: History): number | undefined {
  const { retryAfter, reset } = rejection.headers;
  if (!retryAfter || retryAfter.form === 'malformed' || reset === undefined) return undefined;
  if (retryAfter.form === 'date') return retryAfter.date - reset;
  const [from, to] = targetTime(rejection, history);
  const least = from + retryAfter.seconds * 1000 - reset;
  const most = to + retryAfter.seconds * 1000 - reset;
  if (least <= 0 && most >= 0) return 0;
  return Math.abs(least) < Math.abs(most) ? least : most;
}
