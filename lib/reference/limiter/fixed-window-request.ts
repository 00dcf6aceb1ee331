import type { Algorithm } from './counter.js';

/** A fixed window that begins with the caller's first request, and anew with the first one after it has ended. */
export const fixedWindowFromFirstRequest: Algorithm = ({ requests, windowMs }) => {
  let begin: number | undefined;
  let counted = 0;
  const turnTo = (at: number): void => {
    if (begin === undefined || at < begin + windowMs) return;
    begin = undefined;
    counted = 0;
  };
  return {
    standing(at) {
      turnTo(at);
      const resetsAt = (begin ?? at) + windowMs;
      const remaining = Math.max(0, requests - counted);
      return { limit: requests, remaining, resetsAt, admitsAt: remaining > 0 ? at : resetsAt };
    },
    count(at) {
      turnTo(at);
      begin ??= at;
      counted += 1;
    },
    giveBack(at) {
      turnTo(at);
      counted = Math.max(0, counted - 1);
      if (counted === 0) begin = undefined;
    },
  };
};
