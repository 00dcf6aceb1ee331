import type { Algorithm } from './counter.js';

/** A bucket that is refilled by many tokens at once, every so many milliseconds, and is full at Reset. @param from when */
export function intervalBucket(everyMs: number, from: 'the first request' | 'the clock'): Algorithm {
  return ({ requests, windowMs }) => {
    const refill = (requests * everyMs) / windowMs;
    let tokens = requests;
    let refilledAt: number | undefined;
    const refillUntil = (at: number): number => {
      const since = (refilledAt ??= from === 'the clock' ? at - (at % everyMs) : at);
      const times = Math.floor((at - since) / everyMs);
      tokens = Math.min(requests, tokens + times * refill);
      refilledAt = since + times * everyMs;
      return refilledAt;
    };
    return {
      standing(at) {
        const since = refillUntil(at);
        /** When the bucket holds so many. */
        const holds = (wanted: number): number =>
          tokens >= wanted ? at : since + Math.ceil((wanted - tokens) / refill) * everyMs;
        const remaining = Math.floor(tokens);
        return { limit: requests, remaining, resetsAt: holds(requests), admitsAt: holds(1) };
      },
      count(at) {
        refillUntil(at);
        tokens -= 1;
      },
      giveBack() {
        tokens = Math.min(requests, tokens + 1);
      },
    };
  };
}
