import { integer } from '../../explain/count.js';
import { operationNames, type OperationName } from '../../evidence/recorded-exchange.js';
import type { PlannedRequest } from '../../http/exchange/planned-request.js';
import { isAdmitted, isRejected, type Observation, reportsRemaining } from '../history/observation.js';
import type { Interval } from '../interval.js';
import { minuteMs, tolerances } from '../tolerances.js';
import { probed, ProbesEnded, type LimitSession, type Probed, type SendOptions } from './limit-session.js';
import { sendParts, type Part } from './part.js';
import type { ProbeOptions } from './probe-options.js';
import { errors, forged, listings, mixedRequests, overLimit, requestOf } from './requests.js';
import { asksForAnother, awaitRestored, awaitServed } from './served-again.js';

/** Listings that open the first window: a log, a window, a counter and a bucket give them back in different ways. */
const opening = 12;
/**
 * A share of a window: a rejection must come so late that a Retry-After of the whole window is wrong, and at no whole second,
 * so that one rounded to the nearest is too short.
 */
const pauseMs = 0.0925 * minuteMs;
/** Plans with fewer requests a minute have no room for the opening and the errors. */
const smallPlan = 20;
/** Tries of each other operation behind the first 429; more than time gives back meanwhile. */
const triesBehind = 4;
/** Creations sent at once into an exhausted window (LIMIT-07). */
const rejectedCreations = 3;
/** Requests over the limit so far apart, the first as a second begins: their Retry-Afters differ in the fraction they round. */
const fractionMs = 250;
const earlyInSecondMs = 5;
/** A burst begins so soon after a step of a limiter that goes by whole seconds: it gives nothing back meanwhile. */
const behindStepMs = 60;
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
/** What a repeat waits for. */
const another = 'waiting for another moment of the window';

const isLarge = ({ options }: LimitSession): boolean => options.facts.plan.perMinute >= smallPlan;

/** The first window, one request after the other; each operation is tried behind the first 429, at several fractions of a second. */
const sequence: readonly Part[] = [
  {
    phase: 'opening',
    when: isLarge,
    wait: untilLongEnough,
    // The functional probes of the run may have used this window: that is an opening, too.
    requests: (session) => listings(session, 'LIMIT-11', session.isUnrestrained ? opening - session.used : 0),
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
  { phase: 'sequence', requests: exhausting, until: 'not admitted', over: overFew },
  ...Array.from({ length: operationNames.length + 1 }, (_unused, index): Part => ({
    phase: 'behind sequence',
    when: isRejectedHere,
    wait: (session) => session.waitWithinSecond(earlyInSecondMs + index * fractionMs),
    requests: (session) => triesOf(session, index),
  })),
  {
    phase: 'behind sequence',
    when: (session) => isRejectedHere(session) && !session.options.facts.readOnly,
    requests: (session) => Array.from({ length: rejectedCreations }, () => overLimit(session)),
    over: (_session, connections) => ({ connections }),
    until: 'all',
  },
  {
    phase: 'behind sequence',
    // Elsewhere a window gets the limit and one request more, which is a creation.
    when: (session) => !session.isUnrestrained && rejectedIn(session) === undefined,
    wait: (session) => session.waitWithinSecond(earlyInSecondMs),
    requests: (session) => [overLimit(session)],
  },
  { phase: 'behind sequence', requests: ofOtherKey },
];

/** The second window: requests of all operations at the same moment, or of one that has a limit of its own. */
const burst: readonly Part[] = [
  // What was rejected in the first window is served in this one, and shows what the rejected requests left behind.
  { phase: 'control', requests: ofOtherKey },
  {
    phase: 'control',
    when: ({ options }) => !options.facts.readOnly,
    requests: (session) => [session.create('LIMIT-07', session.options.rarestStatus)],
  },
  {
    phase: 'control',
    wait: untilFull,
    // Just before the burst it also shows that nobody else has come.
    requests: (session) => [
      session.list('LIMIT-07', session.options.credential, [
        ['limit', 100],
        ['status', session.options.rarestStatus],
      ]),
    ],
  },
  {
    phase: 'burst',
    requests: (session) => {
      const more = overInBurst + Math.ceil(session.options.facts.plan.perMinute / refillInBurst);
      const count = session.left + (session.isUnrestrained ? more : 1);
      return mixedRequests(session, 'LIMIT-03', count, rejectedApart(session));
    },
    over: (session, connections) => ({ connections, ...wayOfBurst(session) }),
    // What is under way can't be called back; nothing is gained by stopping.
    until: 'all',
  },
  {
    phase: 'burst',
    // If no Remaining tells, the next request shows whether others have used up what is missing.
    when: (session) =>
      !reportsRemaining(session.history) && session.window.some(isRejected) && session.left > 0,
    requests: (session) => [session.list('LIMIT-03')],
  },
];

/** A window from all vantage points together: one request after the other, each from the next one (LIMIT-15). */
const fromAll: readonly Part[] = [
  {
    phase: 'vantage points',
    // One at a time would take longer than the window; over the limit one at a time is sent all the same.
    when: (session) => connectionsFor(session, session.left) > 1,
    requests: (session) => listings(session, 'LIMIT-15', session.left),
    over: fromEach,
  },
  {
    phase: 'vantage points',
    when: (session) => !session.window.some((one) => one.phase === 'vantage points' && isRejected(one)),
    requests: (session) => {
      const more = Math.max(10, Math.ceil(session.options.facts.plan.perMinute / 10));
      return listings(session, 'LIMIT-15', session.left + more);
    },
    over: (session) => ({ ...fromEach(session), inTurn: true }),
  },
];

/** Sends what the minute's limits of a plan are judged by. */
export function probeMinute(options: ProbeOptions): Promise<Probed> {
  return probed(options, probeTwoWindows);
}

/**
 * Two windows and one wait. Then a phase is repeated if a verdict depends on it.
 * @throws ProbesEnded if the target does not let it get to its end
 */
async function probeTwoWindows(session: LimitSession): Promise<void> {
  const { plan, vantagePoints = [] } = session.options.facts;
  const { perDay, perMinute } = plan;
  if (perDay < 2 * (perMinute + overInBurst)) {
    throw new ProbesEnded(
      `the plan's day (${integer(perDay)} requests) has no room for two windows of its minute (${integer(perMinute)})`,
    );
  }
  const began = session.now;
  await exhaustInSequence(session);
  await awaitRestored(session);
  await exhaustInBurst(session);
  const rejection = session.history.findLast(isRejected);
  // It shows how long a window lasts (LIMIT-01, LIMIT-02).
  if (rejection && asksForAnother(session, rejection)) await awaitServed(session, rejection);
  await repeatOpenPhases(session, began);
  if (vantagePoints.length < 2) return;
  await awaitRestored(session);
  session.tell('a window from all vantage points');
  await sendParts(session, fromAll);
}

async function exhaustInSequence(session: LimitSession): Promise<void> {
  session.tell('first window, in sequence');
  session.begin('opening');
  const first = await session.look('LIMIT-11');
  if (isRejected(first)) await awaitServed(session, first);
  await sendParts(session, sequence);
}

async function exhaustInBurst(session: LimitSession): Promise<void> {
  session.tell('second window, in a burst');
  await sendParts(session, burst);
  const sent = session.window.filter(({ phase }) => phase === 'burst');
  const answered = sent.filter(({ status }) => status !== null);
  if (answered.length < sent.length)
    session.notes.add(
      `In a burst of ${sent.length} requests the target served ${connectionsOf(answered)} connections; ${sent.length - answered.length} requests got no response.`,
    );
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
    let isRestored = fromBegin && (await sawBegin(session));
    if (!fromBegin) await session.waitUntil(session.lastUse + windowsBetween * minuteMs, another);
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
async function sawBegin(session: LimitSession): Promise<boolean> {
  const { lastUse, history } = session;
  const clock = (): Interval => session.clock ?? [0, 0];
  const begin = (Math.floor((lastUse + minuteMs + ticks * 1_000 + clock()[1]) / minuteMs) + 1) * minuteMs;
  session.begin('look');
  // As `Date` changes with each second, a look when it may change halves what is not known of the target's clock.
  for (let earlier = ticks; earlier >= 0; earlier -= 1) {
    const [least, most] = clock();
    const ahead = earlier > 0 ? (least + most) / 2 : most + earlyMs;
    await session.waitUntil(begin - earlier * 1_000 - ahead, another);
    await session.look('LIMIT-01');
  }
  let seen = history.at(-1);
  while (seen && isAdmitted(seen) && seen.sentAt <= begin - clock()[0]) seen = await session.look('LIMIT-01');
  const left = ({ headers }: Observation): number => headers.remaining ?? 0;
  session.restoredFrom = history.findLastIndex((one, index) => left(one) > left(history[index - 1] ?? one));
  return seen !== undefined && isAdmitted(seen);
}

/** Waits for another window, if this one is over before it is exhausted. */
async function untilLongEnough(session: LimitSession): Promise<void> {
  const needed = 300 + 1.5 * session.latency * session.options.facts.plan.perMinute;
  const { lastReset = Number.POSITIVE_INFINITY } = session;
  if (lastReset - session.now < pauseMs + Math.min(minuteMs / 5, needed))
    await session.waitUntil(
      lastReset + tolerances.afterResetMs,
      'waiting for a window that lasts long enough',
    );
}

/** Waits until what was used is back in a bucket: none that conforms has more than the limit at once. */
async function untilFull(session: LimitSession): Promise<void> {
  const { perMinute } = session.options.facts.plan;
  const back = (session.used * minuteMs) / perMinute;
  if (isLarge(session)) await session.waitUntil(session.now + back, 'waiting for a full bucket');
  // Seconds may begin with the clock's, or with the first request: behind which one there is more time?
  const begun = session.withinSecond(session.history[0]?.receivedAt ?? 0);
  await session.waitWithinSecond((begun < 500 ? begun : 0) + behindStepMs);
}

/** More than the limit, of all operations; in the middle one names another client's address, if Remaining shows its effect. */
function exhausting(session: LimitSession): PlannedRequest[] {
  const { left, history, options } = session;
  const { perMinute } = options.facts.plan;
  const requests = mixedRequests(session, 'LIMIT-09', session.isUnrestrained ? left + perMinute + 2 : left);
  const middle = Math.floor(left / 2);
  const isTold = history.at(-1)?.headers.remaining !== undefined;
  return isLarge(session) && middle > 0 && isTold ? requests.with(middle, forged(session)) : requests;
}

function ofOtherKey({ options: { otherCredential }, list }: LimitSession): PlannedRequest[] {
  return otherCredential ? [list('LIMIT-08', otherCredential)] : [];
}

/** The operation that was rejected in this window's sequence. */
function rejectedIn({ window }: LimitSession): OperationName | null | undefined {
  return window.find((one) => one.phase === 'sequence' && isRejected(one))?.operation;
}

/** Whether the sequence has got a 429, and more may be sent. */
function isRejectedHere(session: LimitSession): boolean {
  return session.isUnrestrained && rejectedIn(session) !== undefined;
}

/** Tries of an operation behind the 429: of the others first, each until it is rejected, too. */
function triesOf(session: LimitSession, index: number): PlannedRequest[] {
  const rejected = rejectedIn(session) ?? 'listPets';
  const order = [...operationNames.filter((name) => name !== rejected), rejected, 'listPets'] as const;
  const operation = order[index] ?? 'listPets';
  const { rarestStatus } = session.options;
  // A creation has a name of its own each time.
  const tries = Array.from({ length: triesBehind }).flatMap(
    () => requestOf(session, operation, 'LIMIT-09', rarestStatus) ?? [],
  );
  // Who has a limit of its own is admitted: a listing then shows the Retry-After at this fraction of a second.
  return operation === 'listPets' ? tries : [...tries, session.list('LIMIT-05')];
}

/** Whether an operation was admitted behind the 429 of another one as if each had a limit of its own (LIMIT-09). */
function isCountedApart({ history }: LimitSession): boolean {
  const behind = history.filter((one) => one.phase === 'behind sequence' && isAdmitted(one));
  return operationNames.some(
    (name) => behind.filter(({ operation }) => operation === name).length >= triesBehind,
  );
}

/** The operation that was rejected, if it has a limit of its own. */
function rejectedApart(session: LimitSession): OperationName | undefined {
  const rejected = session.history.find((one) => one.phase === 'sequence' && isRejected(one))?.operation;
  // Nobody can take so many animals out again.
  return isCountedApart(session) && rejected !== 'createPet' ? (rejected ?? undefined) : undefined;
}

/** A burst that the target could not take is sent again over a new connection for each request, and over fewer at a time. */
function wayOfBurst(session: LimitSession): { connections: number; closeConnections: true } | undefined {
  const before = session.history.filter(({ phase }) => phase === 'burst');
  const answered = before.filter(({ status }) => status !== null);
  if (answered.length === before.length) return undefined;
  // A connection that is being closed may still count as one.
  const connections = Math.min(Math.floor(connectionsOf(answered) / 2), Math.ceil(before.length / 8));
  return { connections: Math.max(2, connections), closeConnections: true };
}

function connectionsOf(answered: readonly Observation[]): number {
  return new Set(answered.map(({ exchange }) => exchange.connection)).size;
}

/** One connection, unless the target is so far away that the window would be over before it is exhausted. */
function connectionsFor(session: LimitSession, requests: number): number {
  if (session.isUnrestrained) return 1;
  const needed = (session.latency * requests) / (exhaustedIn * minuteMs);
  return Math.min(mostInSequence, Math.max(1, Math.ceil(needed)));
}

function overFew(session: LimitSession, requests: number): SendOptions {
  return { connections: connectionsFor(session, requests) };
}

function fromEach({ options }: LimitSession): SendOptions {
  const { vantagePoints: localAddresses = [] } = options.facts;
  return { connections: connectionsOfEach * localAddresses.length, localAddresses };
}
