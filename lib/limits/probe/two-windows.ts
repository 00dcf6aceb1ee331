import { integer } from '../../explain/count.js';
import { operationNames, type OperationName } from '../../evidence/recorded-exchange.js';
import { createPet, getPet, type PlannedRequest } from '../../http/exchange/planned-request.js';
import { isAdmitted as isAdmittedEntry } from '../../load/ledger.js';
import type { PetStatus } from '../../specification/body-schema.js';
import { forgedAddress } from '../history/left-out.js';
import { isAdmitted, isRejected, type Observation, reportsRemaining } from '../history/observation.js';
import { minuteMs, tolerances } from '../tolerances.js';
import { probed, ProbesEnded, type LimitSession, type Probed } from './limit-session.js';
import type { ProbeOptions } from './probe-options.js';
import { asksForAnother, awaitRestored, awaitServed } from './served-again.js';

/** Listings that open the first window: a log, a window, a counter and a bucket give them back in different ways. */
const opening = 12;
/**
 * A share of a window: a rejection must come so late that a Retry-After of the whole window is wrong, and at no whole second,
 * so that one rounded to the nearest is too short.
 */
const pauseShare = 0.0925;
/** Plans with fewer requests a minute have no room for the opening and the errors. */
const smallPlan = 20;
/** Requests of a window that go by turns; behind them creations are rare, as nobody can take animals out again. */
const byTurns = 60;
const rareCreation = 20;
/** Tries of each other operation behind the first 429; more than time gives back meanwhile. */
const triesBehind = 4;
/** Creations sent at once into an exhausted window (LIMIT-07). */
const rejectedCreations = 3;
/** Requests over the limit so far apart, the first as a second begins: their Retry-Afters differ in the fraction they round. */
const fractionMs = 250;
const earlyInSecondMs = 5;
/** A burst begins so soon after a step of a limiter that goes by whole seconds: it gives nothing back meanwhile. */
const behindStepMs = 60;
/** So many creations are sent to exhaust a limit of their own: nobody can take the animals out again. */
const mostCreations = 100;
/** Over the limit in a burst on this machine, where a limiter that now and then lets one through is seen in a few. */
const overInBurst = 5;
/** And one for each so many of the limit: about as much as a bucket gives back during the burst. */
const refillInBurst = 100;
/** The share of a window in which it should be exhausted, and connections that a far target gets for that. */
const exhaustedIn = 2 / 15;
const mostInSequence = 10;
/** A phase is repeated only if a verdict depends on it, at most so often. */
const mostRepeats = 2;
/** Windows between a repeat and what it repeats if no minute is looked at: other clients are then met at another moment. */
const windowsBetween = 1.25;
/** Seconds before a full minute in which the target's clock is looked at, and milliseconds before it for the way there. */
const ticks = 7;
const earlyMs = 3;
/** Windows that the repeat of one phase takes with its wait, and the most that the probes go on for. */
const windowsOfRepeat = 1.5;
const mostWindows = 5;
/** Connections from each vantage point: what is counted by connection is then not taken for a limit of each address. */
const connectionsOfEach = 2;
/** An identifier that nothing has (GET-02). */
const unknownId = '9223372036854775807';
/** What a repeat waits for. */
const another = 'waiting for another moment of the window';

/** Sends what the minute's limits of one plan are judged by. */
export function probeMinute(options: ProbeOptions): Promise<Probed> {
  return probed(options, probeTwoWindows);
}

/**
 * Two windows and one wait: the first is exhausted one request after the other, by all operations in turn; the second in
 * a burst. Then a phase is repeated if a verdict depends on it.
 * @throws ProbesEnded if the target does not let it get to its end
 */
async function probeTwoWindows(session: LimitSession): Promise<void> {
  const { perDay, perMinute } = session.options.facts.plan;
  if (perDay < 2 * (perMinute + overInBurst)) {
    throw new ProbesEnded(
      `the plan's day (${integer(perDay)} requests) has no room for two windows of its minute (${integer(perMinute)})`,
    );
  }
  const began = session.now;
  await exhaustInSequence(session);
  await awaitRestored(session);
  await exhaustInBurst(session);
  const rejection = session.history.findLast(({ outcome }) => outcome === 'rejected');
  // It shows how long a window lasts (LIMIT-01, LIMIT-02).
  if (rejection && asksForAnother(session, rejection)) await awaitServed(session, rejection);
  else if (rejection) await lookUntilWhole(session, began);
  await repeatOpenPhases(session, began);
  await exhaustFromAll(session);
}

/**
 * The first window is seen only from where it was exhausted. What is missing the second one shows, once a window has passed
 * since: one that is shorter has ended.
 */
async function lookUntilWhole(session: LimitSession, began: number): Promise<void> {
  const first = session.history.find((one) => isRejected(one) && one.sentAt >= began);
  const whole = (first?.receivedAt ?? 0) + minuteMs;
  if (!session.isUnrestrained || whole < session.now) return;
  session.begin('look');
  await session.waitUntil(whole, 'waiting until a whole window is seen');
  await session.look('LIMIT-02');
}

/** Sends a phase again from another moment of the window, if a verdict depends on it. */
async function repeatOpenPhases(session: LimitSession, began: number): Promise<void> {
  let before = '';
  for (let repeats = 0; repeats < mostRepeats; repeats += 1) {
    const wanted = new Set(session.options.repeatsWanted());
    const fromBegin = wanted.delete('begin');
    if (wayOfBurst(session)) wanted.add('burst');
    const phases = [...wanted].join(' and the ');
    // What a repeat has not settled, another one will not settle either.
    if (wanted.size === 0 || phases === before) return;
    if (session.now - began > (mostWindows - windowsOfRepeat * wanted.size) * minuteMs) return;
    before = phases;
    session.notes.add(`Sent again, because a verdict depends on it: the ${phases}.`);
    let isRestored = await sawBegin(session, fromBegin);
    for (const phase of wanted) {
      if (!isRestored) await awaitRestored(session);
      isRestored = false;
      await (phase === 'sequence' ? exhaustInSequence(session) : exhaustInBurst(session));
    }
  }
}

/**
 * Listings up to the next full minute of the target's clock and the first one behind it: before a client that polls as each
 * minute begins they see the whole limit. No client waits for that window, as the one before it is idle.
 * @returns whether a window was seen to begin
 */
async function sawBegin(session: LimitSession, isNeeded: boolean): Promise<boolean> {
  const { lastUse, clock, history } = session;
  if (!clock || !isNeeded) {
    await session.waitUntil(lastUse + windowsBetween * minuteMs, another);
    return false;
  }
  const begin = (Math.floor((lastUse + minuteMs + ticks * 1_000 + clock[1]) / minuteMs) + 1) * minuteMs;
  session.begin('look');
  // As `Date` changes with each second, a look when it may change halves what is not known of the target's clock.
  for (let earlier = ticks; earlier > 0; earlier -= 1) {
    const [least, most] = session.clock ?? clock;
    await session.waitUntil(begin - earlier * 1_000 - (least + most) / 2, another);
    await session.look('LIMIT-01');
  }
  const [least, most] = session.clock ?? clock;
  await session.waitUntil(begin - most - earlyMs, another);
  let seen = await session.look('LIMIT-01');
  while (isAdmitted(seen) && seen.sentAt <= begin - least) seen = await session.look('LIMIT-01');
  const left = ({ headers }: Observation): number => headers.remaining ?? 0;
  session.restoredFrom = history.findLastIndex((one, index) => left(one) > left(history[index - 1] ?? one));
  return isAdmitted(seen);
}

/** Uses a window up one request after the other, up to the first 429, and tries each operation behind it. */
async function exhaustInSequence(session: LimitSession): Promise<void> {
  const { options } = session;
  const { perMinute } = options.facts.plan;
  session.begin('opening', 'first window, in sequence');
  const first = await session.look('LIMIT-11');
  if (first.outcome === 'rejected') await awaitServed(session, first);
  if (perMinute >= smallPlan) await openWindow(session);
  session.begin('sequence');
  const most = Math.max(0, (session.isUnrestrained ? 2 * perMinute + 2 : perMinute) - usedInWindow(session));
  const sent = await session.send(sequenceOf(session, most), {
    connections: connectionsFor(session, most),
    stopAfter: (entry) => !isAdmittedEntry(entry),
  });
  session.begin('behind sequence');
  const rejection = sent.find(({ outcome }) => outcome === 'rejected');
  if (session.isUnrestrained && rejection) await tryBehind(session, rejection.operation ?? 'listPets');
  // Elsewhere a window gets the limit and one request more, which is a creation.
  else if (!session.isUnrestrained && !rejection) {
    await session.waitWithinSecond(earlyInSecondMs);
    await session.send([overLimit(session)]);
  }
  if (options.otherCredential) await session.look('LIMIT-08', undefined, options.otherCredential);
}

/** Requests of all operations; in the middle of the window one names another client's address, if Remaining shows its effect. */
function sequenceOf(session: LimitSession, most: number): PlannedRequest[] {
  const requests = mixedRequests(session, 'LIMIT-09', most);
  const { perMinute } = session.options.facts.plan;
  const middle = Math.floor((perMinute - usedInWindow(session)) / 2);
  const isTold = session.history.at(-1)?.headers.remaining !== undefined;
  if (perMinute < smallPlan || middle < 1 || !isTold) return requests;
  // What a target makes of these headers is not specified.
  return requests.with(middle, { ...session.list('LIMIT-08'), headers: forgedAddress, input: 'silent' });
}

/** Exhausts a window from all vantage points together: one request after the other, each from the next one (LIMIT-15). */
async function exhaustFromAll(session: LimitSession): Promise<void> {
  const { plan, vantagePoints: localAddresses = [] } = session.options.facts;
  if (localAddresses.length < 2) return;
  await awaitRestored(session);
  session.begin('vantage points', 'a window from all vantage points');
  const left = plan.perMinute - usedInWindow(session);
  const listings = Array.from({ length: left + Math.max(10, Math.ceil(plan.perMinute / 10)) }, () =>
    session.list('LIMIT-15'),
  );
  const connections = connectionsOfEach * localAddresses.length;
  const isFar = connectionsFor(session, left) > 1;
  // One at a time would take longer than the window; over the limit one at a time is sent all the same.
  const sent = isFar ? await session.send(listings.splice(0, left), { connections, localAddresses }) : [];
  if (sent.every(({ outcome }) => outcome !== 'rejected'))
    await session.send(listings, { connections, localAddresses, inTurn: true });
}

/** A few requests and a pause, in which algorithms give back differently, in a window that lasts long enough. */
async function openWindow(session: LimitSession): Promise<void> {
  const { history, options } = session;
  const pause = pauseShare * minuteMs;
  const needed = 300 + 1.5 * latencyOf(session) * options.facts.plan.perMinute;
  const reset = lastReset(session) ?? Number.POSITIVE_INFINITY;
  // So near to its end a window would be over before it is exhausted.
  if (reset - session.now < pause + Math.min(minuteMs / 5, needed))
    await session.waitUntil(reset + tolerances.afterResetMs, 'waiting for a window that lasts long enough');
  // The functional probes of the run may have used this window: that is an opening, too.
  const missing = session.isUnrestrained ? Math.max(0, opening - usedInWindow(session)) : 0;
  await session.send(Array.from({ length: missing }, () => session.list('LIMIT-11')));
  await session.waitUntil(session.now + pause, 'a pause, to see what comes back meanwhile');
  // Functional probes show what errors use up, too; without Remaining nothing does.
  if (reportsRemaining(history) && !history.some(({ status }) => status === 404)) await probeCosts(session);
}

/** One request of each kind of error between listings, which tell what it used up (LIMIT-13). */
async function probeCosts(session: LimitSession): Promise<void> {
  const { facts, unknownCredential } = session.options;
  session.begin('costs');
  const list = (): PlannedRequest => session.list('LIMIT-13');
  await session.send([
    ...(facts.readOnly ? [] : [session.request(createPet('{"categoryId":1}'), 'LIMIT-13'), list()]),
    session.request(getPet(unknownId), 'LIMIT-13'),
    list(),
    session.list('LIMIT-13', unknownCredential),
  ]);
}

/**
 * Behind a 429 of one operation sends the others, until each is rejected too, at several fractions of a second; then
 * creations at once.
 */
async function tryBehind(session: LimitSession, rejected: OperationName): Promise<void> {
  const operations = [...operationNames.filter((name) => name !== rejected), rejected, 'listPets'] as const;
  for (const [index, operation] of operations.entries()) {
    await session.waitWithinSecond(earlyInSecondMs + index * fractionMs);
    for (let tries = 0; tries < triesBehind; tries += 1) {
      const request = requestOf(session, operation, 'LIMIT-09', session.options.rarestStatus);
      if (!request || !session.isUnrestrained) break;
      if ((await session.one(request)).outcome === 'rejected') break;
    }
  }
  const { readOnly, plan } = session.options.facts;
  if (readOnly || !session.isUnrestrained) return;
  // Only a creation that is rejected shows whether a 429 has an effect (LIMIT-07).
  if (isCountedApart(session) && plan.perMinute <= mostCreations)
    await session.send(
      Array.from({ length: plan.perMinute }, () => session.create('LIMIT-09', plainStatus(session))),
      { stopAfter: (entry) => !isAdmittedEntry(entry) },
    );
  const creations = Array.from({ length: rejectedCreations }, () => overLimit(session));
  await session.send(creations, { connections: rejectedCreations, stopAfter: () => false });
}

/** Whether an operation was admitted behind the 429 of another one as if each had a limit of its own (LIMIT-09). */
function isCountedApart({ history }: LimitSession): boolean {
  const behind = history.filter(({ phase }) => phase === 'behind sequence');
  return operationNames.some(
    (name) => behind.filter((one) => one.operation === name && isAdmitted(one)).length >= triesBehind,
  );
}

/** The operation that was rejected, if it has a limit of its own. */
function rejectedApart(session: LimitSession): OperationName | undefined {
  const rejected = session.history.find((one) => one.phase === 'sequence' && isRejected(one))?.operation;
  // Nobody can take so many animals out again.
  return isCountedApart(session) && rejected !== 'createPet' ? (rejected ?? undefined) : undefined;
}

/** Exhausts a window by requests of all operations at the same moment, or of one that has a limit of its own. */
async function exhaustInBurst(session: LimitSession): Promise<void> {
  const { otherCredential, rarestStatus, facts } = session.options;
  const { perMinute } = facts.plan;
  // Counted before this burst is one of them.
  const way = wayOfBurst(session);
  session.begin('control', 'second window, in a burst');
  // What was rejected in the first window is served in this one, and shows what the rejected requests left behind.
  if (otherCredential) await session.look('LIMIT-08', undefined, otherCredential);
  if (!facts.readOnly) await session.one(session.create('LIMIT-07', rarestStatus));
  // What was used is back in a bucket then: none that conforms has more than the limit at once.
  const back = (usedInWindow(session) * minuteMs) / perMinute;
  if (perMinute >= smallPlan) await session.waitUntil(session.now + back, 'waiting for a full bucket');
  // Seconds may begin with the clock's, or with the first request: behind which one there is more time?
  const begun = session.withinSecond(session.history[0]?.receivedAt ?? 0);
  await session.waitWithinSecond((begun < 500 ? begun : 0) + behindStepMs);
  // Just before the burst it also shows that nobody else has come.
  await session.look('LIMIT-07', [
    ['limit', 100],
    ['status', rarestStatus],
  ]);
  session.begin('burst');
  const beyond = session.isUnrestrained ? overInBurst + Math.ceil(perMinute / refillInBurst) : 1;
  const left = Math.max(0, perMinute - usedInWindow(session));
  const count = left + beyond;
  // What is under way can't be called back; nothing is gained by stopping.
  const sent = await session.send(mixedRequests(session, 'LIMIT-03', count, rejectedApart(session)), {
    connections: count,
    ...way,
    stopAfter: () => false,
  });
  // If no Remaining tells, the next request shows whether others have used up what is missing.
  const isShort = sent.some(isRejected) && sent.filter(isAdmitted).length < left;
  if (isShort && !reportsRemaining(session.history)) await session.look('LIMIT-03');
  const answered = sent.filter(({ status }) => status !== null);
  if (answered.length === sent.length && !way) return;
  const served = new Set(answered.map(({ exchange }) => exchange.connection)).size;
  session.notes.add(
    way
      ? `Sent again over ${way.connections} connections at a time, each closed after its response: ${answered.length} of ${sent.length} requests got a response.`
      : `In a burst over ${count} connections the target served ${served}; ${sent.length - answered.length} requests got no response.`,
  );
}

/** A burst that the target could not take is sent again over a new connection for each request, and over fewer at a time. */
function wayOfBurst(session: LimitSession): { connections: number; closeConnections: true } | undefined {
  const before = session.history.filter(({ phase }) => phase === 'burst');
  const answered = before.filter(({ status }) => status !== null);
  if (answered.length === before.length) return undefined;
  const served = new Set(answered.map(({ exchange }) => exchange.connection)).size;
  // A connection that is being closed may still count as one.
  const connections = Math.max(2, Math.min(Math.floor(served / 2), Math.ceil(before.length / 8)));
  return { connections, closeConnections: true };
}

/** One request over the limit: a creation, or a listing if nothing may be created. */
function overLimit(session: LimitSession): PlannedRequest {
  const { facts, rarestStatus } = session.options;
  return facts.readOnly ? session.list('LIMIT-02') : session.create('LIMIT-07', rarestStatus);
}

/** Requests of all operations that this run may send, by turns. */
function mixedRequests(
  session: LimitSession,
  purpose: string,
  count: number,
  only?: OperationName,
): PlannedRequest[] {
  const { facts, rarestStatus } = session.options;
  const left = facts.plan.perMinute - usedInWindow(session);
  return Array.from({ length: count }, (_unused, index) => {
    const creation = index < byTurns ? index % 3 === 1 : index % rareCreation === 0;
    const operation = only ?? (creation ? 'createPet' : index % 3 === 2 ? 'getPet' : 'listPets');
    // What may be rejected is looked for in a listing; all others have a status that no listing is looked at for.
    const status = index >= left ? rarestStatus : plainStatus(session);
    return requestOf(session, operation, purpose, status) ?? session.list(purpose);
  });
}

/** The status of creations that no listing is looked at for. */
function plainStatus({ options: { rarestStatus } }: LimitSession): PetStatus {
  return rarestStatus === 'available' ? 'sold' : 'available';
}

/** Undefined if the run may not send it: nothing may be created, or no animal is known. */
function requestOf(
  session: LimitSession,
  operation: OperationName,
  purpose: string,
  status: PetStatus,
): PlannedRequest | undefined {
  const { facts, petId } = session.options;
  if (operation === 'listPets') return session.list(purpose);
  if (operation === 'getPet')
    return petId === undefined ? undefined : session.request(getPet(petId), purpose);
  return facts.readOnly ? undefined : session.create(purpose, status);
}

/** Requests with the key that count in the present window, as far as a response tells where it begins. */
function usedInWindow(session: LimitSession): number {
  const { now } = session;
  return session.usedSince(Math.max(now, lastReset(session) ?? now) - minuteMs - tolerances.afterResetMs);
}

/** When the window ends by our clock, as the latest response that tells it says. */
function lastReset(session: LimitSession): number | undefined {
  const last = session.history.findLast((one) => session.resetOf(one) !== undefined);
  return last && session.resetOf(last);
}

/** One connection, unless the target is so far away that the window would be over before it is exhausted. */
function connectionsFor(session: LimitSession, requests: number): number {
  if (session.isUnrestrained) return 1;
  const needed = (latencyOf(session) * requests) / (exhaustedIn * minuteMs);
  return Math.min(mostInSequence, Math.max(1, Math.ceil(needed)));
}

/** Milliseconds that the latest requests took. */
function latencyOf({ history }: LimitSession): number {
  const times = history.filter(({ status }) => status !== null).map((one) => one.receivedAt - one.sentAt);
  return times.slice(-5).reduce((sum, time) => sum + time, 0) / Math.min(5, Math.max(1, times.length));
}
