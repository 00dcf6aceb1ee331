import { ApiResponse } from '../../session/api-response.js';
import { wrongHeader, type Failure, type Judgement } from '../../verdict/judgement.js';
import { Inconclusive, NotApplicable } from '../../verdict/outcome.js';
import { seconds } from '../diagnose/certificate.js';
import type { History } from '../history/history.js';
import type { Observation } from '../history/observation.js';
import type { Interval } from '../interval.js';
import { isFixedWindow } from '../limiter/models.js';
import type { LimitEvidence } from '../limit-evidence.js';
import { tolerances } from '../tolerances.js';

const dayMs = 86_400_000;

/** LIMIT-04: every 429 carries a `Retry-After` that RFC 9110 10.2.3 allows, and that makes sense. */
export function judgeRetryAfter(judgement: Judgement, { history, facts }: LimitEvidence): void {
  const rejections = history.own.filter(isRejected);
  if (rejections.length === 0) throw new Inconclusive(facts.stopped ?? 'no 429 was seen');
  for (const [index, rejection] of rejections.entries()) {
    const wrong = unusable(rejection, history, index);
    if (wrong) judgement.fail(new ApiResponse(rejection.exchange), wrong);
    else judgement.held(1);
  }
}

function isRejected({ outcome }: Observation): boolean {
  return outcome === 'rejected';
}

/** What is wrong with the `Retry-After` of a 429. @param earlier rejections before it, which may push a sliding limit back */
function unusable(rejection: Observation, history: History, earlier: number): Failure | undefined {
  const { retryAfter, reset } = rejection.headers;
  const expected = 'Retry-After: whole seconds from 1 on, or an HTTP date';
  const fact = wrongHeader('Retry-After', retryAfter ? [retryAfter.text] : []);
  if (!retryAfter) return { message: '429 without Retry-After', expected, received: 'no Retry-After', fact };
  const received = `Retry-After: ${retryAfter.text}`;
  if (retryAfter.form === 'malformed') {
    return {
      message: 'Retry-After is neither a whole number of seconds nor an HTTP date',
      expected,
      received,
      fact,
    };
  }
  if (retryAfter.form === 'seconds' && retryAfter.seconds < 1) {
    return { message: 'Retry-After is 0: the client is told not to wait', expected, received, fact };
  }
  const isKnown = history.clock !== undefined || rejection.headers.date !== undefined;
  // A date by an unknown clock says nothing of the time until then.
  if (retryAfter.form === 'date' && !isKnown) return undefined;
  const [now] = targetTime(rejection, history);
  const ahead = retryAfter.form === 'seconds' ? retryAfter.seconds * 1000 : retryAfter.date - now;
  if (ahead <= 0) return { message: 'Retry-After is a date that has passed', expected, received, fact };
  const window = isOfDay(rejection, history) ? dayMs : history.windowMs;
  const pushedBack = (earlier * history.windowMs) / history.plan.perMinute;
  if (ahead <= window + tolerances.longestWaitMs + pushedBack) return undefined;
  const isTimestamp = ahead >= 1e12;
  const isMilliseconds = reset !== undefined && Math.abs(ahead / 1000 - (reset - now)) <= 3_000;
  const like = isTimestamp
    ? ' (it looks like a Unix timestamp)'
    : isMilliseconds
      ? ' (it looks like milliseconds)'
      : '';
  return {
    message: `Retry-After is longer than the exhausted window${like}`,
    expected: `at most ${seconds(window)}`,
    received,
    fact,
  };
}

/** The target's clock when it responded. */
function targetTime({ sentAt, receivedAt, headers: { date } }: Observation, { clock }: History): Interval {
  if (clock) return [sentAt + clock[0], receivedAt + clock[1]];
  return date === undefined ? [sentAt, receivedAt] : [date, date + 1000];
}

/** Whether a rejection says that the day's limit was reached. */
export function isOfDay({ headers, sentAt }: Observation, { plan, windowMs }: History): boolean {
  if (plan.perDay === plan.perMinute || headers.period !== 'day' || headers.remaining !== 0) return false;
  const { retryAfter, reset, date = sentAt } = headers;
  const beyond = 1.5 * windowMs;
  if (retryAfter?.form === 'seconds') return retryAfter.seconds * 1000 > beyond;
  if (retryAfter?.form === 'date') return retryAfter.date - date > beyond;
  return reset !== undefined && reset - date > beyond;
}

/** LIMIT-05: the first request after `Retry-After` is served, for every 429 that was waited out. */
export function judgeServedAfterRetryAfter(judgement: Judgement, evidence: LimitEvidence): void {
  const { history, facts, diagnosis } = evidence;
  for (const { rejection, next } of waitedOut(history)) {
    if (next.outcome === 'unknown' || next.outcome === 'failed') {
      judgement.leaveOpen('the request after Retry-After got no response, or one of a server in trouble');
      continue;
    }
    if (!isRejected(next)) {
      judgement.held(1);
      continue;
    }
    if (isOfDay(next, history)) judgement.leaveOpen('the day’s limit was reached meanwhile');
    else if (othersMayHaveTaken(diagnosis)) {
      judgement.leaveOpen(
        'other clients use the key, as Remaining shows, and may have used up what came back',
      );
    } else {
      const waited = seconds(next.sentAt - rejection.receivedAt);
      const failure: Failure = {
        message: 'the first request after Retry-After is rejected with 429 again',
        expected: `served ${waited} after "Retry-After: ${rejection.headers.retryAfter?.text ?? ''}"`,
        received: `429 (${next.id})`,
      };
      judgement.fail([new ApiResponse(rejection.exchange), new ApiResponse(next.exchange)], failure);
    }
  }
  if (judgement.checks > 0 || judgement.open.length > 0) return;
  const rejection = history.own.find(isRejected);
  const wrong = rejection && unusable(rejection, history, 0);
  throw new Inconclusive(
    facts.stopped ??
      (wrong ? `no usable Retry-After could be waited out (${wrong.message})` : 'no 429 was waited out'),
  );
}

/** Each rejection that was the last response before a request which was sent when its wait was over. */
function waitedOut({
  own,
  clock,
}: History): Array<{ readonly rejection: Observation; readonly next: Observation }> {
  const pairs: Array<{ readonly rejection: Observation; readonly next: Observation }> = [];
  // What came back last: a later request was sent with nothing of our own under way.
  let last: Observation | undefined;
  for (const next of own) {
    const due =
      last && isRejected(last) && last.receivedAt <= next.sentAt ? waitEnds(last, clock) : undefined;
    if (last && due !== undefined && next.sentAt >= due) pairs.push({ rejection: last, next });
    if (!last || next.receivedAt >= last.receivedAt) last = next;
  }
  return pairs;
}

/** When a client that does as `Retry-After` says sends again, by our clock; undefined if it says nothing usable. */
function waitEnds({ receivedAt, headers }: Observation, clock: Interval | undefined): number | undefined {
  const { retryAfter } = headers;
  if (retryAfter?.form === 'seconds' && retryAfter.seconds > 0) return receivedAt + retryAfter.seconds * 1000;
  if (retryAfter?.form !== 'date' || !clock) return undefined;
  const end = retryAfter.date - clock[0];
  return end > receivedAt ? end : undefined;
}

/** LIMIT-06: `Retry-After` and Reset name the same moment, within two seconds. */
export function judgeRetryAfterAgrees(judgement: Judgement, evidence: LimitEvidence): void {
  const { history, facts, diagnosis } = evidence;
  const fixed = diagnosis.possible.map(({ hypothesis }) => isFixedWindow(hypothesis.algorithm));
  const oneByOne = !fixed.every(Boolean);
  let ofDay = false;
  let clockUnknown = false;
  for (const rejection of history.own.filter(isRejected)) {
    const apart = apartMs(rejection, history);
    if (apart === undefined) continue;
    if (rejection.headers.period === 'day' && !isOfDay(rejection, history)) {
      ofDay = true;
      continue;
    }
    if (Math.abs(apart) <= tolerances.agreementMs) {
      judgement.held(1);
      continue;
    }
    if (
      !history.clock &&
      rejection.headers.date === undefined &&
      rejection.headers.retryAfter?.form !== 'date'
    ) {
      clockUnknown = true;
      continue;
    }
    if (oneByOne && (!fixed.some(Boolean) || wasKept(rejection, history))) {
      judgement.held(1);
      judgement.note(
        'Retry-After names the next single request that is admitted, Reset another moment of a limit that comes back bit by bit.',
      );
      continue;
    }
    const failure: Failure = {
      message: 'Retry-After and X-RateLimit-Reset are more than two seconds apart',
      expected: 'both name the same moment',
      received: `Retry-After: ${rejection.headers.retryAfter?.text ?? ''}, ${seconds(Math.abs(apart))} ${apart < 0 ? 'before' : 'after'} Reset`,
      fact: wrongHeader('Retry-After', ['not Reset']),
    };
    judgement.fail([new ApiResponse(rejection.exchange)], failure);
  }
  if (judgement.checks > 0) return;
  if (ofDay) throw new NotApplicable('Reset names the end of the day, Retry-After that of the minute');
  if (clockUnknown)
    throw new NotApplicable('no Date shows the target’s clock, by which Reset and seconds could be compared');
  if (history.own.some(isRejected)) throw new NotApplicable('no 429 carried both Retry-After and Reset');
  throw new Inconclusive(facts.stopped ?? 'no 429 was seen');
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

/** Whether what this `Retry-After` promises came true, or that of others if this one was not waited out. */
function wasKept(rejection: Observation, history: History): boolean {
  const followed = waitedOut(history);
  const own = followed.filter((pair) => pair.rejection === rejection);
  const known = own.length > 0 ? own : followed;
  return known.length > 0 && known.every(({ next }) => !isRejected(next));
}

/** Whether other clients that Remaining shows may have used up what came back: one request, or a whole window. */
export function othersMayHaveTaken(diagnosis: LimitEvidence['diagnosis']): boolean {
  if (diagnosis.deviation || diagnosis.otherTraffic === 0) return false;
  const fixed = isFixedWindow(diagnosis.best.hypothesis.algorithm);
  return !fixed || diagnosis.otherTraffic >= diagnosis.history.plan.perMinute / 2;
}
