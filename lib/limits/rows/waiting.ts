import { ApiResponse } from '../../session/api-response.js';
import { wrongHeader, type Failure, type Judgement } from '../../verdict/judgement.js';
import { Inconclusive, NotApplicable } from '../../verdict/outcome.js';
import { behavesLike, seconds } from '../diagnose/certificate.js';
import { contradictionsIn, findingsOf } from '../diagnose/diagnose.js';
import type { Diagnosis } from '../diagnose/hypothesis.js';
import type { History } from '../history/history.js';
import type { Observation } from '../history/observation.js';
import type { Interval } from '../interval.js';
import { isFixedWindow } from '../limiter/models.js';
import type { LimitEvidence } from '../limit-evidence.js';
import { tolerances } from '../tolerances.js';
import { factOfLimiter } from './admission.js';

const dayMs = 86_400_000;

/** LIMIT-04: every 429 carries a `Retry-After` that RFC 9110 10.2.3 allows, and that makes sense. */
export function judgeRetryAfter(judgement: Judgement, { history, facts }: LimitEvidence): void {
  const rejections = history.own.filter(isRejected);
  if (rejections.length === 0) throw new Inconclusive(facts.stopped ?? 'no 429 was seen');
  for (const [earlier, rejection] of rejections.entries()) {
    const { retryAfter } = rejection.headers;
    const wrong = unusable(rejection, history, earlier);
    if (wrong === undefined) judgement.held(1);
    else
      judgement.fail(new ApiResponse(rejection.exchange), {
        ...wrong,
        received: retryAfter ? `Retry-After: ${retryAfter.text}` : 'no Retry-After',
        fact: wrongHeader('Retry-After', retryAfter ? [retryAfter.text] : []),
      });
  }
}

function isRejected({ outcome }: Observation): boolean {
  return outcome === 'rejected';
}

/** What is wrong with the `Retry-After` of a 429. @param earlier rejections before it, which may push a sliding limit back */
function unusable(rejection: Observation, history: History, earlier: number): Failure | undefined {
  const { retryAfter, reset, date } = rejection.headers;
  const expected = 'Retry-After: whole seconds from 1 on, or an HTTP date';
  if (!retryAfter) return { message: '429 without Retry-After', expected };
  if (retryAfter.form === 'malformed')
    return { message: 'Retry-After is neither a whole number of seconds nor an HTTP date', expected };
  // A date by an unknown clock says nothing of the time until then.
  if (retryAfter.form === 'date' && history.clock === undefined && date === undefined) return undefined;
  const [now] = targetTime(rejection, history);
  const ahead = retryAfter.form === 'seconds' ? retryAfter.seconds * 1000 : retryAfter.date - now;
  if (ahead <= 0 && retryAfter.form === 'date')
    return { message: 'Retry-After is a date that has passed', expected };
  if (ahead < 1000 && retryAfter.form === 'seconds')
    return { message: 'Retry-After is 0: the client is told not to wait', expected };
  const window = isOfDay(rejection, history) ? dayMs : history.windowMs;
  const pushedBack = (earlier * history.windowMs) / history.plan.perMinute;
  if (ahead <= window + tolerances.longestWaitMs + pushedBack) return undefined;
  const isMilliseconds = reset !== undefined && Math.abs(ahead / 1000 - (reset - now)) <= 3_000;
  const unit = ahead >= 1e12 ? 'a Unix timestamp' : isMilliseconds ? 'milliseconds' : undefined;
  const like = unit === undefined ? '' : ` (it looks like ${unit})`;
  return {
    message: `Retry-After is longer than the exhausted window${like}`,
    expected: `at most ${seconds(window)}`,
  };
}

/** The target's clock when it responded. */
function targetTime({ sentAt, receivedAt, headers: { date } }: Observation, { clock }: History): Interval {
  if (clock) return [sentAt + clock[0], receivedAt + clock[1]];
  return date === undefined ? [sentAt, receivedAt] : [date, date + 1000];
}

/** Whether a rejection says that the day's limit was reached. */
function isOfDay({ headers, sentAt }: Observation, { plan, windowMs }: History): boolean {
  if (plan.perDay === plan.perMinute || headers.period !== 'day' || headers.remaining !== 0) return false;
  const { retryAfter, reset, date = sentAt } = headers;
  if (retryAfter?.form === 'seconds') return retryAfter.seconds * 1000 > 1.5 * windowMs;
  const until = retryAfter?.form === 'date' ? retryAfter.date : reset;
  return until !== undefined && until - date > 1.5 * windowMs;
}

/** A response that announced a time, and the first request after that time. */
interface Announced {
  readonly by: Observation;
  readonly next: Observation;
}

/** Judges whether the requests after announced times found what was announced. @param wrong what one found instead */
function judgeAnnounced(
  judgement: Judgement,
  { history, diagnosis }: LimitEvidence,
  announced: readonly Announced[],
  wrong: (announced: Announced) => Failure | undefined,
): void {
  const nexts = new Set(announced.map(({ next }) => next));
  for (const one of announced) {
    const { by, next } = one;
    const failure = wrong(one);
    if (next.outcome === 'unknown' || next.outcome === 'failed')
      judgement.leaveOpen('the request after the wait got no response, or one of a server in trouble');
    else if (isRejected(next) && isOfDay(next, history))
      judgement.leaveOpen('the day’s limit was reached meanwhile');
    else if (failure === undefined) judgement.held(1);
    else if (othersMayHaveTaken(diagnosis, next, nexts))
      judgement.leaveOpen(
        'other clients use the key, as Remaining shows, and may have used up what came back',
      );
    else judgement.fail([new ApiResponse(by.exchange), new ApiResponse(next.exchange)], failure);
  }
}

/** What the best explanation has left before a request, at the least. */
function expectedRoom({ traced }: Diagnosis, observation: Observation): number {
  return traced.find(({ burst }) => burst.observations.includes(observation))?.before[0] ?? 0;
}

/**
 * Whether other clients may have used up what is missing: as much as they use elsewhere, or less than half a window. Who only
 * shows just after the ends of windows is nobody else.
 */
function othersMayHaveTaken(
  diagnosis: Diagnosis,
  next: Observation,
  nexts: ReadonlySet<Observation>,
): boolean {
  const hidden = findingsOf(diagnosis.best, 'hidden requests');
  const here = hidden.find(({ burst }) => burst.observations.includes(next));
  const fixed = isFixedWindow(diagnosis.best.hypothesis.algorithm);
  const elsewhere = hidden.filter(
    ({ burst }) => !burst.observations.some((one) => one === next || (fixed && nexts.has(one))),
  );
  if (elsewhere.length === 0) return false;
  const missing = here?.count ?? Math.floor(expectedRoom(diagnosis, next));
  return missing <= Math.max(...elsewhere.map(({ count }) => count), diagnosis.history.plan.perMinute / 2);
}

/** LIMIT-05: the first request after `Retry-After` is served, for every 429 that was waited out. */
export function judgeServedAfterRetryAfter(judgement: Judgement, evidence: LimitEvidence): void {
  const { history, day, facts } = evidence;
  const waits = [...waitedOut(history), ...waitedOut({ ...history, own: day })];
  judgeAnnounced(judgement, evidence, waits, ({ by, next }) => {
    if (!isRejected(next)) return undefined;
    return {
      message: 'the first request after Retry-After is rejected with 429 again',
      expected: `served ${seconds(next.sentAt - by.receivedAt)} after "Retry-After: ${by.headers.retryAfter?.text ?? ''}"`,
      received: `429 (${next.id})`,
    };
  });
  if (judgement.checks > 0 || judgement.open.length > 0) return;
  const rejection = history.own.find(isRejected);
  const wrong = rejection && unusable(rejection, history, 0);
  const reason = wrong
    ? `no usable Retry-After could be waited out (${wrong.message})`
    : 'no 429 was waited out';
  throw new Inconclusive(facts.stopped ?? reason);
}

/**
 * The latest rejection whose wait is over, and the first request that was sent then. A rejection of that request shows
 * nothing if another one asked for a longer wait, or if a request was admitted meanwhile and may have used what came back.
 */
function waitedOut({ own, clock }: History): Announced[] {
  const pairs: Announced[] = [];
  let waits: Array<{ readonly by: Observation; readonly due: number }> = [];
  let admitted = false;
  for (const next of own) {
    const over = waits.filter(({ by, due }) => by.receivedAt <= next.sentAt && due <= next.sentAt);
    const by = over.at(-1)?.by;
    if (by && (!isRejected(next) || (!admitted && over.length === waits.length))) pairs.push({ by, next });
    waits = waits.filter((one) => !over.includes(one));
    if (next.outcome === 'admitted') admitted = true;
    const due = isRejected(next) ? waitEnds(next, clock) : undefined;
    if (due === undefined) continue;
    waits.push({ by: next, due });
    admitted = false;
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
  const rejections = history.own.filter(isRejected);
  let reason = 'no 429 carried both Retry-After and Reset';
  for (const rejection of rejections) {
    const { headers } = rejection;
    const apart = apartMs(rejection, history);
    if (apart === undefined) continue;
    if (headers.period === 'day' && !isOfDay(rejection, history))
      reason = 'Reset names the end of the day, Retry-After that of the minute';
    else if (Math.abs(apart) <= tolerances.agreementMs) judgement.held(1);
    else if (!history.clock && headers.date === undefined && headers.retryAfter?.form !== 'date')
      reason = 'no Date shows the target’s clock, by which Reset and seconds could be compared';
    else if (!fixed.some(Boolean) || (!fixed.every(Boolean) && wasKept(rejection, history))) {
      judgement.held(1);
      judgement.note(
        'Retry-After names the next single request that is admitted, Reset another moment of a limit that comes back bit by bit.',
      );
    } else
      judgement.fail([new ApiResponse(rejection.exchange)], {
        message: 'Retry-After and X-RateLimit-Reset are more than two seconds apart',
        expected: 'both name the same moment',
        received: `Retry-After: ${headers.retryAfter?.text ?? ''}, ${seconds(Math.abs(apart))} ${apart < 0 ? 'before' : 'after'} Reset`,
        fact: wrongHeader('Retry-After', ['not Reset']),
      });
  }
  if (judgement.checks > 0) return;
  if (rejections.length > 0) throw new NotApplicable(reason);
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
  const own = followed.filter(({ by }) => by === rejection);
  const known = own.length > 0 ? own : followed;
  return known.length > 0 && known.every(({ next }) => !isRejected(next));
}

/** LIMIT-14: the limit is restored at Reset. */
export function judgeReset(judgement: Judgement, evidence: LimitEvidence): void {
  const { history, facts, diagnosis } = evidence;
  const { own, clock } = history;
  const { deviation, twin } = diagnosis;
  if (deviation?.blames.includes('LIMIT-14')) {
    const next = twin.findings.find(({ kind }) => kind !== 'other time')?.burst.observations[0];
    judgement.fail(next ? [new ApiResponse(next.exchange)] : [], {
      message: `the limit is not restored at Reset: the limiter ${deviation.says}`,
      expected: 'the whole limit again after the announced Reset',
      received: `the limiter behaves like ${behavesLike(diagnosis)}`,
      fact: factOfLimiter(diagnosis),
    });
    return;
  }
  const resets = resetsIn(history);
  judgeAnnounced(judgement, evidence, resets, (announced) => notRestored(announced, diagnosis));
  if (resets.length > 0) return;
  const named = own.filter(({ headers }) => headers.reset !== undefined);
  if (named.length > 0 && named.every(({ headers }) => headers.period === 'day'))
    throw new NotApplicable('Reset names the end of the day');
  if (own.length > 0 && named.length === 0) throw new NotApplicable('no response carries a Reset');
  if (!clock)
    throw new NotApplicable('no Date shows the target’s clock, so it is not known when a Reset has passed');
  throw new Inconclusive(facts.stopped ?? 'no announced Reset passed during the run');
}

/** The first requests after an announced Reset had passed by the target's clock, whatever its difference from ours. */
function resetsIn(history: History): Announced[] {
  const { own, clock } = history;
  const found: Announced[] = [];
  if (!clock) return found;
  let announcing: Observation[] = [];
  for (const next of own) {
    const { reset, period } = next.headers;
    const by = announcing.findLast(({ headers }) =>
      hasPassed(headers.reset ?? 0, next, clock, history.windowMs),
    );
    if (by) {
      found.push({ by, next });
      announcing = announcing.slice(announcing.indexOf(by) + 1);
    }
    const isAhead = reset !== undefined && reset > next.receivedAt + clock[1];
    const last = announcing.at(-1)?.headers.reset;
    if (period !== 'minute' || !isAhead || next.outcome === 'unknown') continue;
    if (last !== undefined && Math.abs(reset - last) <= tolerances.agreementMs) continue;
    // A response that is admitted in a new window shows that the one before has ended, whenever its Reset was.
    announcing = next.outcome === 'admitted' ? [next] : [...announcing, next];
  }
  return found;
}

/** A second after an announced Reset; or earlier, if a new window is announced, or a wait beyond that second. */
function hasPassed(
  reset: number,
  { sentAt, outcome, headers }: Observation,
  clock: Interval,
  windowMs: number,
): boolean {
  const since = sentAt + clock[0] - reset;
  const later = (headers.reset ?? reset) - reset;
  if (since >= tolerances.afterResetMs) return true;
  if (outcome === 'admitted') return since >= -tolerances.agreementMs && later > windowMs / 2;
  return outcome === 'rejected' && since >= 0 && later >= 2 * tolerances.afterResetMs;
}

/** What the request after an announced Reset finds that is not the whole limit. */
function notRestored({ by, next }: Announced, diagnosis: Diagnosis): Failure | undefined {
  const after = `${seconds(next.sentAt - by.receivedAt)} after ${by.id} announced Reset`;
  const expected = 'a request after the announced Reset is served, with the whole limit restored';
  if (isRejected(next)) {
    // What comes back bit by bit the run may have used up itself, if the limiter is known to mean this Reset by it.
    const bitByBit = diagnosis.possible.some(
      (one) =>
        !isFixedWindow(one.hypothesis.algorithm) &&
        contradictionsIn(one) === 0 &&
        !findingsOf(one, 'other time').some(({ observations }) => observations.includes(by)),
    );
    if (bitByBit && expectedRoom(diagnosis, next) < 1) return undefined;
    const message = 'the limit is not restored at the announced Reset: 429';
    return { message, expected, received: `429, ${after}` };
  }
  if (!diagnosis.possible.every(({ hypothesis }) => isFixedWindow(hypothesis.algorithm))) return undefined;
  // A Remaining that is not believed is held against the conforming limiter.
  const reader = diagnosis.best.hypothesis.believesRemaining ? diagnosis.best : diagnosis.twin;
  const missing = findingsOf(reader, 'hidden requests').find(({ burst }) =>
    burst.observations.includes(next),
  );
  if (!missing || missing.count <= tolerances.restoredShort) return undefined;
  const remaining = next.headers.remaining ?? 0;
  return {
    message: `the limit is not restored at the announced Reset: Remaining is ${remaining} of ${Math.floor(missing.room[1])}`,
    expected,
    received: `Remaining ${remaining}, ${after}`,
  };
}
