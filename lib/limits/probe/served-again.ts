import { integer } from '../../explain/count.js';
import {
  asksBeyondMinute,
  isAdmitted,
  isRejected,
  type Observation,
  waitEnds,
} from '../history/observation.js';
import { minuteMs, tolerances } from '../tolerances.js';
import { ProbesEnded, type LimitSession } from './limit-session.js';

/** Sent at the announced moment itself, a request might still be early: timers are no better, and clocks are worse. */
const marginMs = 10;
const clockMarginMs = 40;
const graceMs = tolerances.afterResetMs + clockMarginMs;
/** A share of a window: before its end by so much a limiter still rejects, and only longer waits are looked into. */
const lateShare = 1 / 20;
const longShare = 1 / 3;
/** So many requests of a window are back when it has passed since the last of them: a few more than the probes have rejected. */
const owedRequests = 10;
/** Shares of a window that each further look waits for at the least (section 8.3). */
const backoffs = [0, 0, 1 / 10, 1];
/** Windows: a client that is asked to wait for longer is over another limit than the minute's. */
const longestWait = 5;

/**
 * Whether a 429 asks for a wait that no window of the minute needs: it is longer than one, or over before a window has
 * passed since requests came back.
 */
export function asksForAnother(session: LimitSession, rejection: Observation): boolean {
  const { history } = session;
  const back =
    history.findLast(
      (one, index) => one.phase === 'look' && isAdmitted(one) && history[index - 1]?.outcome === 'rejected',
    ) ?? rejection;
  const due = waitEnds(rejection, session.clock) ?? rejection.receivedAt + minuteMs;
  const isShort = due < back.sentAt + minuteMs - tolerances.agreementMs;
  return isShort || asksBeyondMinute(rejection, session.clock);
}

/**
 * When a rejected client may send again, by our clock: as `Retry-After` says, else as Reset says. If a 429 names no time
 * that can be kept (0 or hours, see LIMIT-04), a whole window later.
 * @throws ProbesEnded if it asks for a wait of many windows: the day is used up, or the key is banned
 */
function retryAt(session: LimitSession, rejection: Observation): number {
  const { receivedAt } = rejection;
  const asked = waitEnds(rejection, session.clock);
  const longest = receivedAt + minuteMs + tolerances.longestWaitMs;
  const reset = session.resetOf(rejection) ?? 0;
  const isSoon = reset > receivedAt && reset <= longest;
  // A key that this run has exhausted may be tried at Reset instead, on this machine.
  const mayTry = isSoon && session.isUnrestrained && session.history.some(isAdmitted);
  if (asked !== undefined && asked - receivedAt > longestWait * minuteMs && !mayTry) {
    const seconds = integer((asked - receivedAt) / 1000);
    throw new ProbesEnded(
      `the key is over its limit, and the target asks to wait ${seconds} s (its day may be used up, or the key banned)`,
    );
  }
  if (asked !== undefined && asked <= longest) return asked + marginMs;
  return (isSoon ? reset : receivedAt + minuteMs) + graceMs;
}

/**
 * The moments still to come that 429s have named since the operation was last admitted, the earliest first; else that of the
 * last one. Another operation may have a limit of its own.
 */
function namedBy(session: LimitSession, last: Observation): readonly [number, ...number[]] {
  const { history, now } = session;
  const isServed = (one: Observation): boolean => isAdmitted(one) && one.operation === last.operation;
  const since = history.slice(history.findLastIndex(isServed) + 1).filter(isRejected);
  const [first, ...others] = since
    .map((one) => retryAt(session, one))
    .filter((at) => at >= now)
    .toSorted((a, b) => a - b);
  return first === undefined ? [retryAt(session, last)] : [first, ...others];
}

/** Moments beside the one that a 429 names at which a limiter would show that it does not keep its word, in order. */
function otherLooks(session: LimitSession, rejection: Observation, due: number) {
  const { history } = session;
  const reset = session.resetOf(history.findLast(isAdmitted) ?? rejection);
  // Whatever the algorithm, the requests that opened a window are back when it has passed.
  const used = history.filter((one) => isAdmitted(one) && one.sentAt > rejection.receivedAt - minuteMs);
  const opened = used.at(Math.min(owedRequests, used.length) - 1);
  const looks = [
    ...(reset === undefined ? [] : [{ at: reset + graceMs, purpose: 'LIMIT-14' }]),
    ...(opened ? [{ at: opened.receivedAt + minuteMs + graceMs, purpose: 'LIMIT-01' }] : []),
  ];
  const { receivedAt } = rejection;
  // Whole seconds before the earliest moment that a 429 has named: a Retry-After that is rounded down names it again.
  const late = Math.min(due, ...looks.map(({ at }) => at)) - lateShare * minuteMs;
  if (session.isUnrestrained && late - receivedAt > longShare * minuteMs)
    for (const at of [(receivedAt + late) / 2, late]) looks.push({ at, purpose: 'LIMIT-02' });
  return looks
    .filter(({ at }) => at > due || at < due - tolerances.agreementMs)
    .toSorted((a, b) => a.at - b.at);
}

/**
 * Waits as long as a 429 says and sends a listing, and others at the moments that tell more. Of several 429s it waits for the
 * earliest moment that was named, and if that is too early, as all of them say, longer each time (section 8.3).
 * @throws ProbesEnded if the target rejects them all
 */
export async function awaitServed(session: LimitSession, rejection: Observation): Promise<void> {
  await awaitEndOfBan(session);
  let last = rejection;
  const lookAt = async (at: number, purpose: string): Promise<void> => {
    await session.waitUntil(at, 'waiting as the 429 says');
    last = await session.look(purpose);
  };
  const others = otherLooks(session, rejection, namedBy(session, rejection)[0]);
  for (const [round, backoff] of backoffs.entries()) {
    const moment = (): number => {
      const named = namedBy(session, last);
      return Math.max(round === 0 ? named[0] : (named.at(-1) ?? 0), last.receivedAt + backoff * minuteMs);
    };
    const due = moment();
    for (const { at, purpose } of others)
      if (at < due && at > session.now && last.outcome === 'rejected') await lookAt(at, purpose);
    // One that was served early sends again when due.
    await lookAt(last.outcome === 'rejected' ? Math.min(due, moment()) : due, 'LIMIT-05');
    if (last.outcome !== 'rejected') return;
  }
  throw new ProbesEnded('the target still responds with 429 after every wait that it asked for');
}

/** A key that was banned for the requests behind a 429 (section 8.3) gets no more of them. */
async function awaitEndOfBan(session: LimitSession): Promise<void> {
  const { bannedUntil = 0, now } = session;
  if (bannedUntil <= now) return;
  const seconds = Math.ceil((bannedUntil - now) / 1000);
  session.notes.add(
    `The target banned the key for ${seconds} s because requests went on in spite of its 429 (section 8.3): from then on each window got one request over the limit.`,
  );
  await session.waitUntil(bannedUntil + clockMarginMs, 'waiting until the key is no longer banned');
}

/**
 * Waits for the window after one that was exhausted, as the target says, and sends a listing that shows whether it kept
 * its word (LIMIT-05, LIMIT-14). A limiter that gives requests back one by one is waited for until all are back.
 */
export async function awaitRestored(session: LimitSession): Promise<void> {
  session.begin('look');
  const { history, lastUse } = session;
  const rejection = history.findLast(({ outcome }) => outcome === 'rejected');
  const announced = history.findLast((one) => session.resetOf(one) !== undefined);
  session.restoredFrom = history.length;
  if (rejection && rejection.receivedAt > lastUse - minuteMs) await awaitServed(session, rejection);
  const whole = isWhole(session);
  const back = lastUse + minuteMs;
  // A limiter that gives requests back one by one has moved Reset on with the look.
  const latest = whole ? announced : history.at(-1);
  const reset = Math.min((latest && session.resetOf(latest)) ?? 0, back + minuteMs / 4);
  // A Reset that comes before all requests must be back is looked at by itself.
  const early = !whole && reset < back - tolerances.agreementMs && reset > session.now ? [reset] : [];
  const moments = [...early, whole ? reset : Math.max(back, reset)];
  for (const moment of moments) {
    await session.waitUntil(moment + graceMs, 'waiting until all requests are back');
    if (whole) return;
    session.restoredFrom = history.length;
    const seen = await session.look('LIMIT-14');
    if (seen.outcome === 'rejected') await awaitServed(session, seen);
    if (isWhole(session)) return;
  }
}

/** Whether the last response shows the whole limit, but for the requests sent since the window was exhausted. */
function isWhole(session: LimitSession): boolean {
  const { headers, outcome } = session.history.at(-1) ?? {};
  if (outcome !== 'admitted' || headers?.period !== 'minute' || headers.remaining === undefined) return false;
  return headers.remaining + session.usedSince(0) >= session.options.facts.plan.perMinute;
}
