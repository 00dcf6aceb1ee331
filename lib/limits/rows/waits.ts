import { failed, open, passed, type Check, type Checks } from '../../verdict/check.js';
import { Inconclusive, NotApplicable } from '../../verdict/outcome.js';
import {
  highestRemaining,
  isAdmitted,
  isRejected,
  reportsRemaining,
  responsesOf,
  waitEnds,
  type Observation,
} from '../history/history.js';
import { isFixedWindow } from '../limiter/algorithms.js';
import { bits, none, tolerances } from '../tolerances.js';
import { seconds } from '../judge/certificate.js';
import { findingsOf, nearest, type Explanation, type Finding } from '../judge/hypothesis.js';
import { including } from '../judge/load.js';
import type { LimitEvidence } from '../limits-of-run.js';
import { commandOf } from './commands.js';
import { isViolated, violation } from './odds.js';

export function comesBackAtOnce({ hypothesis }: Explanation): boolean {
  return isFixedWindow(hypothesis.algorithm);
}

/** A response that named a moment, and the first request after it. */
interface Announced {
  readonly by: Observation;
  readonly next: Observation;
}

/**
 * For each moment that a response named, the first request after it; of several that are over then, the latest. A rejection
 * of it shows nothing if a request was admitted meanwhile, and may have used what came back, or if the moment was put off.
 * @param putOffMs a moment that is named later, and later by more than this, puts the first one off
 */
function announcedIn(
  own: readonly Observation[],
  endOf: (one: Observation) => number | undefined,
  putOffMs: number,
): Announced[] {
  const latest = new Map<Observation, Announced>();
  for (const [index, by] of own.entries()) {
    const end = endOf(by);
    const later = own.slice(index + 1);
    const next = later.find(({ sentAt }) => sentAt >= Math.max(end ?? Infinity, by.receivedAt));
    if (end === undefined || !next) continue;
    const showsNothing = (one: Observation): boolean =>
      isAdmitted(one) || (endOf(one) ?? 0) > Math.max(next.sentAt, end + putOffMs);
    if (!isRejected(next) || !later.slice(0, later.indexOf(next)).some(showsNothing))
      latest.set(next, { by, next });
  }
  return [...latest.values()];
}

/** Whether something may have come back that nobody sees who took it: a limiter that gives back bit by bit rounds what it shows. */
function mayBeTaken(explanation: Explanation, next: Observation): boolean {
  const [least, most] = explanation.traced.find(including(next))?.before ?? none;
  return !comesBackAtOnce(explanation) && least < 1 && most >= 1;
}

/** Judges the requests after announced moments: a rejection is wrong unless others may have taken what came back. */
function judgeAnnounced(
  id: 'LIMIT-05' | 'LIMIT-14',
  evidence: LimitEvidence,
  announced: readonly Announced[],
  messageOf: (announced: Announced) => string,
): Check[] {
  const { diagnosis, history } = evidence;
  // Others may have taken it if the best explanation needs them at other requests, too, or if no Remaining would show them.
  const others = findingsOf(diagnosis.best, 'hidden requests', 'filled by others');
  const isTheirs = (finding: Finding): boolean =>
    announced.some(({ next }) => isRejected(next) && including(next)(finding));
  const isShown = 2 * (highestRemaining(history.own) + 1) >= history.plan.perMinute;
  const isTaken = !others.every(isTheirs) || !(isShown || diagnosis.possible.every(comesBackAtOnce));
  return announced.map((one) => {
    const { by, next } = one;
    // Requests that overlap are one step: what is restored for one of them is restored.
    const isServedBeside = history.own.some(
      (other) => isAdmitted(other) && other.sentAt < next.receivedAt && other.receivedAt > next.sentAt,
    );
    if (isAdmitted(next) || (isRejected(next) && isServedBeside)) return passed;
    if (!isRejected(next))
      return open('the request after the wait got no response, or one of a server in trouble');
    if (isTaken || mayBeTaken(diagnosis.best, next))
      return open(
        'other clients of the key may have used up what came back: give the suite a key of its own',
      );
    return failed(responsesOf(by, next), {
      message: messageOf(one),
      expected: 'a request is served at the moment that was announced',
      received: `429 (${next.id})`,
      reproduce: commandOf(id, evidence),
    });
  });
}

/** LIMIT-05: the request that comes just when a wait is over that a 429 asked for is served. */
export function judgeServedAfterRetryAfter(evidence: LimitEvidence): Checks {
  const { history, day, diagnosis } = evidence;
  // After 0 a client may send at once.
  const mayComeNow = ({ headers: { retryAfter } }: Observation): boolean =>
    retryAfter?.form === 'seconds' && retryAfter.seconds === 0;
  const due = (one: Observation): number | undefined =>
    isRejected(one) ? (mayComeNow(one) ? one.receivedAt : waitEnds(one, history.clock)) : undefined;
  // A rejection that is counted puts off what comes back bit by bit. Moments that are rounded apart are one.
  const isCounted = diagnosis.possible.some((one) => one.hypothesis.chargesRejected && !comesBackAtOnce(one));
  const putOffMs = isCounted ? Number.NEGATIVE_INFINITY : tolerances.roundedMs;
  // A wait that a 429 named when the day was used up is as good as any.
  const waits = [history.own, day]
    .flatMap((own) => announcedIn(own, due, putOffMs))
    // Before a request that comes later another client may have come.
    .filter(({ by, next }) => !isRejected(next) || next.sentAt - (due(by) ?? 0) <= tolerances.justThenMs);
  if (waits.length === 0)
    throw new Inconclusive('no 429 with a Retry-After that a client can follow was waited out');
  return judgeAnnounced('LIMIT-05', evidence, waits, ({ by, next }) => {
    const waited = seconds(next.sentAt - by.receivedAt);
    return `Retry-After said ${by.headers.retryAfter?.text ?? ''}; ${waited} later the request still got 429`;
  });
}

/** LIMIT-14: the limit is restored a second after the Reset that was announced, by the target's clock. */
export function judgeReset(evidence: LimitEvidence): Checks {
  const { history, diagnosis } = evidence;
  const { own, clock } = history;
  if (isViolated('LIMIT-14', diagnosis)) return [violation('LIMIT-14', evidence)];
  const isTold = own.some(({ headers }) => headers.period === 'minute' && headers.reset);
  if (own.length > 0 && !(clock && isTold))
    throw new NotApplicable(
      'no response carries a Reset of the minute that is a Unix timestamp (RATE-03 first), or no Date shows when it has passed',
    );
  // What a response has shown to be left, others must have taken who are rejected later.
  const endOf = ({
    headers: { reset = 0, remaining = 0, period },
    receivedAt,
  }: Observation): number | undefined =>
    clock && period === 'minute' && remaining === 0 && reset > receivedAt + clock[1]
      ? reset - clock[0] + tolerances.afterResetMs
      : undefined;
  const resets = announcedIn(own, endOf, Number.POSITIVE_INFINITY);
  // What comes back bit by bit the run itself may have used up. Without Remaining nobody can tell that it came back.
  const telling = resets.filter(({ next }) => !isRejected(next) || !mayBeUsedUp(next, evidence));
  const used = reportsRemaining(own) ? resets.length - telling.length : 0;
  if (used === 0 && telling.length === 0)
    throw new Inconclusive('no announced Reset passed, or the run itself may have used up what came back');
  const message = 'the limit is not restored at the announced Reset: 429';
  return [{ held: used }, ...judgeAnnounced('LIMIT-14', evidence, telling, () => message)];
}

/** Whether the run itself may have used up what comes back bit by bit, whatever Reset means then, and within its last second. */
function mayBeUsedUp(next: Observation, { diagnosis, history }: LimitEvidence): boolean {
  const certain = 1 + (history.plan.perMinute * tolerances.afterResetMs) / history.windowMs;
  return nearest(diagnosis.conforming, bits.odds).some(
    (one) => !comesBackAtOnce(one) && (one.traced.find(including(next))?.before[0] ?? 0) < certain,
  );
}
