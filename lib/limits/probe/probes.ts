import { integer } from '../../explain/count.js';
import { Inconclusive } from '../../verdict/outcome.js';
import {
  asksBeyondMinute,
  isAdmitted,
  isRejected,
  waitEnds,
  type LimitFacts,
  type Observation,
} from '../history/history.js';
import type { RequirementId } from '../../specification/catalogue.js';
import { minuteMs, tolerances } from '../tolerances.js';
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

/** Milliseconds before a minute begins in which a look reaches the target. */
const earlyMs = 3;
/** Windows between a repeat and what it repeats, and after which there is none. */
const windowsBetween = 1.25;
const latestRepeat = 2.5;

/**
 * Sends what the minute's limits of a plan are judged by: two windows and one wait. Then a phase is sent again, from another
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
    await exhaustInSequence(session);
    await awaitRestored(session);
    await session.perform(burst);
    const rejection = session.history.findLast(isRejected);
    // It shows how long a window lasts (LIMIT-01, LIMIT-02).
    if (rejection && asksForAnother(session, rejection)) await awaitServed(session, rejection);
    if (session.now - began < latestRepeat * minuteMs) await repeatOpenPhases(session);
    if (vantagePoints.length < 2) return;
    await awaitRestored(session);
    await session.perform([fromAll]);
  });
}

async function exhaustInSequence(session: LimitSession): Promise<void> {
  const first = await session.look('LIMIT-11', session.now, 'opening');
  if (isRejected(first)) await awaitServed(session, first);
  await session.perform(sequence);
}

async function repeatOpenPhases(session: LimitSession): Promise<void> {
  const wanted = new Set(session.options.repeatsWanted());
  const fromBegin = wanted.delete('begin');
  if (wasLost(session)) wanted.add('burst');
  if (wanted.size === 0) return;
  session.notes.add(`Sent again, because a verdict depends on it: the ${[...wanted].join(' and the ')}.`);
  let isFresh = fromBegin && (await lookAsMinuteBegins(session));
  const another = session.lastUse + windowsBetween * minuteMs;
  if (!isFresh) await session.waitUntil(another, 'waiting for another moment of the window');
  for (const phase of wanted) {
    if (!isFresh) await awaitRestored(session);
    isFresh = false;
    await (phase === 'sequence' ? exhaustInSequence(session) : session.perform(burst));
  }
}

/**
 * Looks as a minute of the target's clock begins: before a client that polls each minute it sees the whole limit. No client
 * waits for that window, as the one before it is idle.
 */
async function lookAsMinuteBegins(session: LimitSession): Promise<boolean> {
  const { clock = [0, 0] } = session;
  const begin = (Math.floor((session.lastUse + clock[1]) / minuteMs) + 2) * minuteMs;
  // As `Date` changes with each second, a look when it may change halves what is not known of the target's clock.
  for (let ticks = 7; ticks > 0; ticks -= 1) {
    const [least, most] = session.clock ?? clock;
    await session.look('LIMIT-01', begin - ticks * 1_000 - (least + most) / 2);
  }
  await session.look('LIMIT-01', begin - (session.clock ?? clock)[1] - earlyMs);
  await session.look('LIMIT-01', begin - (session.clock ?? clock)[0]);
  session.restoredFrom = session.history.length - 1;
  return session.window.every(isAdmitted);
}

/**
 * Exhausts a window with a key that was given for it, continues although it was asked to wait, and then waits to see
 * whether the key is served again (section 8.3: it may be banned for a time). Only on a key that may be lost.
 */
export function probeBan(options: ProbeOptions): Promise<LimitFacts> {
  return probed(options, async (session) => {
    await session.perform([stubborn]);
    const last = session.history.at(-1);
    if (!last || !session.history.some(isRejected)) return;
    // A ban may have another status, and tell no time.
    await session.look('LIMIT-12', waitEnds(last, session.clock) ?? session.now + minuteMs, 'ban afterwards');
  });
}

/** Sent at the announced moment itself, a request might still be early: timers are no better, and clocks are worse. */
const marginMs = 10;
const graceMs = tolerances.afterResetMs + 40;
/** So many requests of a window are back when it has passed since the last of them: a few more than the probes have rejected. */
const owedRequests = 10;
/** A share of a window: so long before it ends a limiter still rejects, and only longer waits are looked into. */
const lateShare = 1 / 20;
const longShare = 1 / 3;
/** Windows that the next look waits for at the least, if one comes too early (section 8.3). */
const backoffs = [0, 1 / 10, 1, 1];
/** Windows: a client that is asked to wait for longer is over another limit than the minute's, or banned. */
const longestWait = 5;

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

/** The earliest moment still to come that a 429 has named. */
function earliestNamed(session: LimitSession, last: Observation): number {
  const { history, now, bannedUntil = now } = session;
  const named = history.filter(isRejected).map((one) => retryAt(session, one));
  const ahead = named.filter((at) => at >= Math.max(now, bannedUntil));
  return ahead.length > 0 ? Math.min(...ahead) : retryAt(session, last);
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
 * Waits as long as a 429 says and sends a listing, and others at the moments that tell more. If that is too early it waits as
 * the next 429 says, longer each time (section 8.3).
 * @throws Inconclusive if the target rejects them all
 */
async function awaitServed(session: LimitSession, rejection: Observation): Promise<void> {
  let last = rejection;
  let due = earliestNamed(session, rejection);
  const others = otherLooks(session, rejection, due);
  for (const backoff of backoffs) {
    for (const { at, purpose } of others)
      if (at > session.now && at < due && isRejected(last)) last = await session.look(purpose, at);
    // What was served early is sent again when due.
    last = await session.look('LIMIT-05', due);
    if (!isRejected(last)) return;
    due = Math.max(retryAt(session, last), last.receivedAt + backoff * minuteMs);
  }
  throw new Inconclusive('the target still responds with 429 after every wait that it asked for');
}

/** Whether a 429 asks for a wait that no window needs: longer than one, or over before one has passed since it was restored. */
function asksForAnother({ window, clock }: LimitSession, rejection: Observation): boolean {
  const { receivedAt } = rejection;
  const begin = window.find(isAdmitted)?.sentAt ?? receivedAt;
  const due = waitEnds(rejection, clock) ?? receivedAt + minuteMs;
  return due < begin + minuteMs - tolerances.agreementMs || asksBeyondMinute(rejection, clock);
}

/**
 * Waits for the window after one that was exhausted, as the target says, and sends a listing that shows whether it kept
 * its word (LIMIT-05, LIMIT-14). A limiter that gives requests back one by one is waited for until all are back.
 */
async function awaitRestored(session: LimitSession): Promise<void> {
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
  const seen = await session.look('LIMIT-14');
  if (isRejected(seen)) await awaitServed(session, seen);
}

/** Whether the last response shows the whole limit, but for the requests sent since the window was exhausted. */
function isWhole({ history, window, perMinute }: LimitSession): boolean {
  const { headers, outcome } = history.at(-1) ?? {};
  if (outcome !== 'admitted' || headers?.period !== 'minute' || headers.remaining === undefined) return false;
  return headers.remaining + window.filter((one) => !isRejected(one)).length >= perMinute;
}
