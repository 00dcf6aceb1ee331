import { operationNames, type OperationName } from '../../http/exchange/exchange.js';
import { isAdmitted as isAdmittedEntry, type LedgerEntry } from '../../load/ledger.js';
import { createPet, getPet, type PlannedRequest } from '../../http/exchange/planned-request.js';
import type { Observation } from '../history/observation.js';
import { tolerances } from '../tolerances.js';
import { probed, ProbesEnded, type LimitSession, type Probed } from './limit-session.js';
import type { ProbeOptions } from './probe-options.js';
import { awaitRestored, isAdmitted, sendAfter } from './restoration.js';

/** Listings that open the first window: a log, a window, a counter and a bucket give them back in different ways. */
const opening = 10;
/** Milliseconds of a minute: a rejection must come so late that a Retry-After of the whole window is wrong. */
const pauseMs = 5_000;
/** Plans with fewer requests a minute have no room for the opening and the errors. */
const smallPlan = 20;
/** Requests of a window that go by turns; behind them creations are rare, as nobody can take animals out again. */
const byTurns = 60;
const rareCreation = 20;
/** Tries of each other operation behind the first 429; more than time gives back meanwhile. */
const triesBehind = 4;
/** Creations sent at once into an exhausted window (LIMIT-07). */
const rejectedCreations = 3;
/** Over the limit in a burst on this machine, where a limiter that now and then lets one through is seen in a few. */
const overInBurst = 5;
/** And one for each so many of the limit: about as much as a bucket gives back during the burst. */
const refillInBurst = 100;
/** Milliseconds in which a window should be exhausted, and connections that a far target gets for that. */
const patienceMs = 8_000;
const mostInSequence = 10;
/** A phase is repeated only if a verdict depends on it, at most so often. */
const mostRepeats = 2;
/** Windows between a repeat and what it repeats: another client that sends once a window is then met at another moment. */
const windowsBetween = 1.4;
/** An identifier that nothing has (GET-02). */
const unknownId = '9223372036854775807';

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
      `the plan's day (${perDay.toLocaleString('en')} requests) has no room for two windows of its minute (${perMinute.toLocaleString('en')})`,
    );
  }
  await exhaustInSequence(session);
  await awaitRestored(session);
  await exhaustInBurst(session);
  let before = '';
  for (let repeats = 0; repeats < mostRepeats; repeats += 1) {
    const wanted = [...session.options.repeatsWanted()];
    const phases = wanted.join(' and the ');
    // What a repeat has not settled, another one will not settle either.
    if (phases === before) return;
    before = phases;
    session.notes.add(`Sent again, because a verdict depends on it: the ${phases}.`);
    await session.waitUntil(
      session.lastUse + windowsBetween * session.windowMs,
      'waiting for another moment of the window',
    );
    for (const phase of wanted) {
      await awaitRestored(session);
      await (phase === 'sequence' ? exhaustInSequence(session) : exhaustInBurst(session));
    }
  }
}

/** Uses a window up one request after the other, up to the first 429, and tries each operation behind it. */
async function exhaustInSequence(session: LimitSession): Promise<void> {
  const { options, windowMs } = session;
  session.begin('opening', 'first window, in sequence');
  const first = await session.look('LIMIT-11');
  if (first.outcome === 'rejected') await sendAfter(session, first);
  if (options.facts.plan.perMinute >= smallPlan) {
    // The functional probes of the run may have used this window: that is an opening, too.
    const missing = session.onLoopback ? opening - usedInWindow(session) : 0;
    await session.send(Array.from({ length: Math.max(0, missing) }, () => session.list('LIMIT-11')));
    await session.waitUntil(
      session.now + (pauseMs * windowMs) / 60_000,
      'a pause, to see what comes back meanwhile',
    );
    // Functional probes show what errors use up, too.
    if (!session.history.some(({ status }) => status === 404)) await probeCosts(session);
    await awaitUsableWindow(session);
  }
  session.begin('sequence');
  const { perMinute } = options.facts.plan;
  const most = (session.onLoopback ? 2 * perMinute + 2 : perMinute) - usedInWindow(session);
  const requests = mixedRequests(session, 'LIMIT-09', Math.max(0, most));
  const stopAfter = (entry: LedgerEntry): boolean => !isAdmittedEntry(entry);
  const sent = await session.send(requests, { connections: connectionsFor(session, most), stopAfter });
  session.begin('behind sequence');
  const rejection = sent.find(({ outcome }) => outcome === 'rejected');
  if (session.onLoopback) await tryBehind(session, rejection);
  // Elsewhere a window gets the limit and one request more, which is a creation.
  else if (sent.every(isAdmitted)) await session.send([overLimit(session)]);
  if (options.otherCredential) await session.one(session.list('LIMIT-08', options.otherCredential));
}

/** One request over the limit: a creation, or a listing if nothing may be created. */
function overLimit(session: LimitSession): PlannedRequest {
  const { facts, rarestStatus } = session.options;
  return facts.readOnly ? session.list('LIMIT-02') : session.create('LIMIT-07', rarestStatus);
}

/** Behind a 429 of one operation sends the others, until each is rejected too; then creations at once. */
async function tryBehind(session: LimitSession, rejection: Observation | undefined): Promise<void> {
  if (!rejection) return;
  const others = operationNames.filter((name) => name !== rejection.operation);
  for (const operation of [...others, rejection.operation ?? 'listPets']) {
    for (let tries = 0; tries < triesBehind; tries += 1) {
      const request = requestOf(session, operation, 'LIMIT-09');
      if (!request || (await session.one(request)).outcome === 'rejected') break;
    }
  }
  if (session.options.facts.readOnly) return;
  const creations = Array.from({ length: rejectedCreations }, () => overLimit(session));
  await session.send(creations, { connections: rejectedCreations, stopAfter: () => false });
}

/** One request of each kind of error between listings, which tell what it used up (LIMIT-13). */
async function probeCosts(session: LimitSession): Promise<void> {
  const { facts, unknownCredential } = session.options;
  session.begin('costs');
  const list = (): PlannedRequest => session.list('LIMIT-13');
  const nameless = session.request(createPet('{"categoryId":1}'), 'LIMIT-13');
  await session.send([
    ...(facts.readOnly ? [] : [nameless, list()]),
    session.request(getPet(unknownId), 'LIMIT-13'),
    list(),
    session.list('LIMIT-13', unknownCredential),
  ]);
}

/** Waits until the window is neither so young nor so near its end that its 429 would tell little. */
async function awaitUsableWindow(session: LimitSession): Promise<void> {
  const { windowMs, options } = session;
  const last = await session.look('LIMIT-13');
  const reset = session.resetOf(last);
  if (reset === undefined) return;
  const pause = (pauseMs * windowMs) / 60_000;
  const needed = Math.min(windowMs / 5, 300 + 1.5 * latencyOf(session) * options.facts.plan.perMinute);
  const left = reset - session.now;
  if (left < needed) await session.waitUntil(reset + pause, 'waiting for a window that lasts long enough');
  else await session.waitUntil(reset - windowMs + pause, 'waiting until the window is some seconds old');
}

/** Exhausts a window by requests of all operations at the same moment. */
async function exhaustInBurst(session: LimitSession): Promise<void> {
  const { otherCredential, rarestStatus } = session.options;
  const { plan, readOnly } = session.options.facts;
  session.begin('control', 'second window, in a burst');
  // What was rejected in the first window is served in this one, and shows what the rejected requests left behind.
  if (otherCredential) await session.one(session.list('LIMIT-08', otherCredential));
  if (!readOnly) {
    await session.one(session.create('LIMIT-07', rarestStatus));
    await session.look('LIMIT-07', [
      ['limit', 100],
      ['status', rarestStatus],
    ]);
  }
  session.begin('burst');
  const beyond = session.onLoopback ? overInBurst + Math.ceil(plan.perMinute / refillInBurst) : 1;
  const requests = mixedRequests(
    session,
    'LIMIT-03',
    Math.max(0, plan.perMinute - usedInWindow(session)) + beyond,
  );
  const way = wayOfBurst(session, requests.length);
  // What is under way can't be called back; nothing is gained by stopping.
  const sent = await session.send(requests, { ...way, stopAfter: () => false });
  const answered = sent.filter(({ status }) => status !== null);
  if (answered.length === sent.length) return;
  const served = new Set(answered.map(({ exchange }) => exchange.connection)).size;
  session.notes.add(
    `In a burst over ${way.connections} connections the target served ${served}; ${sent.length - answered.length} requests got no response.`,
  );
}

/** A burst that a target could not take is sent over new connections for each request, and over fewer of them. */
function wayOfBurst(
  { history }: LimitSession,
  requests: number,
): { connections: number; closeConnections: boolean } {
  const before = history.filter(({ phase }) => phase === 'burst');
  const answered = before.filter(({ status }) => status !== null);
  if (answered.length === before.length) return { connections: requests, closeConnections: false };
  const served = new Set(answered.map(({ exchange }) => exchange.connection)).size;
  return { connections: Math.max(2, Math.min(served, Math.ceil(requests / 4))), closeConnections: true };
}

/** Requests of all operations that this run may send, by turns. */
function mixedRequests(session: LimitSession, purpose: string, count: number): PlannedRequest[] {
  return Array.from({ length: count }, (_unused, index) => {
    const creation = index < byTurns ? index % 3 === 1 : index % rareCreation === 0;
    const operation = creation ? 'createPet' : index % 3 === 2 ? 'getPet' : 'listPets';
    return requestOf(session, operation, purpose) ?? session.list(purpose);
  });
}

/** Undefined if the run may not send it: nothing may be created, or no animal is known. */
function requestOf(
  session: LimitSession,
  operation: OperationName,
  purpose: string,
): PlannedRequest | undefined {
  const { facts, rarestStatus, petId } = session.options;
  if (operation === 'listPets') return session.list(purpose);
  if (operation === 'getPet')
    return petId === undefined ? undefined : session.request(getPet(petId), purpose);
  if (facts.readOnly) return undefined;
  // Another status than the one that listings are looked at for.
  return session.create(purpose, rarestStatus === 'available' ? 'sold' : 'available');
}

/** Requests with the key that count in the present window, as far as a response tells where it begins. */
function usedInWindow(session: LimitSession): number {
  const { history, windowMs, now } = session;
  const last = history.findLast((one) => session.resetOf(one) !== undefined);
  const reset = last && session.resetOf(last);
  const since = Math.max(now, reset ?? now) - windowMs - tolerances.afterResetMs;
  return history.filter(({ sentAt, outcome }) => sentAt >= since && outcome !== 'rejected').length;
}

/** One connection, unless the target is so far away that the window would be over before it is exhausted. */
function connectionsFor(session: LimitSession, requests: number): number {
  if (session.onLoopback) return 1;
  const needed = (latencyOf(session) * requests) / ((patienceMs * session.windowMs) / 60_000);
  return Math.min(mostInSequence, Math.max(1, Math.ceil(needed)));
}

/** Milliseconds that the latest requests took. */
function latencyOf({ history }: LimitSession): number {
  const recent = history.slice(-5).filter(({ status }) => status !== null);
  return (
    recent.reduce((sum, { sentAt, receivedAt }) => sum + receivedAt - sentAt, 0) / Math.max(1, recent.length)
  );
}
