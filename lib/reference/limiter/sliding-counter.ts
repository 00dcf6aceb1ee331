import type { Algorithm } from './counter.js';

/**
 * Two counts for windows aligned to the clock: the last one's weighs less the further the current one has gone
 * (previous x share left + current). Needs no log, and is exact only if the last window was used evenly.
 */
export const slidingCounter: Algorithm = ({ requests, windowMs }) => {
  let window = Number.NEGATIVE_INFINITY;
  let previous = 0;
  let current = 0;
  const turnTo = (at: number): void => {
    const now = Math.floor(at / windowMs);
    if (now <= window) return;
    previous = now === window + 1 ? current : 0;
    current = 0;
    window = now;
  };
  /** When a weight that falls evenly from `weight` at `begin` to 0 leaves room for one more beside `counted`. */
  const roomFrom = (begin: number, weight: number, counted: number): number => {
    const allowed = requests - 1 - counted;
    return weight <= allowed ? begin : begin + Math.ceil(windowMs * (1 - allowed / weight));
  };
  return {
    standing(at) {
      turnTo(at);
      const begin = window * windowMs;
      const next = begin + windowMs;
      const share = Math.min(1, Math.max(0, (next - at) / windowMs));
      // The tolerance absorbs floating-point errors, far below one request.
      const remaining = Math.max(0, Math.floor(requests - current - previous * share + 1e-9));
      const admitsAt = current < requests ? roomFrom(begin, previous, current) : roomFrom(next, current, 0);
      return { limit: requests, remaining, resetsAt: next, admitsAt: remaining > 0 ? at : admitsAt };
    },
    count(at) {
      turnTo(at);
      current += 1;
    },
    giveBack(at) {
      turnTo(at);
      current = Math.max(0, current - 1);
    },
  };
};
