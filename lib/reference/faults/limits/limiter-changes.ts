import { withBehaviour } from '../../changes.js';
import type { Counter, Quota, Standing } from '../../limiter/counter.js';
import { fixedWindowFromFirstRequest } from '../../limiter/fixed-window-request.js';
import { hasKey, type AlgorithmChange, type Call, type Limiter } from '../../limiter/limiter.js';
import type { ReferenceOptions } from '../../options.js';

/** A counter of the chosen algorithm, for the quota of the minute or another one. */
export type FreshCounter = (quota?: Partial<Quota>) => Counter;

/** Changes how the minute is counted, behind any algorithm. */
export function withMinuteCounter(change: (fresh: FreshCounter, quota: Quota) => Counter): ReferenceOptions {
  return { limiter: { minute: counterChange(change) } };
}

/** Changes how the day is counted, behind any algorithm. */
export function withDayCounter(change: (fresh: FreshCounter, quota: Quota) => Counter): ReferenceOptions {
  return { limiter: { day: counterChange(change) } };
}

function counterChange(change: (fresh: FreshCounter, quota: Quota) => Counter): AlgorithmChange {
  return (algorithm) => (quota) => change((other) => algorithm({ ...quota, ...other }), quota);
}

/** Changes what the headers say of the minute. Whether a request is rejected has been decided before. */
export function withMinuteHeaders(
  change: (minute: Standing, admitted: boolean, at: number) => Partial<Standing>,
): ReferenceOptions {
  return withBehaviour(({ rateHeaders }) => ({
    rateHeaders: (decision, request) => {
      const { minute, admitted } = decision;
      return rateHeaders(
        { ...decision, minute: { ...minute, ...change(minute, admitted, request.at) } },
        request,
      );
    },
  }));
}

/** A limiter around the conforming one that decides some requests in another way. */
export function withLimiter(change: (limiter: Limiter) => Partial<Limiter>): ReferenceOptions {
  return { limiter: { wrap: (limiter) => ({ ...limiter, ...change(limiter) }) } };
}

/** Bans a key for some time after so many rejections in a row, and says so (section 8.3 allows it). */
export function withBans(rejections: number, milliseconds: number): ReferenceOptions {
  return withLimiter((limiter) => {
    const callers = new Map<string, { inARow: number; bannedUntil: number }>();
    return {
      async take(call) {
        const caller = callers.get(call.caller.name) ?? { inARow: 0, bannedUntil: 0 };
        callers.set(call.caller.name, caller);
        const decision = await limiter.take(call);
        caller.inARow = decision.admitted ? 0 : caller.inARow + 1;
        if (call.at >= caller.bannedUntil && caller.inARow >= rejections)
          Object.assign(caller, { inARow: 0, bannedUntil: call.at + milliseconds });
        if (call.at >= caller.bannedUntil) return decision;
        const banned = { remaining: 0, resetsAt: caller.bannedUntil, admitsAt: caller.bannedUntil };
        return { admitted: false, minute: { ...decision.minute, ...banned }, day: decision.day };
      },
    };
  });
}

export interface SecondLimit {
  readonly requests: number;
  readonly windowMs: number;
  /** Which requests it is for: by default all that have a key. */
  readonly matches?: (call: Call) => boolean;
}

/** A second limit beside that of the minute, which no header announces. */
export function withSecondLimit({ requests, windowMs, matches = () => true }: SecondLimit): ReferenceOptions {
  return withLimiter((limiter) => {
    const counters = new Map<string, Counter>();
    return {
      async take(call) {
        if (!hasKey(call) || !matches(call)) return limiter.take(call);
        const { name } = call.caller;
        const counter = counters.get(name) ?? fixedWindowFromFirstRequest({ requests, windowMs });
        counters.set(name, counter);
        const { remaining, admitsAt } = counter.standing(call.at);
        if (remaining === 0) {
          const { minute, day } = limiter.peek(call);
          return { admitted: false, minute: { ...minute, admitsAt }, day };
        }
        const decision = await limiter.take(call);
        if (decision.admitted) counter.count(call.at);
        return decision;
      },
    };
  });
}

/** Decides by one counter, and announces the times of another one. */
export function announcing(announced: Counter, deciding: Counter): Counter {
  return {
    standing(at) {
      const { limit, remaining } = deciding.standing(at);
      const { resetsAt, admitsAt } = announced.standing(at);
      // A client that is rejected though the announced window has room waits until that window ends.
      const waitsUntil = admitsAt > at ? admitsAt : resetsAt;
      return { limit, remaining, resetsAt, admitsAt: remaining > 0 ? at : waitsUntil };
    },
    count(at) {
      announced.count(at);
      deciding.count(at);
    },
    giveBack(at) {
      announced.giveBack(at);
      deciding.giveBack(at);
    },
  };
}
