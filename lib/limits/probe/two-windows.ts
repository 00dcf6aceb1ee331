import { operationNames, type OperationName } from '../../evidence/recorded-exchange.js';
import { integer } from '../../explain/count.js';
import { isAdmitted, isRejected, type Observation, reportsRemaining } from '../history/observation.js';
import { isAdmitted as isLetThrough } from '../../load/ledger.js';
import { minuteMs, tolerances } from '../tolerances.js';
import { probed, ProbesEnded, type LimitSession, type Part, type Probed } from './limit-session.js';
import type { ProbeOptions } from './probe-options.js';
import {
  errors,
  exhausting,
  isLarge,
  listingOfRarest,
  mayCreate,
  mixed,
  ofOtherKey,
  requestOf,
} from './requests.js';
import { asksForAnother, awaitRestored, awaitServed, lookAsMinuteBegins } from './served-again.js';

/** Listings that open the first window: a log, a window, a counter and a bucket give them back in different ways. */
const opening = 12;
/**
 * A share of a window: a rejection must come so late that a Retry-After of the whole window is wrong, and at no whole second,
 * so that one rounded to the nearest is too short.
 */
const pauseMs = 0.0925 * minuteMs;
/** Tries of each operation behind the first 429: more than time gives back meanwhile. */
const triesBehind = 4;
/** Requests over the limit so far apart, the first as a second begins: their Retry-Afters differ in the fraction they round. */
const fractionMs = 250;
const earlyInSecondMs = 5;
/** A burst begins so soon after a step of a limiter that goes by whole seconds: it gives nothing back meanwhile. */
const behindStepMs = 60;
/** Sent over the limit on this machine; and one for each so many that a bucket may give back meanwhile. */
const overLimit = 5;
const refill = 100;
/** Requests that follow each other over one connection to a far target, and milliseconds that they may take. */
const mostInSequence = 150;
const exhaustedInMs = { near: 1_000, far: 12_000 };
/** Connections from each vantage point: what is counted by connection is then not taken for a limit of each address. */
const connectionsOfEach = 2;
/** How a burst is sent again to a target that could not take it. */
const afterLoss = { connections: 2, closeConnections: true };
/** Windows between a repeat and what it repeats, and after which there is none. */
const windowsBetween = 1.25;
const latestRepeat = 2.5;

const atOnce = (_session: LimitSession, connections: number) => ({ connections });
/** What is under way can't be called back; nothing is gained by stopping. */
const never = (): boolean => false;
/** The first window, one request after the other; each operation is tried behind the first 429, at several fractions of a second. */
const sequence: readonly Part[] = [
  {
    phase: 'opening',
    when: isLarge,
    wait: untilLongEnough,
    // The functional probes of the run may have used this window: that is an opening, too.
    requests: ({ listings, isUnrestrained, used }) =>
      listings('LIMIT-11', isUnrestrained ? opening - used : 0),
  },
  {
    phase: 'costs',
    when: isLarge,
    wait: (session) => session.waitUntil(session.now + pauseMs, 'a pause, to see what comes back meanwhile'),
    // Functional probes show what errors use up, too; without Remaining nothing does.
    requests: (session) =>
      reportsRemaining(session.history) && !session.history.some(({ status }) => status === 404)
        ? errors(session)
        : [],
  },
  {
    phase: 'sequence',
    requests: exhausting,
    way: (session, requests) => ({
      connections: session.isUnrestrained ? 1 : Math.ceil(requests / mostInSequence),
    }),
    until: (entry) => !isLetThrough(entry),
  },
  ...(['listPets', 'createPet', 'getPet', 'listPets'] as const).map((operation, index): Part => ({
    phase: 'behind sequence',
    when: isRejectedHere,
    wait: (session) => session.waitWithinSecond(earlyInSecondMs + index * fractionMs),
    // Who has a limit of its own is admitted: a listing then shows the Retry-After at this fraction of a second.
    requests: (session) => [
      ...Array.from({ length: triesBehind }, () => requestOf(session, operation, 'LIMIT-09')),
      ...session.listings('LIMIT-05', 1),
    ],
  })),
  {
    phase: 'behind sequence',
    when: (session) => isRejectedHere(session) && mayCreate(session),
    requests: (session) => [0, 1, 2].map(() => requestOf(session, 'createPet', 'LIMIT-07')),
    way: atOnce,
    until: never,
  },
  {
    phase: 'behind sequence',
    // Elsewhere a window gets the limit and one request more.
    when: (session) => !session.isUnrestrained && !rejectedIn(session.window),
    wait: (session) => session.waitWithinSecond(earlyInSecondMs),
    requests: (session) => [requestOf(session, 'createPet', 'LIMIT-07')],
  },
  { phase: 'behind sequence', requests: ofOtherKey },
];

/** The second window: requests of all operations at the same moment, or of one that has a limit of its own. */
const burst: readonly Part[] = [
  // What was rejected in the first window is served in this one, and shows what the rejected requests left behind.
  { phase: 'control', requests: ofOtherKey },
  {
    phase: 'control',
    when: mayCreate,
    requests: (session) => [requestOf(session, 'createPet', 'LIMIT-07')],
  },
  {
    phase: 'control',
    wait: untilFull,
    // Just before the burst it also shows that nobody else has come.
    requests: (session) => [listingOfRarest(session)],
  },
  {
    phase: 'burst',
    requests: (session) => {
      const more = overLimit + Math.ceil(session.options.facts.plan.perMinute / refill);
      const count = session.left + (session.isUnrestrained ? more : 1);
      return mixed(session, 'LIMIT-03', count, rejectedApart(session));
    },
    way: (session, connections) => (wasLost(session) ? afterLoss : atOnce(session, connections)),
    until: never,
  },
];

/** A window from all vantage points together: one request after the other, each from the next one (LIMIT-15). */
const fromAll: readonly Part[] = [
  {
    phase: 'vantage points',
    requests: ({ listings, left, options: { facts } }) =>
      listings('LIMIT-15', left + Math.max(10, Math.ceil(facts.plan.perMinute / 10))),
    way: ({ options: { facts } }) => {
      const { vantagePoints: localAddresses = [] } = facts;
      return { connections: connectionsOfEach * localAddresses.length, localAddresses, inTurn: true };
    },
  },
];

/**
 * Sends what the minute's limits of a plan are judged by: two windows and one wait. Then a phase is repeated if a verdict
 * depends on it.
 */
export function probeMinute(options: ProbeOptions): Promise<Probed> {
  const { plan, vantagePoints = [] } = options.facts;
  const { perDay, perMinute } = plan;
  return probed(options, async (session) => {
    if (perDay < 2 * (perMinute + overLimit))
      throw new ProbesEnded(
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
    await session.perform(fromAll);
  });
}

async function exhaustInSequence(session: LimitSession): Promise<void> {
  session.phase = 'opening';
  const first = await session.look('LIMIT-11');
  if (isRejected(first)) await awaitServed(session, first);
  await session.perform(sequence);
}

/** Sends phases again from another moment of the window, if a verdict depends on them. */
async function repeatOpenPhases(session: LimitSession): Promise<void> {
  const wanted = new Set(session.options.repeatsWanted());
  const fromBegin = wanted.delete('begin');
  if (wasLost(session)) wanted.add('burst');
  if (wanted.size === 0) return;
  session.notes.add(`Sent again, because a verdict depends on it: the ${[...wanted].join(' and the ')}.`);
  let isFresh = fromBegin && (await lookAsMinuteBegins(session));
  if (!isFresh)
    await session.waitUntil(
      session.lastUse + windowsBetween * minuteMs,
      'waiting for another moment of the window',
    );
  for (const phase of wanted) {
    if (!isFresh) await awaitRestored(session);
    isFresh = false;
    await (phase === 'sequence' ? exhaustInSequence(session) : session.perform(burst));
  }
}

/** Waits for another window, if this one is over before it is exhausted. */
async function untilLongEnough(session: LimitSession): Promise<void> {
  const { lastReset = Number.POSITIVE_INFINITY, now, isUnrestrained } = session;
  if (lastReset - now < pauseMs + exhaustedInMs[isUnrestrained ? 'near' : 'far'])
    await session.waitUntil(
      lastReset + tolerances.afterResetMs,
      'waiting for a window that lasts long enough',
    );
}

/** Waits until a bucket that was empty is full again: none that conforms has more than the limit at once. */
async function untilFull(session: LimitSession): Promise<void> {
  const { history, now, used, options } = session;
  const each = minuteMs / options.facts.plan.perMinute;
  // Remaining shows what is back; without it nothing does.
  const empty = reportsRemaining(history) ? undefined : history.findLast(isRejected);
  const emptied = empty?.receivedAt ?? Number.NEGATIVE_INFINITY;
  const since = history.filter((one) => isAdmitted(one) && one.sentAt > emptied).length;
  // One that holds a request or two too many is full as well.
  const full = Math.max(now + used * each, emptied + minuteMs + (since + 2) * each);
  if (isLarge(session)) await session.waitUntil(full, 'waiting for a full bucket');
  await session.waitWithinSecond(behindStepMs);
}

/** The first request of a sequence that was rejected. */
function rejectedIn(observations: readonly Observation[]): Observation | undefined {
  return observations.find((one) => one.phase === 'sequence' && isRejected(one));
}

/** Whether the sequence has got a 429, and more may be sent. */
function isRejectedHere(session: LimitSession): boolean {
  return session.isUnrestrained && rejectedIn(session.window) !== undefined;
}

/** The operation that was rejected, if another was admitted behind it as if each had a limit of its own (LIMIT-09). */
function rejectedApart({ history }: LimitSession): OperationName | undefined {
  const rejected = rejectedIn(history)?.operation;
  const admitted = history.filter((one) => one.phase === 'behind sequence' && isAdmitted(one));
  const isApart = operationNames.some(
    (name) => admitted.filter(({ operation }) => operation === name).length >= triesBehind,
  );
  // Nobody can take so many animals out again.
  return isApart && rejected !== 'createPet' ? (rejected ?? undefined) : undefined;
}

/** Whether the target could not take a burst: it is sent again over few connections, each closed after its response. */
function wasLost({ history }: LimitSession): boolean {
  return history.some(({ phase, status }) => phase === 'burst' && status === null);
}
