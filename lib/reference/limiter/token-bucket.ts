import type { Algorithm } from './counter.js';

/**
 * A bucket that holds a whole window's requests and refills evenly. Kept as the moment when it will be full, which is
 * exact, whereas a count of tokens would gather rounding errors. Reset is that moment.
 */
export const tokenBucket: Algorithm = ({ requests, windowMs }) => {
  const interval = windowMs / requests;
  let fullAt = Number.NEGATIVE_INFINITY;
  return {
    standing(at) {
      const missing = Math.max(0, fullAt - at) / interval;
      const remaining = Math.max(0, Math.floor(requests - missing + 1e-9));
      const admitsAt = remaining > 0 ? at : Math.ceil(fullAt - (requests - 1) * interval - 1e-6);
      return { limit: requests, remaining, resetsAt: Math.max(fullAt, at), admitsAt };
    },
    count(at) {
      fullAt = Math.max(fullAt, at) + interval;
    },
    giveBack() {
      fullAt -= interval;
    },
  };
};
