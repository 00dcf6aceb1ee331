import type { Observation } from '../history/observation.js';
import { tolerances } from '../tolerances.js';
import { ProbesEnded, type LimitSession } from './limit-session.js';

/** Sent at the announced moment itself, a request might still be early: timers and clocks are no better. */
const marginMs = 40;
/** Rejections in a row that are waited out before the key is given up. */
const patience = 5;

/**
 * When a rejected client may send again, by our clock: as `Retry-After` says, else as Reset says. If a 429 names no time
 * that can be kept (0 or hours, see LIMIT-04), a whole window later.
 * @throws ProbesEnded if it asks for a wait of many windows: the day is used up, or the key is banned
 */
function retryAt(session: LimitSession, rejection: Observation): number {
  const { receivedAt, headers } = rejection;
  const { retryAfter, date } = headers;
  const byDate = retryAfter?.form === 'date' ? retryAfter.date : Number.NaN;
  const asked =
    retryAfter?.form === 'seconds'
      ? receivedAt + retryAfter.seconds * 1000
      : Math.max(byDate - session.clockAhead, date === undefined ? 0 : receivedAt + byDate - date);
  if (asked - receivedAt > 5 * session.windowMs) {
    const seconds = Math.round((asked - receivedAt) / 1000).toLocaleString('en');
    throw new ProbesEnded(
      `the key is over its limit, and the target asks to wait ${seconds} s (its day may be used up, or the key banned)`,
    );
  }
  const longest = session.windowMs + tolerances.longestWaitMs;
  const usable = (moment: number | undefined): moment is number =>
    moment !== undefined && moment - receivedAt >= 1 && moment - receivedAt <= longest;
  if (usable(asked)) return asked;
  const reset = session.resetOf(rejection);
  return (usable(reset) ? reset : receivedAt + session.windowMs) + tolerances.afterResetMs;
}

/** Waits as long as a 429 says, and sends one listing; waits again if that is rejected, too. */
export async function sendAfter(session: LimitSession, rejection: Observation): Promise<Observation> {
  let last = rejection;
  for (let tries = 0; tries < patience; tries += 1) {
    // If the same is asked again, a client waits longer each time (section 8.3).
    const longer = tries === 0 ? 0 : Math.min(session.windowMs, 1_000 * 2 ** tries);
    const until = Math.max(retryAt(session, last), last.receivedAt + longer);
    await session.waitUntil(until + marginMs, 'waiting as the 429 says');
    last = await session.look('LIMIT-05');
    if (last.outcome !== 'rejected') return last;
  }
  throw new ProbesEnded('the target still responds with 429 after every wait that it asked for');
}

/**
 * Waits for the window after one that was exhausted, as the target says, and sends a listing that shows whether it kept
 * its word (LIMIT-05, LIMIT-14). A limiter that gives requests back one by one is waited for until all are back.
 */
export async function awaitRestored(session: LimitSession): Promise<void> {
  session.begin('look');
  const { history, windowMs, lastUse } = session;
  const rejection = history.findLast(({ outcome }) => outcome === 'rejected');
  const announced = history.findLast((one) => session.resetOf(one) !== undefined);
  const before = history.length;
  if (rejection && rejection.receivedAt > lastUse - windowMs) {
    const missed = await lookAtReset(session, rejection);
    await sendAfter(session, missed ?? rejection);
  }
  const whole = isWhole(session, before);
  const back = lastUse + windowMs;
  // A limiter that gives requests back one by one has moved Reset on with the look.
  const latest = whole ? announced : history.at(-1);
  const reset = Math.min((latest && session.resetOf(latest)) ?? 0, back + windowMs / 4);
  const moment = Math.max(whole ? 0 : back, reset) + tolerances.afterResetMs + marginMs;
  await session.waitUntil(moment, 'waiting until all requests are back');
  if (whole) return;
  const seen = await session.look('LIMIT-14');
  if (seen.outcome === 'rejected') await sendAfter(session, seen);
}

/** If the Reset announced before the 429 is well before the time to wait, one request shows whether Reset is kept. */
async function lookAtReset(session: LimitSession, rejection: Observation): Promise<Observation | undefined> {
  const announced = session.history.findLast(isAdmitted) ?? rejection;
  const moment = (session.resetOf(announced) ?? 0) + tolerances.afterResetMs + marginMs;
  if (moment < session.now || moment > retryAt(session, rejection) - tolerances.agreementMs) return undefined;
  await session.waitUntil(moment, 'waiting for Reset, which is before Retry-After');
  const seen = await session.look('LIMIT-14');
  return seen.outcome === 'rejected' ? seen : undefined;
}

/** Whether the last response shows the whole limit, but for the requests sent since the window was exhausted. */
function isWhole({ history, options }: LimitSession, before: number): boolean {
  const { headers, outcome } = history.at(-1) ?? {};
  if (outcome !== 'admitted' || headers?.period !== 'minute' || headers.remaining === undefined) return false;
  return headers.remaining + history.slice(before).filter(isAdmitted).length >= options.facts.plan.perMinute;
}

export function isAdmitted({ outcome }: Observation): boolean {
  return outcome === 'admitted';
}
