import { integer } from '../../explain/count.js';
import {
  asksBeyondMinute,
  isAdmitted,
  isRejected,
  type Observation,
  waitEnds,
} from '../history/observation.js';
import { Inconclusive } from '../../verdict/outcome.js';
import type { RequirementId } from '../../specification/catalogue.js';
import type { Interval } from '../interval.js';
import { minuteMs, tolerances } from '../tolerances.js';
import type { LimitSession } from './session.js';

/** Sent at the announced moment itself, a request might still be early: timers are no better, and clocks are worse. */
const marginMs = 10;
const graceMs = tolerances.afterResetMs + 40;
/** So many requests of a window are back when it has passed since the last of them: a few more than the probes have rejected. */
const owedRequests = 10;
/** A share of a window: so long before it ends a limiter still rejects, and only longer waits are looked into. */
const lateShare = 1 / 20;
const longShare = 1 / 3;
/** Windows that each further look waits for at the least (section 8.3). */
const backoffs = [0, 0, 1 / 10, 1];
/** Windows: a client that is asked to wait for longer is over another limit than the minute's, or banned. */
const longestWait = 5;
/** Milliseconds before a minute begins in which a look reaches the target. */
const earlyMs = 3;

/**
 * When a rejected client may send again, by our clock: as `Retry-After` says, else as Reset says. If neither names a time
 * that can be kept (LIMIT-04), a whole window later.
 * @throws Inconclusive if it asks for a wait of many windows
 */
function retryAt(session: LimitSession, rejection: Observation): number {
  const { receivedAt } = rejection;
  const asked = waitEnds(rejection, session.clock) ?? receivedAt;
  if (asked > receivedAt && asked <= receivedAt + longestWait * minuteMs) return asked + marginMs;
  const reset = session.resetIn([rejection]) ?? 0;
  const isSoon = reset > receivedAt && reset <= receivedAt + minuteMs + tolerances.longestWaitMs;
  // A key that this run has exhausted may be tried at Reset instead, on this machine.
  if (asked > receivedAt && !(isSoon && session.isUnrestrained && session.history.some(isAdmitted)))
    throw new Inconclusive(
      `the key is over its limit, and the target asks to wait ${integer((asked - receivedAt) / 1000)} s (its day may be used up, or the key banned)`,
    );
  return (isSoon ? reset : receivedAt + minuteMs) + graceMs;
}

/** The earliest moment still to come that a 429 has named since the operation was last admitted: others may have limits of their own. */
function earliestNamed(session: LimitSession, last: Observation): number {
  const { history, now, bannedUntil = 0 } = session;
  const isServed = (one: Observation): boolean => isAdmitted(one) && one.operation === last.operation;
  const named = history
    .slice(history.findLastIndex(isServed) + 1)
    .filter(isRejected)
    .map((one) => retryAt(session, one))
    .filter((at) => at >= Math.max(now, bannedUntil));
  return named.length > 0 ? Math.min(...named) : retryAt(session, last);
}

/** Moments beside the one that a 429 names at which a limiter would show that it does not keep its word, in order. */
function otherLooks(session: LimitSession, rejection: Observation, due: number) {
  const { history, now, bannedUntil = now } = session;
  const { receivedAt } = rejection;
  const reset = session.resetIn([history.findLast(isAdmitted) ?? rejection]);
  // Whatever the algorithm, the requests that opened a window are back when it has passed.
  const used = history.filter((one) => isAdmitted(one) && one.sentAt > receivedAt - minuteMs);
  const opened = used.at(Math.min(owedRequests, used.length) - 1);
  const looks: Array<{ readonly at: number; readonly purpose: RequirementId }> = [
    ...(reset === undefined ? [] : [{ at: reset + graceMs, purpose: 'LIMIT-14' as const }]),
    ...(opened ? [{ at: opened.receivedAt + minuteMs + graceMs, purpose: 'LIMIT-01' as const }] : []),
  ];
  // Whole seconds before the earliest moment that was named: a Retry-After that is rounded down names it again.
  const late = Math.min(due, ...looks.map(({ at }) => at)) - lateShare * minuteMs;
  if (session.isUnrestrained && late - receivedAt > longShare * minuteMs)
    for (const at of [(receivedAt + late) / 2, late]) looks.push({ at, purpose: 'LIMIT-02' });
  return looks
    .filter(({ at }) => at >= bannedUntil && (at > due || at < due - tolerances.agreementMs))
    .toSorted((one, other) => one.at - other.at);
}

/**
 * Waits as long as a 429 says and sends a listing, and others at the moments that tell more. Of several 429s it waits for the
 * earliest moment that was named, and if that is too early, as the next one says, longer each time (section 8.3).
 * @throws Inconclusive if the target rejects them all
 */
export async function awaitServed(session: LimitSession, rejection: Observation): Promise<void> {
  let last = rejection;
  const others = otherLooks(session, rejection, earliestNamed(session, rejection));
  for (const [round, backoff] of backoffs.entries()) {
    const due = (): number =>
      round === 0
        ? earliestNamed(session, last)
        : Math.max(retryAt(session, last), last.receivedAt + backoff * minuteMs);
    const first = due();
    for (const { at, purpose } of others)
      if (at > session.now && at < first && isRejected(last)) last = await session.look(purpose, at);
    // One that was served early is sent again when due.
    last = await session.look('LIMIT-05', isRejected(last) ? Math.min(first, due()) : first);
    if (!isRejected(last)) return;
  }
  throw new Inconclusive('the target still responds with 429 after every wait that it asked for');
}

/** Whether a 429 asks for a wait that no window needs: longer than one, or over before one has passed since it was restored. */
export function asksForAnother({ history, clock }: LimitSession, rejection: Observation): boolean {
  const isRestored = (one: Observation, index: number): boolean =>
    one.phase === 'look' && isAdmitted(one) && history[index - 1]?.outcome === 'rejected';
  const { sentAt: begin } = history.findLast(isRestored) ?? { sentAt: rejection.receivedAt };
  const due = waitEnds(rejection, clock) ?? rejection.receivedAt + minuteMs;
  return due < begin + minuteMs - tolerances.agreementMs || asksBeyondMinute(rejection, clock);
}

/**
 * Waits for the window after one that was exhausted, as the target says, and sends a listing that shows whether it kept
 * its word (LIMIT-05, LIMIT-14). A limiter that gives requests back one by one is waited for until all are back.
 */
export async function awaitRestored(session: LimitSession): Promise<void> {
  const { history } = session;
  const announced = session.resetIn() ?? 0;
  const back = session.lastUse + minuteMs;
  const rejection = history.findLast(isRejected);
  session.restoredFrom = history.length;
  if (rejection && rejection.receivedAt > back - 2 * minuteMs) await awaitServed(session, rejection);
  const isBack = isWhole(session);
  // A limiter that gives requests back one by one has moved Reset on with the look.
  const reset = isBack ? announced : Math.max(back, session.resetIn() ?? 0);
  const moment = Math.min(reset, back + minuteMs / 4) + graceMs;
  await session.waitUntil(moment, 'waiting until all requests are back');
  if (isBack) return;
  session.restoredFrom = history.length;
  const seen = await session.look('LIMIT-14');
  if (isRejected(seen)) await awaitServed(session, seen);
}

/** Whether the last response shows the whole limit, but for the requests sent since the window was exhausted. */
function isWhole({ history, window, perMinute }: LimitSession): boolean {
  const { headers, outcome } = history.at(-1) ?? {};
  if (outcome !== 'admitted' || headers?.period !== 'minute' || headers.remaining === undefined) return false;
  return headers.remaining + window.filter((one) => !isRejected(one)).length >= perMinute;
}

/**
 * Looks as a minute of the target's clock begins: before a client that polls each minute it sees the whole limit. No client
 * waits for that window, as the one before it is idle.
 */
export async function lookAsMinuteBegins(session: LimitSession): Promise<boolean> {
  const begin = (Math.floor((session.lastUse + (session.clock?.[1] ?? 0)) / minuteMs) + 2) * minuteMs;
  const look = async (at: number): Promise<Interval> => {
    await session.look('LIMIT-01', at);
    return session.clock ?? [0, 0];
  };
  let [least, most] = session.clock ?? [0, 0];
  // As `Date` changes with each second, a look when it may change halves what is not known of the target's clock.
  for (let ticks = 7; ticks > 0; ticks -= 1)
    [least, most] = await look(begin - ticks * 1_000 - (least + most) / 2);
  [least] = await look(begin - most - earlyMs);
  await look(begin - least);
  session.restoredFrom = session.history.length - 1;
  return session.window.every(isAdmitted);
}
