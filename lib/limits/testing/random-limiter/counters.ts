/**
 * How conforming limiters count the requests of one caller. Written from the specification and from what libraries do,
 * without a look at the judge or at the reference service: shared code would hide a shared mistake.
 */

/** Counts requests. Times are whole milliseconds, and never go back. */
export interface Counter {
  /** The requests that would be admitted at a moment if none came before it. Never falls as time passes. */
  room(at: number): number;
  /** Counts a request. @returns takes it back, for responses that use up nothing */
  count(at: number): () => void;
}

/** The length of a window: a minute, except for the quota of the day. */
export const minute = 60_000;

/** Floating-point errors of a counter, far below one request. */
const tolerance = 1e-6;

/** Windows that begin with every `windowMs` of the clock, moved by a phase. */
export function windowByClock(limit: number, phase = 0, windowMs = minute): Counter {
  let window = Number.NEGATIVE_INFINITY;
  let used = 0;
  const windowOf = (at: number): number => Math.floor((at - phase) / windowMs);
  return {
    room: (at) => (windowOf(at) === window ? Math.max(0, limit - used) : limit),
    count(at) {
      if (windowOf(at) !== window) used = 0;
      window = windowOf(at);
      used += 1;
      const counted = window;
      return () => {
        if (counted === window) used -= 1;
      };
    },
  };
}

/** A window begins with the first request after the one before. */
export function windowFromRequest(limit: number, windowMs = minute): Counter {
  let begin = Number.NEGATIVE_INFINITY;
  let used = 0;
  const isOver = (at: number): boolean => at >= begin + windowMs;
  return {
    room: (at) => (isOver(at) ? limit : Math.max(0, limit - used)),
    count(at) {
      if (isOver(at)) {
        begin = at;
        used = 0;
      }
      used += 1;
      const counted = begin;
      return () => {
        if (counted === begin) used -= 1;
      };
    },
  };
}

/** Each request is held for a minute. By parts, it is held from the begin of its part of the clock to the end of a minute of parts. */
export function slidingLog(limit: number, partMs = 1): Counter {
  let held: Array<{ readonly from: number }> = [];
  const partOf = (at: number): number => at - (at % partMs);
  const isHeld = (at: number) => (one: { readonly from: number }) => one.from + minute > partOf(at);
  return {
    room: (at) => Math.max(0, limit - held.filter(isHeld(at)).length),
    count(at) {
      const entry = { from: partOf(at) };
      held = [...held.filter(isHeld(at)), entry];
      return () => {
        held = held.filter((one) => one !== entry);
      };
    },
  };
}

/** Parts of a minute are summed; the one that leaves the minute weighs as much as is left of it. They begin with the clock, or later. */
export function slidingCounter(limit: number, parts = 1, phase = 0): Counter {
  const partMs = minute / parts;
  const used = new Map<number, number>();
  const partOf = (at: number): number => Math.floor((at - phase) / partMs);
  return {
    room(at) {
      const part = partOf(at);
      const left = 1 - ((at - phase) % partMs) / partMs;
      let weight = (used.get(part - parts) ?? 0) * left;
      for (let before = 0; before < parts; before += 1) weight += used.get(part - before) ?? 0;
      return Math.max(0, Math.floor(limit - weight + tolerance));
    },
    count(at) {
      const part = partOf(at);
      used.set(part, (used.get(part) ?? 0) + 1);
      return () => used.set(part, (used.get(part) ?? 1) - 1);
    },
  };
}

/** Tokens come evenly, a minute for a full bucket. */
export function tokenBucket(limit: number): Counter {
  let tokens = limit;
  let since = 0;
  const tokensAt = (at: number): number => Math.min(limit, tokens + ((at - since) * limit) / minute);
  return {
    room: (at) => Math.max(0, Math.floor(tokensAt(at) + tolerance)),
    count(at) {
      // A rejected request that is counted finds nothing to take.
      tokens = Math.max(0, tokensAt(at) - 1);
      since = at;
      return () => {
        tokens = Math.min(limit, tokens + 1);
      };
    },
  };
}

/** The generic cell rate algorithm: when the next request would be due, if they came evenly. */
export function cellRate(limit: number): Counter {
  const interval = minute / limit;
  let due = 0;
  return {
    room: (at) => Math.max(0, Math.floor((minute - Math.max(0, due - at)) / interval + tolerance)),
    count(at) {
      due = Math.max(due, at) + interval;
      return () => {
        due -= interval;
      };
    },
  };
}

/** Tokens come several at once, every `everyMs` from a moment of the clock or from the first request on. */
export function bucketBySteps(limit: number, everyMs: number, from: 'clock' | 'request'): Counter {
  const refill = (limit * everyMs) / minute;
  let tokens = limit;
  let since: number | undefined;
  const begin = (at: number): number => since ?? (from === 'clock' ? at - (at % everyMs) : at);
  const tokensAt = (at: number): number =>
    Math.min(limit, tokens + Math.floor((at - begin(at)) / everyMs) * refill);
  return {
    room: (at) => Math.max(0, Math.floor(tokensAt(at) + tolerance)),
    count(at) {
      const steps = Math.floor((at - begin(at)) / everyMs);
      tokens = Math.max(0, tokensAt(at) - 1);
      since = begin(at) + steps * everyMs;
      return () => {
        tokens = Math.min(limit, tokens + 1);
      };
    },
  };
}

/** Two limits that must both have room. */
export function both(first: Counter, second: Counter): Counter {
  return {
    room: (at) => Math.min(first.room(at), second.room(at)),
    count(at) {
      const undo = [first.count(at), second.count(at)];
      return () => undo.forEach((one) => one());
    },
  };
}

/** A limiter whose clock shows whole seconds. */
export function byWholeSeconds(counter: Counter): Counter {
  const second = (at: number): number => at - (at % 1_000);
  return { room: (at) => counter.room(second(at)), count: (at) => counter.count(second(at)) };
}

/** The first moment at which there is room for so many, if no request is counted. No counter takes longer than `within`. */
export function whenRoom(counter: Counter, wanted: number, at: number, within: number): number {
  if (counter.room(at) >= wanted) return at;
  let before = at;
  let after = at + within;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (counter.room(middle) >= wanted) after = middle;
    else before = middle;
  }
  return after;
}
