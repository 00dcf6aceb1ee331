import { integer } from '../../explain/count.js';
import { Inconclusive } from '../../verdict/outcome.js';
import {
  asksBeyondMinute,
  isAdmitted,
  isRejected,
  remainingOf,
  waitEnds,
  type LimitFacts,
  type Observation,
} from '../history/history.js';
import { minuteMs, tolerances, type Interval } from '../tolerances.js';
import { LimitSession, type ProbeOptions } from './session.js';
import { burst, fromAll, overLimit, sequence, stubborn, wasLost } from './table.js';

/** Sends probes with one key, and tells how it went. Never throws for what a target does: what was seen until then is judged. */
async function probed(
  options: ProbeOptions,
  probe: (session: LimitSession) => Promise<void>,
): Promise<LimitFacts> {
  const session = new LimitSession(options);
  let stopped: string | undefined;
  try {
    await probe(session);
  } catch (error) {
    if (error instanceof Inconclusive) stopped = error.reason;
    else if (options.signal.aborted) stopped = 'the run was interrupted';
    else throw error;
  }
  return { ...options.facts, stopped, notes: [...session.notes] };
}

/** Windows after which nothing is sent again. */
const latestRepeat = 2.5;

/**
 * Sends what the minute's limits of a plan are judged by: two windows and one wait. All of it is sent again, from another
 * moment of the window, if a verdict depends on it.
 */
export function probeMinute(options: ProbeOptions): Promise<LimitFacts> {
  const { plan, vantagePoints = [] } = options.facts;
  const { perDay, perMinute } = plan;
  return probed(options, async (session) => {
    if (perDay < 2 * (perMinute + overLimit))
      throw new Inconclusive(
        `the plan's day (${integer(perDay)} requests) has no room for two windows of its minute (${integer(perMinute)})`,
      );
    const began = session.now;
    await probeWindows(session);
    const isEarly = session.now - began < latestRepeat * minuteMs;
    if (isEarly && (wasLost(session) || options.isRepeatWanted())) {
      session.notes.add('The probes of the limits were sent again, because a verdict depends on it.');
      await probeWindows(session, await nextMinute(session));
    }
    if (vantagePoints.length < 2) return;
    await awaitRestored(session);
    await session.perform([fromAll]);
  });
}

async function probeWindows(session: LimitSession, begin = session.now): Promise<void> {
  const first = await session.look(begin, 'opening');
  if (isRejected(first)) await awaitServed(session, first);
  await session.perform(sequence);
  await awaitRestored(session);
  await session.perform(burst);
  const { rejection } = session;
  // It shows how long a window lasts (LIMIT-01, LIMIT-02).
  if (rejection && asksForAnother(session, rejection)) await awaitServed(session, rejection);
}

/** Whether a 429 asks for a wait that no window needs: longer than one, or over before one has passed since it was restored. */
function asksForAnother({ window, clock }: LimitSession, rejection: Observation): boolean {
  const { receivedAt } = rejection;
  const begin = window.find(isAdmitted)?.sentAt ?? receivedAt;
  const due = waitEnds(rejection, clock) ?? receivedAt + minuteMs;
  return due < begin + minuteMs - tolerances.agreementMs || asksBeyondMinute(rejection, clock);
}

/** Milliseconds before a minute begins in which a look reaches the target. */
const earlyMs = 3;

/**
 * The moment at which a minute of the target's clock begins, and looks up to it: before a client that polls each minute the
 * next one sees the whole limit. No client waits for that window, as the one before it is idle.
 */
async function nextMinute(session: LimitSession): Promise<number> {
  const clock = (): Interval => session.clock ?? [0, 0];
  const begin = (Math.floor((session.lastUse + clock()[1]) / minuteMs) + 2) * minuteMs;
  // As `Date` changes with each second, a look when it may change halves what is not known of the target's clock.
  for (let ticks = 7; ticks > 0; ticks -= 1)
    await session.look(begin - ticks * 1_000 - (clock()[0] + clock()[1]) / 2);
  await session.look(begin - clock()[1] - earlyMs);
  session.restoredFrom = session.history.length;
  return begin - clock()[0];
}

/**
 * Exhausts a window with a key that was given for it, continues although it was asked to wait, and then waits to see
 * whether the key is served again (section 8.3: it may be banned for a time). Only on a key that may be lost.
 */
export function probeBan(options: ProbeOptions): Promise<LimitFacts> {
  return probed(options, async (session) => {
    await session.perform([stubborn]);
    const last = session.history.at(-1);
    if (!last || !session.rejection) return;
    // A ban may have another status, and tell no time.
    await session.look(waitEnds(last, session.clock) ?? session.now + minuteMs, 'ban afterwards');
  });
}

/** Sent at the announced moment itself, a request might still be early: timers are no better, and clocks are worse. */
const marginMs = 10;
const graceMs = tolerances.afterResetMs + 40;
/** Milliseconds that a target may ask to wait: a client that is asked for more is over another limit than the minute's, or banned. */
const longestWaitMs = 5 * minuteMs;

/**
 * When a rejected client may send again, by our clock: as `Retry-After` says, else as Reset says. If neither names a time
 * that can be kept (LIMIT-04), a whole window later.
 * @throws Inconclusive if it asks for a wait of many windows
 */
function retryAt(session: LimitSession, rejection: Observation): number {
  const { receivedAt } = rejection;
  const asked = waitEnds(rejection, session.clock);
  if (asked !== undefined && asked <= receivedAt + longestWaitMs) return asked + marginMs;
  const reset = session.resetIn([rejection]) ?? 0;
  const isSoon = reset > receivedAt && reset <= receivedAt + minuteMs + tolerances.longestWaitMs;
  // A key that this run has exhausted may be tried at Reset instead, on this machine.
  if (asked !== undefined && !(isSoon && session.isUnrestrained && session.history.some(isAdmitted)))
    throw new Inconclusive(
      `the key is over its limit, and the target asks to wait ${integer((asked - receivedAt) / 1000)} s (its day may be used up, or the key banned)`,
    );
  return (isSoon ? reset : receivedAt + minuteMs) + graceMs;
}

/** So many requests of a window are back when it has passed since the last of them: a few more than the probes have rejected. */
const owedRequests = 10;
/** Shares of a window: so long before it ends a limiter still rejects, and only longer waits are looked into. */
const lateShare = 1 / 20;
const longShare = 1 / 3;

/** Moments beside the one that a 429 names at which a limiter would show that it does not keep its word, in order. */
function otherLooks(session: LimitSession, rejection: Observation, due: number): number[] {
  const { history, now, bannedUntil = now } = session;
  const { receivedAt } = rejection;
  const reset = session.resetIn([history.findLast(isAdmitted) ?? rejection]);
  // Whatever the algorithm, the requests that opened a window are back when it has passed.
  const used = history.filter((one) => isAdmitted(one) && one.sentAt > receivedAt - minuteMs);
  const opened = used.at(Math.min(owedRequests, used.length) - 1);
  const looks = [reset, opened && opened.receivedAt + minuteMs].flatMap((at) => (at ? at + graceMs : []));
  // Whole seconds before the earliest moment that was named: a Retry-After that is rounded down names it again.
  const late = Math.min(due, ...looks) - lateShare * minuteMs;
  if (session.isUnrestrained && late - receivedAt > longShare * minuteMs)
    looks.push((receivedAt + late) / 2, late);
  return looks
    .filter((at) => at >= bannedUntil && (at > due || at < due - tolerances.agreementMs))
    .toSorted((one, other) => one - other);
}

/** Windows that the next look waits for at the least, if one comes too early (section 8.3). */
const backoffs = [0, 1 / 10, 1, 1];

/**
 * Waits until the earliest moment that a 429 has named and sends a listing, and others at the moments that tell more. If that
 * is too early it waits as the next 429 says, longer each time (section 8.3).
 * @throws Inconclusive if the target rejects them all
 */
async function awaitServed(session: LimitSession, rejection: Observation): Promise<void> {
  const { history, now, bannedUntil = now } = session;
  const named = history.filter(isRejected).map((one) => retryAt(session, one));
  const ahead = named.filter((at) => at >= Math.max(now, bannedUntil));
  let due = ahead.length > 0 ? Math.min(...ahead) : retryAt(session, rejection);
  let last = rejection;
  const others = otherLooks(session, rejection, due);
  for (const backoff of backoffs) {
    for (const at of others)
      if (at > session.now && at < due && isRejected(last)) last = await session.look(at);
    // What was served early is sent again when due.
    last = await session.look(due);
    if (!isRejected(last)) return;
    due = Math.max(retryAt(session, last), last.receivedAt + backoff * minuteMs);
  }
  throw new Inconclusive('the target still responds with 429 after every wait that it asked for');
}

/**
 * Waits for the window after one that was exhausted, as the target says, and sends a listing that shows whether it kept
 * its word (LIMIT-05, LIMIT-14). A limiter that gives requests back one by one is waited for until all are back.
 */
async function awaitRestored(session: LimitSession): Promise<void> {
  const { history, lastUse, rejection } = session;
  const back = lastUse + minuteMs;
  session.restoredFrom = history.length;
  if (rejection && rejection.receivedAt > lastUse - minuteMs) await awaitServed(session, rejection);
  if (isWhole(session)) return;
  // A limiter that gives requests back one by one has moved Reset on with the look.
  const reset = Math.max(back, session.resetIn() ?? 0);
  const seen = await session.look(Math.min(reset, back + minuteMs / 4) + graceMs);
  if (isRejected(seen)) await awaitServed(session, seen);
}

/** Whether the last response shows the whole limit, but for the requests sent since the window was exhausted. */
function isWhole({ history, window, perMinute }: LimitSession): boolean {
  const last = history.at(-1);
  const remaining = last && isAdmitted(last) ? remainingOf(last) : undefined;
  return remaining !== undefined && remaining + window.filter((one) => !isRejected(one)).length >= perMinute;
}
