import type { Interval } from '../interval.js';
import { tolerances } from '../tolerances.js';
import { waitEnds } from './clock.js';
import type { History } from './history.js';
import type { Observation } from './observation.js';

/** Requests in spite of a 429 before which a longer wait is the window's own mistake (LIMIT-04), and no ban. */
const ignoredFirst = 2;

/**
 * The times in which the key was banned because requests went on in spite of 429s, which section 8.3 allows: the first 429s
 * ask for no more than a window, and a later one for longer.
 */
export function bansIn({ own, windowMs, clock }: Pick<History, 'own' | 'windowMs' | 'clock'>): Interval[] {
  const bans: Interval[] = [];
  let ignored = 0;
  for (const one of own) {
    if (one.outcome === 'admitted') ignored = 0;
    if (one.outcome !== 'rejected' || one.headers.period === 'day') continue;
    const end = waitEnds(one, clock) ?? 0;
    if (end <= one.receivedAt + windowMs + tolerances.longestWaitMs) ignored += 1;
    else if (ignored > ignoredFirst) bans.push([one.receivedAt, end]);
  }
  return bans;
}

/** A history without the rejections of a banned key: they are no window's. */
export function withoutBans(history: History): History {
  const bans = bansIn(history);
  if (bans.length === 0) return history;
  const isBanned = ({ outcome, sentAt, receivedAt }: Observation): boolean =>
    outcome === 'rejected' && bans.some(([from, to]) => receivedAt >= from && sentAt < to);
  return { ...history, own: history.own.filter((one) => !isBanned(one)) };
}
