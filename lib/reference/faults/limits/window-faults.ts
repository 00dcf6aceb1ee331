import type { Counter, Quota } from '../../limiter/counter.js';
import { fixedWindowFromFirstRequest } from '../../limiter/fixed-window-request.js';
import { tooMany } from './admission-faults.js';
import { fixedWindows, type LimitFault } from './limit-fault.js';
import { announcing, withMinuteCounter } from './limiter-changes.js';

/** A counter whose window never ends, though Reset and Retry-After say that it does. */
function neverRestored(fresh: Counter, frozen: Counter): Counter {
  let first: number | undefined;
  const began = (at: number): number => (first ??= at);
  return announcing(fresh, {
    standing: (at) => frozen.standing(began(at)),
    count: (at) => frozen.count(began(at)),
    giveBack: (at) => frozen.giveBack(began(at)),
  });
}

/** A counter that every rejection keeps exhausted for another window, without saying so. */
function extendedByRejections(counter: Counter, { windowMs }: Quota): Counter {
  let exhaustedUntil: number | undefined;
  return {
    ...counter,
    standing(at) {
      const standing = counter.standing(at);
      if (standing.remaining > 0 && (exhaustedUntil === undefined || at >= exhaustedUntil)) {
        exhaustedUntil = undefined;
        return standing;
      }
      exhaustedUntil = at + windowMs;
      const resetsAt = standing.remaining > 0 ? at + 1_000 : standing.resetsAt;
      return {
        ...standing,
        remaining: 0,
        resetsAt,
        admitsAt: standing.remaining > 0 ? resetsAt : standing.admitsAt,
      };
    },
  };
}

/** A counter that blocks a caller for five windows when the limit is exhausted, and announces one as ever. */
function blockedForFive(counter: Counter, { windowMs }: Quota): Counter {
  let blockedUntil = Number.NEGATIVE_INFINITY;
  return {
    ...counter,
    standing(at) {
      const standing = counter.standing(at);
      if (at >= blockedUntil && standing.remaining > 0) return standing;
      if (at >= blockedUntil) blockedUntil = at + 5 * windowMs;
      const resetsAt = standing.remaining > 0 ? at + windowMs : standing.resetsAt;
      return {
        ...standing,
        remaining: 0,
        resetsAt,
        admitsAt: standing.remaining > 0 ? resetsAt : standing.admitsAt,
      };
    },
  };
}

/** A counter that goes on rejecting for some time after the moment that the first rejection named. */
function heldLonger(counter: Counter, milliseconds: number): Counter {
  let heldUntil: number | undefined;
  return {
    ...counter,
    standing(at) {
      const standing = counter.standing(at);
      if (heldUntil !== undefined && at >= heldUntil) heldUntil = undefined;
      if (standing.remaining === 0) heldUntil ??= standing.admitsAt + milliseconds;
      if (standing.remaining === 0 || heldUntil === undefined) return standing;
      return { ...standing, remaining: 0, resetsAt: heldUntil, admitsAt: heldUntil };
    },
  };
}

/** A counter of which an exhausted window leaves half of the limit to those that follow. */
function restoredByHalf(counter: Counter, requests: number): Counter {
  let missing = 0;
  let exhaustedUntil = Number.POSITIVE_INFINITY;
  return {
    ...counter,
    standing(at) {
      if (at >= exhaustedUntil) missing = requests / 2;
      const standing = counter.standing(at);
      const remaining = Math.max(0, standing.remaining - missing);
      if (remaining > 0) return { ...standing, remaining };
      exhaustedUntil = standing.resetsAt;
      return { ...standing, remaining, admitsAt: standing.resetsAt };
    },
  };
}

/** Bugs in how long a window lasts, and in what the next one begins with. */
export const windowFaults: readonly LimitFault[] = [
  {
    name: 'half-a-minute',
    title: 'The window is half a minute long',
    breaks: ['LIMIT-02'],
    options: { windowMs: 30_000 },
  },
  {
    name: 'half-a-minute-that-slides',
    title: 'The log slides, and is half a minute long',
    breaks: ['LIMIT-02'],
    behind: ['fixed-window-aligned'],
    options: { windowMs: 30_000, limiter: { algorithm: 'sliding-log' } },
  },
  {
    name: 'window-of-fifty-five-seconds',
    title: 'The window is fifty-five seconds long',
    breaks: ['LIMIT-02'],
    options: { windowMs: 55_000 },
  },
  {
    name: 'window-of-two-minutes',
    title: 'The window is two minutes long',
    breaks: ['LIMIT-01', 'LIMIT-04'],
    options: { windowMs: 120_000 },
  },
  {
    name: 'half-a-minute-unannounced',
    title: 'The window is half a minute long, and the headers announce a minute',
    breaks: ['LIMIT-02'],
    options: withMinuteCounter((fresh, { windowMs }) =>
      announcing(fresh(), fresh({ windowMs: windowMs / 2 })),
    ),
  },
  {
    name: 'two-minutes-unannounced',
    title: 'The window is two minutes long, and the headers announce one',
    breaks: ['LIMIT-05', 'LIMIT-14'],
    options: withMinuteCounter((fresh, { requests, windowMs }) =>
      announcing(fresh(), fixedWindowFromFirstRequest({ requests, windowMs: 2 * windowMs })),
    ),
  },
  {
    name: 'never-resets',
    title: "The counter's key has lost its expiry: the window never resets",
    breaks: ['LIMIT-05', 'LIMIT-14'],
    options: withMinuteCounter((fresh) => neverRestored(fresh(), fresh())),
  },
  {
    name: 'extended-by-each-429',
    title: 'Each 429 begins the window anew, which no header says',
    breaks: ['LIMIT-05', 'LIMIT-14'],
    options: withMinuteCounter((fresh, quota) => extendedByRejections(fresh(), quota)),
  },
  {
    name: 'shut-out-at-the-first-429',
    title: 'A key whose limit is exhausted is blocked for five minutes, which no header says',
    breaks: ['LIMIT-05', 'LIMIT-14'],
    options: withMinuteCounter((fresh, quota) => blockedForFive(fresh(), quota)),
  },
  {
    name: 'held-three-seconds-longer',
    title: 'Requests are rejected until three seconds after the time that was announced',
    breaks: ['LIMIT-05', 'LIMIT-14'],
    options: withMinuteCounter((fresh) => heldLonger(fresh(), 3_000)),
  },
  {
    name: 'restored-by-half',
    title: 'A window that follows an exhausted one begins with half of the limit',
    breaks: ['LIMIT-14'],
    // Only fixed windows restore all of the limit at once.
    behind: fixedWindows,
    options: withMinuteCounter((fresh, { requests }) => restoredByHalf(fresh(), requests)),
  },
  {
    name: 'rejections-charged-to-the-next-window',
    title: 'A window begins with the requests used that were rejected in the one before it',
    breaks: ['LIMIT-14'],
    behind: fixedWindows,
    options: withMinuteCounter((fresh) => {
      const counter = fresh();
      // A rejection asks twice: before it decides, and for its headers.
      let asked = 0;
      let justCounted = false;
      let rejectedUntil = Number.POSITIVE_INFINITY;
      return {
        ...counter,
        standing(at) {
          if (at >= rejectedUntil) {
            rejectedUntil = Number.POSITIVE_INFINITY;
            for (; asked > 0; asked -= 2) counter.count(at);
          }
          const standing = counter.standing(at);
          if (standing.remaining === 0 && !justCounted) {
            asked += 1;
            rejectedUntil = standing.resetsAt;
          }
          justCounted = false;
          return standing;
        },
        count(at) {
          counter.count(at);
          justCounted = true;
        },
      };
    }),
  },
  {
    name: 'emptied-by-a-rejection',
    title: 'A rejection deletes the count, so that the next request finds the whole limit',
    breaks: tooMany,
    options: withMinuteCounter((fresh) => {
      let counter = fresh();
      let asked = 0;
      return {
        standing(at) {
          const standing = counter.standing(at);
          asked = standing.remaining === 0 ? asked + 1 : 0;
          // The request that takes the last place asks once, the rejected one twice.
          if (asked < 3) return standing;
          asked = 0;
          counter = fresh();
          return standing;
        },
        count: (at) => counter.count(at),
        giveBack: (at) => counter.giveBack(at),
      };
    }),
  },
];
