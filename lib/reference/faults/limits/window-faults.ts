import type { Counter, Quota } from '../../limiter/counter.js';
import { fixedWindowFromFirstRequest } from '../../limiter/fixed-window-request.js';
import { expectOnWire, send } from '../wire.js';
import { tooMany } from './admission-faults.js';
import { exhaust, fixedWindows, sendAfterRetryAfter, type LimitFault } from './limit-fault.js';
import { announcing, withMinuteCounter } from './limiter-changes.js';

interface WindowOf extends Pick<LimitFault, 'name' | 'title'> {
  readonly seconds: number;
}

/** A window of another length than a minute, which the headers tell. */
function windowOf({ name, title, seconds }: WindowOf): LimitFault {
  const shorter = seconds < 60;
  return {
    name,
    title,
    breaks: shorter ? ['LIMIT-02'] : ['LIMIT-01', 'LIMIT-04'],
    // A bucket asks for short waits, whatever its pace.
    ...(!shorter && { breaksUnder: { 'token-bucket': ['LIMIT-01'] } }),
    options: { windowMs: seconds * 1_000 },
    async wire(target) {
      const { last } = await exhaust(target);
      await target.wait(Number(last.header('retry-after')) * 1_000 + 100);
      const next = await exhaust(target);
      const waits = Number(next.last.header('retry-after'));
      expectOnWire(
        next.admitted === target.perMinute && (shorter ? waits <= seconds : waits > 62),
        `a whole window lasts ${waits} s`,
      );
    },
  };
}

interface Unannounced extends Pick<LimitFault, 'name' | 'title' | 'breaks'> {
  readonly counter: (fresh: Counter, quota: Quota) => Counter;
}

/** The limit is not restored at the time that Retry-After and Reset say. */
function rejectedAfterRetryAfter({ counter, ...fault }: Unannounced): LimitFault {
  return {
    ...fault,
    options: withMinuteCounter((fresh, quota) => counter(fresh(), quota)),
    async wire(target) {
      await send(target);
      await target.wait(20_000);
      expectOnWire((await sendAfterRetryAfter(target)).status === 429, 'rejected again after Retry-After');
    },
  };
}

interface PartlyRestored extends Pick<LimitFault, 'name' | 'title'> {
  /** The limit of the window after so many exhausted ones. */
  readonly restores: (requests: number, exhausted: number) => number;
}

/** A new window begins with less than the whole limit. Only fixed windows restore all of it at once. */
function partlyRestored({ name, title, restores }: PartlyRestored): LimitFault {
  return {
    name,
    title,
    breaks: ['LIMIT-14'],
    // Without Remaining a window that begins with less looks like a burst that is rejected for coming at once.
    behind: fixedWindows,
    options: withMinuteCounter((fresh, { requests }) => {
      const counter = fresh();
      let exhausted = 0;
      let exhaustedUntil = Number.POSITIVE_INFINITY;
      return {
        ...counter,
        standing(at) {
          if (at >= exhaustedUntil) {
            exhausted += 1;
            exhaustedUntil = Number.POSITIVE_INFINITY;
          }
          const standing = counter.standing(at);
          const missing = requests - restores(requests, exhausted);
          const remaining = Math.max(0, standing.remaining - missing);
          if (remaining > 0) return { ...standing, remaining };
          exhaustedUntil = standing.resetsAt;
          return { ...standing, remaining, admitsAt: standing.resetsAt };
        },
      };
    }),
    async wire(target) {
      await exhaust(target);
      await target.wait(60_000);
      const { admitted } = await exhaust(target);
      const expected = restores(target.perMinute, 1);
      expectOnWire(admitted === expected, `${expected} are admitted in the second window: ${admitted}`);
    },
  };
}

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

/** Bugs in how long a window lasts, and in what the next one begins with. */
export const windowFaults: readonly LimitFault[] = [
  windowOf({
    name: 'window-of-fifteen-seconds',
    title: 'The window is fifteen seconds long',
    seconds: 15,
  }),
  windowOf({ name: 'half-a-minute', title: 'The window is half a minute long', seconds: 30 }),
  {
    ...windowOf({
      name: 'half-a-minute-that-slides',
      title: 'The log slides, and is half a minute long',
      seconds: 30,
    }),
    behind: ['fixed-window-aligned'],
    options: { windowMs: 30_000, limiter: { algorithm: 'sliding-log' } },
    async wire(target) {
      const first = await exhaust(target);
      await target.wait(31_000);
      const second = await exhaust(target);
      expectOnWire(
        first.admitted === target.perMinute && second.admitted === target.perMinute,
        'twice the limit in a minute',
      );
    },
  },
  windowOf({
    name: 'window-of-forty-five-seconds',
    title: 'The window is forty-five seconds long',
    seconds: 45,
  }),
  windowOf({
    name: 'window-of-fifty-five-seconds',
    title: 'The window is fifty-five seconds long',
    seconds: 55,
  }),
  windowOf({ name: 'window-of-ninety-seconds', title: 'The window is ninety seconds long', seconds: 90 }),
  windowOf({ name: 'window-of-two-minutes', title: 'The window is two minutes long', seconds: 120 }),
  {
    name: 'half-a-minute-unannounced',
    title: 'The window is half a minute long, and the headers announce a minute',
    breaks: ['LIMIT-02'],
    options: withMinuteCounter((fresh, { windowMs }) =>
      announcing(fresh(), fresh({ windowMs: windowMs / 2 })),
    ),
    async wire(target) {
      const { last } = await exhaust(target);
      expectOnWire(Number(last.header('retry-after')) > 30, 'a minute is announced');
      await target.wait(31_000);
      expectOnWire((await send(target)).status === 200, 'and ends after half of it');
    },
  },
  {
    ...rejectedAfterRetryAfter({
      name: 'two-minutes-unannounced',
      title: 'The window is two minutes long, and the headers announce one',
      breaks: ['LIMIT-05', 'LIMIT-14'],
      counter: (fresh) => fresh,
    }),
    options: withMinuteCounter((fresh, { requests, windowMs }) =>
      announcing(fresh(), fixedWindowFromFirstRequest({ requests, windowMs: 2 * windowMs })),
    ),
  },
  {
    ...rejectedAfterRetryAfter({
      name: 'never-resets',
      title: "The counter's key has lost its expiry: the window never resets",
      breaks: ['LIMIT-05', 'LIMIT-14'],
      counter: (fresh) => fresh,
    }),
    options: withMinuteCounter((fresh) => neverRestored(fresh(), fresh())),
  },
  rejectedAfterRetryAfter({
    name: 'extended-by-each-429',
    title: 'Each 429 begins the window anew, which no header says',
    breaks: ['LIMIT-05', 'LIMIT-14'],
    counter: extendedByRejections,
  }),
  rejectedAfterRetryAfter({
    name: 'shut-out-at-the-first-429',
    title: 'A key whose limit is exhausted is blocked for five minutes, which no header says',
    breaks: ['LIMIT-05', 'LIMIT-14'],
    counter: blockedForFive,
  }),
  rejectedAfterRetryAfter({
    name: 'held-three-seconds-longer',
    title: 'Requests are rejected until three seconds after the time that was announced',
    breaks: ['LIMIT-05', 'LIMIT-14'],
    counter: (counter) => heldLonger(counter, 3_000),
  }),
  rejectedAfterRetryAfter({
    name: 'held-eight-seconds-longer',
    title: 'Requests are rejected until eight seconds after the time that was announced',
    breaks: ['LIMIT-05', 'LIMIT-14'],
    counter: (counter) => heldLonger(counter, 8_000),
  }),
  partlyRestored({
    name: 'restored-by-half',
    title: 'A window that follows an exhausted one begins with half of the limit',
    restores: (requests, exhausted) => (exhausted === 0 ? requests : requests / 2),
  }),
  partlyRestored({
    name: 'restored-by-ten',
    title: 'After the first exhausted window, every window begins with ten requests',
    restores: (requests, exhausted) => (exhausted === 0 ? requests : 10),
  }),
  partlyRestored({
    name: 'restored-by-five-less-each-time',
    title: 'Each exhausted window leaves the next one five requests shorter',
    restores: (requests, exhausted) => requests - 5 * exhausted,
  }),
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
    async wire(target) {
      await exhaust(target);
      for (let sent = 0; sent < 4; sent += 1) await send(target);
      await target.wait(60_000);
      const { admitted } = await exhaust(target);
      expectOnWire(admitted === target.perMinute - 5, `five fewer are admitted: ${admitted}`);
    },
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
    async wire(target) {
      expectOnWire((await exhaust(target)).admitted === target.perMinute, 'the limit is exhausted');
      expectOnWire((await exhaust(target)).admitted === target.perMinute, 'the next requests find all of it');
    },
  },
];
