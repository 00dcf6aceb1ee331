import type { Algorithm } from './counter.js';

/** A fixed window that begins at multiples of its length: each full minute, each midnight in UTC. */
export const fixedWindowAligned: Algorithm = ({ requests, windowMs }) => {
  let window = Number.NEGATIVE_INFINITY;
  let counted = 0;
  const turnTo = (at: number): void => {
    const current = Math.floor(at / windowMs);
    // A clock that is set back does not open a window again that was already used up.
    if (current <= window) return;
    window = current;
    counted = 0;
  };
  return {
    standing(at) {
      turnTo(at);
      const resetsAt = (window + 1) * windowMs;
      const remaining = Math.max(0, requests - counted);
      return { limit: requests, remaining, resetsAt, admitsAt: remaining > 0 ? at : resetsAt };
    },
    count(at) {
      turnTo(at);
      counted += 1;
    },
    giveBack(at) {
      turnTo(at);
      counted = Math.max(0, counted - 1);
    },
  };
};
