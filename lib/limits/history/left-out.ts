import type { PlannedRequest } from '../../http/exchange/planned-request.js';
import type { Interval } from '../interval.js';
import { asksBeyondMinute, type Observation, waitEnds } from './observation.js';
import type { History } from './history.js';

/** Requests in spite of a 429 before which a longer wait is the window's own mistake (LIMIT-04), and no ban. */
const ignoredFirst = 2;

/**
 * The times in which the key was banned because requests went on in spite of 429s, which section 8.3 allows: the first 429s
 * ask for no more than a window, and a later one for longer.
 */
export function bansIn({ own, clock }: Pick<History, 'own' | 'clock'>): Interval[] {
  const bans: Interval[] = [];
  let ignored = 0;
  for (const one of own) {
    if (one.outcome === 'admitted') ignored = 0;
    if (one.outcome !== 'rejected' || one.headers.period === 'day') continue;
    if (!asksBeyondMinute(one, clock)) ignored += 1;
    else if (ignored > ignoredFirst) bans.push([one.receivedAt, waitEnds(one, clock) ?? 0]);
  }
  return bans;
}

/** A history without the rejections that are not the minute's: those of a banned key, and those by the day's limit. */
export function ofTheMinute(history: History): History {
  const bans = bansIn(history);
  const isOther = (one: Observation): boolean =>
    one.outcome === 'rejected' &&
    (isOfDay(one, history) || bans.some(([from, to]) => one.receivedAt >= from && one.sentAt < to));
  const own = history.own.filter((one) => !isOther(one));
  return own.length < history.own.length ? { ...history, own } : history;
}

/** Whether a rejection says that the day's limit was reached. */
function isOfDay(one: Observation, { plan, clock }: History): boolean {
  const { period, remaining } = one.headers;
  return (
    plan.perDay !== plan.perMinute && period === 'day' && remaining === 0 && asksBeyondMinute(one, clock)
  );
}

/** An address of nobody (RFC 5737). */
const nobody = '198.51.100.77';

/** The headers by which a proxy tells the address of its client, and by which a client may name another one (CWE-290). */
export const forgedAddress: NonNullable<PlannedRequest['headers']> = [
  ['X-Forwarded-For', nobody],
  ['X-Real-IP', nobody],
  ['Forwarded', `for=${nobody}`],
];

/** By how much Remaining jumps back at the least, and by how much it is below the limit then at the most. */
const leastJump = 5;
const mostUsed = 3;

/** A request that names another client's address and is counted apart, and the one before it. */
export interface WalkAround {
  readonly before: Observation;
  readonly forged: Observation;
}

/**
 * Whether the limit can be walked around: Remaining jumps back to the whole limit for the request with a forged address,
 * and is where it was for the next one.
 */
export function walkAroundIn(own: readonly Observation[]): WalkAround | undefined {
  const told = own.filter(
    ({ outcome, headers }) => outcome === 'admitted' && headers.remaining !== undefined,
  );
  for (const [index, forged] of told.entries()) {
    if (!forged.exchange.request.headers.some(([, value]) => value === nobody)) continue;
    const [before, after] = [told[index - 1], told[index + 1]];
    const [was, is = 0, then] = [before, forged, after].map((one) => one?.headers.remaining);
    if (!before || was === undefined || then === undefined) continue;
    const isFresh = is >= (forged.headers.limit ?? Number.POSITIVE_INFINITY) - mostUsed;
    if (isFresh && is - was >= leastJump && is - then >= leastJump) return { before, forged };
  }
  return undefined;
}
