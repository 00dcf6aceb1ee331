import type { OperationName } from '../http-message.js';
import { algorithms, type AlgorithmName } from './algorithms.js';
import type { Algorithm, Counter, Standing } from './counter.js';

/** A caller that is counted, and its limits. */
export interface Caller {
  /** The key, or a name that no key has for callers without one. */
  readonly name: string;
  readonly perMinute: number;
  readonly perDay: number;
}

/** The parts of a request that a limiter reads. */
export interface Call {
  readonly caller: Caller;
  readonly operation: OperationName | null;
  /** Path and query, as they were sent. */
  readonly path: string;
  /** The number of the TCP connection. */
  readonly connection: number;
  /** The source address of the connection. */
  readonly address: string;
  /** The client's address that a proxy, or the client itself, has named in a header. */
  readonly namedAddress: string | undefined;
  /** Epoch milliseconds by the service's clock. */
  readonly at: number;
}

/** Whether a request came with a valid key. Callers without one are counted under a name with spaces in it. */
export function hasKey({ caller }: Call): boolean {
  return !caller.name.includes(' ');
}

/** A limiter's decision on one request, and the state of both quotas after it. */
export interface Decision {
  readonly admitted: boolean;
  readonly minute: Standing;
  readonly day: Standing;
}

/** Limits by minute and day (section 8). */
export interface Limiter {
  /** Admits and counts a request, or rejects it. */
  take(call: Call): Decision | Promise<Decision>;
  /** What the limiter would say of a request now. Counts nothing. */
  peek(call: Call): Decision;
  /** Takes back the request of this caller that was counted last. */
  giveBack(call: Call): void;
  /** Called with the status of the response to an admitted request, as some statuses use up nothing. Returns the final decision. */
  finishCall(call: Call, decision: Decision, status: number): Decision;
}

export interface LimiterChoice {
  /** One of the five, or one of your own. The default is `fixed-window-aligned`. */
  readonly algorithm?: AlgorithmName | Algorithm;
  /** Statuses whose requests do not use up the limit. The default is 429 alone; an empty list counts those too. */
  readonly uncounted?: readonly number[];
  /** Changes the algorithm that counts the minute, whichever it is. */
  readonly minute?: AlgorithmChange;
  /** Changes the algorithm that counts the day, whichever it is. */
  readonly day?: AlgorithmChange;
  /** The limits of a caller. By default those of its own plan. */
  readonly quota?: (call: Call) => { readonly perMinute: number; readonly perDay: number };
  /** The name under which requests are counted together. By default the caller's. */
  readonly countedAs?: (call: Call) => string;
  /** Time that passes between reading the count and raising it. By default none: a request is counted at once. */
  readonly gap?: (call: Call) => Promise<void> | undefined;
  /** Wraps the limiter. */
  readonly wrap?: (limiter: Limiter) => Limiter;
}

/** Makes another algorithm of one. Such a change works behind every algorithm. */
export type AlgorithmChange = (algorithm: Algorithm) => Algorithm;

export interface WindowLengths {
  /** The length of "a minute" in milliseconds. */
  readonly windowMs: number;
  /** The length of "a day" in milliseconds. */
  readonly dayMs: number;
}

interface Counters {
  readonly minute: Counter;
  readonly day: Counter;
}

/** Makes the limiter that a choice describes, with a quota of the minute and of the day for each caller. */
export function createLimiter(choice: LimiterChoice, { windowMs, dayMs }: WindowLengths): Limiter {
  const { algorithm = 'fixed-window-aligned', uncounted = [429], gap } = choice;
  const quotaOf = choice.quota ?? ((call: Call) => call.caller);
  const nameOf = choice.countedAs ?? ((call: Call) => call.caller.name);
  const chosen = typeof algorithm === 'function' ? algorithm : algorithms[algorithm];
  const countMinute = choice.minute?.(chosen) ?? chosen;
  const countDay = choice.day?.(chosen) ?? chosen;
  const counters = new Map<string, Counters>();

  const countersOf = (call: Call): Counters => {
    const name = nameOf(call);
    let found = counters.get(name);
    if (!found) {
      const { perMinute, perDay } = quotaOf(call);
      found = {
        minute: countMinute({ requests: perMinute, windowMs }),
        day: countDay({ requests: perDay, windowMs: dayMs }),
      };
      counters.set(name, found);
    }
    return found;
  };
  const decide = (call: Call, { minute, day }: Counters, admitted: boolean): Decision => ({
    admitted,
    minute: minute.standing(call.at),
    day: day.standing(call.at),
  });
  const looked = (call: Call, { minute, day }: Counters): boolean =>
    minute.standing(call.at).remaining > 0 && day.standing(call.at).remaining > 0;
  const counted = (call: Call, held: Counters, admitted: boolean): Decision => {
    if (admitted || !uncounted.includes(429)) {
      held.minute.count(call.at);
      held.day.count(call.at);
    }
    return decide(call, held, admitted);
  };

  const limiter: Limiter = {
    take(call) {
      const held = countersOf(call);
      const admitted = looked(call, held);
      const passed = gap?.(call);
      return passed ? passed.then(() => counted(call, held, admitted)) : counted(call, held, admitted);
    },
    peek(call) {
      const held = countersOf(call);
      return decide(call, held, looked(call, held));
    },
    giveBack(call) {
      const held = countersOf(call);
      held.minute.giveBack(call.at);
      held.day.giveBack(call.at);
    },
    finishCall(call, decision, status) {
      if (!decision.admitted || !uncounted.includes(status)) return decision;
      limiter.giveBack(call);
      return decide(call, countersOf(call), true);
    },
  };
  return choice.wrap ? choice.wrap(limiter) : limiter;
}
