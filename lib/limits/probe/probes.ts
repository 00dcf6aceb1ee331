import { sumOfCounts } from '../../evidence/record/measurements.js';
import { integer } from '../../explain/count.js';
import { Inconclusive } from '../../verdict/outcome.js';
import type { LimitFacts } from '../history/history.js';
import { isRejected, waitEnds } from '../history/observation.js';
import { minuteMs } from '../tolerances.js';
import { asksForAnother, awaitRestored, awaitServed, lookAsMinuteBegins } from './looks.js';
import { LimitSession, type Part, type ProbeOptions } from './session.js';
import { burst, listings, overLimit, sequence, wasLost } from './table.js';

/** Windows between a repeat and what it repeats, and after which there is none. */
const windowsBetween = 1.25;
const latestRepeat = 2.5;
/** Connections from each vantage point: what is counted by connection is then not taken for a limit of each address. */
const connectionsOfEach = 2;
/** Requests sent on after the first 429; to a remote target one a second, as a stubborn client would. */
const ignoring = 20;

/** A window from all vantage points together: one request after the other, each from the next one. */
const fromAll: readonly Part[] = [
  {
    phase: 'vantage points',
    purpose: 'LIMIT-15',
    requests: ({ left, perMinute }) => listings(left + Math.max(10, Math.ceil(perMinute / 10))),
    way: ({ options: { facts } }) => {
      const { vantagePoints: localAddresses = [] } = facts;
      return { connections: connectionsOfEach * localAddresses.length, localAddresses, inTurn: true };
    },
  },
];

/** A window of a key that may be lost, exhausted and then used on in spite of the 429s (section 8.3). */
const stubborn: readonly Part[] = [
  {
    phase: 'ban',
    purpose: 'LIMIT-12',
    requests: ({ isUnrestrained, perMinute }) => listings(isUnrestrained ? 2 * perMinute + 2 : perMinute + 1),
  },
  ...Array.from({ length: ignoring }, (): Part => ({
    phase: 'ban ignored',
    purpose: 'LIMIT-12',
    when: wasBanTried,
    wait: (session) =>
      session.waitUntil(session.now + (session.isNear ? 0 : 1_000), 'a stubborn client sends one a second'),
    requests: () => listings(1),
  })),
];

/** Whether the key that may be lost was rejected. */
function wasBanTried({ history }: LimitSession): boolean {
  return history.some((one) => one.phase === 'ban' && isRejected(one));
}

/** What was sent for the limits of one key, and how it ended. */
export interface Probed {
  readonly facts: LimitFacts;
  readonly notes: readonly string[];
}

/** Sends probes with one key. Never throws for what a target does: what was seen until then is judged. */
async function probed(
  options: ProbeOptions,
  probe: (session: LimitSession) => Promise<void>,
): Promise<Probed> {
  const session = new LimitSession(options);
  let stopped: string | undefined;
  try {
    await probe(session);
  } catch (error) {
    if (error instanceof Inconclusive) stopped = error.reason;
    else if (options.signal.aborted) stopped = 'the run was interrupted';
    else throw error;
  }
  const counts = {
    ledger: sumOfCounts(session.counts.map(({ ledger }) => ledger)),
    autocannon: sumOfCounts(session.counts.map(({ autocannon }) => autocannon)),
  };
  return { facts: { ...options.facts, stopped, counts }, notes: [...session.notes] };
}

/**
 * Sends what the minute's limits of a plan are judged by: two windows and one wait. Then a phase is repeated if a verdict
 * depends on it.
 */
export function probeMinute(options: ProbeOptions): Promise<Probed> {
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
    await session.perform(fromAll);
  });
}

async function exhaustInSequence(session: LimitSession): Promise<void> {
  const first = await session.look('LIMIT-11', session.now, 'opening');
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

/**
 * Exhausts a window with a key that was given for it, continues although it was asked to wait, and then waits to see
 * whether the key is served again (section 8.3: it may be banned for a time). Only on a key that may be lost.
 */
export function probeBan(options: ProbeOptions): Promise<Probed> {
  return probed(options, async (session) => {
    await session.perform(stubborn);
    const last = session.history.at(-1);
    if (!last || !wasBanTried(session)) return;
    // A ban may have another status, and tell no time.
    await session.look('LIMIT-12', waitEnds(last, session.clock) ?? session.now + minuteMs, 'ban afterwards');
  });
}
