import type { Counter, Quota } from '../../limiter/counter.js';
import { fixedWindows, type LimitFault } from './limit-fault.js';
import { withMinuteCounter } from './limiter-changes.js';

/** A counter whose window a rejection puts off, which the headers say from then on. */
function putOffByRejections(
  fresh: () => Counter,
  /** Until when, if a window would have ended at `resetsAt`, or at `putOff` after an earlier rejection. */
  endsAt: (at: number, resetsAt: number, putOff: number | undefined) => number,
): Counter {
  let counter = fresh();
  let rejectedUntil: number | undefined;
  // The admitted request that takes the last place sees nothing remaining, and is not a rejection.
  let justCounted = false;
  return {
    standing(at) {
      if (rejectedUntil !== undefined && at >= rejectedUntil) {
        counter = fresh();
        rejectedUntil = undefined;
      }
      const standing = counter.standing(at);
      const rejects = (standing.remaining === 0 || rejectedUntil !== undefined) && !justCounted;
      justCounted = false;
      if (!rejects) return standing;
      rejectedUntil = endsAt(at, standing.resetsAt, rejectedUntil);
      return { ...standing, remaining: 0, resetsAt: rejectedUntil, admitsAt: rejectedUntil };
    },
    count(at) {
      counter.count(at);
      justCounted = true;
    },
    giveBack: (at) => counter.giveBack(at),
  };
}

/** A window that ends when no request has come for its whole length. */
function renewedByRequests(
  { requests, windowMs }: Quota,
  announces: (end: number, began: number) => number,
): Counter {
  let began = Number.NEGATIVE_INFINITY;
  let end = Number.NEGATIVE_INFINITY;
  let used = 0;
  return {
    standing(at) {
      if (at >= end) used = 0;
      const remaining = Math.max(0, requests - used);
      const resetsAt = used === 0 ? at + windowMs : Math.max(at, announces(end, began));
      return { limit: requests, remaining, resetsAt, admitsAt: remaining > 0 ? at : resetsAt };
    },
    count(at) {
      if (used === 0) began = at;
      used += 1;
      end = at + windowMs;
    },
    giveBack: () => {
      used -= 1;
    },
  };
}

/** Windows that do not end when they were to end, because of what is sent meanwhile. */
export const renewalFaults: readonly LimitFault[] = [
  {
    name: 'begun-anew-by-each-429',
    title: 'Each 429 begins the window anew and says so, after another Reset was announced',
    breaks: ['LIMIT-14'],
    options: withMinuteCounter((fresh, { windowMs }) => putOffByRejections(fresh, (at) => at + windowMs)),
  },
  {
    name: 'doubled-by-a-429',
    title: 'A window in which a request was rejected lasts twice as long, as Reset and Retry-After say',
    // LIMIT-14 is left open: a sliding counter explains what comes back, but for one rejection.
    breaks: ['LIMIT-04'],
    behind: fixedWindows,
    options: withMinuteCounter((fresh, { windowMs }) =>
      putOffByRejections(fresh, (_at, resetsAt, putOff) => putOff ?? resetsAt + windowMs),
    ),
  },
  {
    name: 'renewed-by-every-request',
    title: 'Every request begins the window anew: only a pause of a minute ends it, as Reset says',
    breaks: ['LIMIT-01'],
    behind: ['fixed-window-aligned'],
    options: withMinuteCounter((_fresh, quota) => renewedByRequests(quota, (end) => end)),
  },
  {
    name: 'renewed-by-every-request-and-429',
    title: 'Every request begins the window anew, a rejected one, too, as Reset and Retry-After say',
    breaks: ['LIMIT-01', 'LIMIT-14'],
    behind: ['fixed-window-aligned'],
    options: withMinuteCounter((_fresh, quota) =>
      putOffByRejections(
        () => renewedByRequests(quota, (end) => end),
        (at) => at + quota.windowMs,
      ),
    ),
  },
  {
    name: 'renewed-by-every-request-unannounced',
    title: 'Every request begins the window anew, and Reset names the end of the first one',
    breaks: ['LIMIT-01', 'LIMIT-05', 'LIMIT-14'],
    behind: ['fixed-window-aligned'],
    options: withMinuteCounter((_fresh, quota) =>
      renewedByRequests(quota, (_end, began) => began + quota.windowMs),
    ),
  },
];
