import type { Algorithm } from './counter.js';

/** Keeps the time of every request; each comes free again one window after it was made. */
export const slidingLog: Algorithm = ({ requests, windowMs }) => {
  let log: number[] = [];
  let expired = 0;
  const turnTo = (at: number): void => {
    for (let time = log[expired]; time !== undefined && time + windowMs <= at; time = log[expired])
      expired += 1;
    // Expired entries are cut off now and then, not at every request: a day of the Business plan holds 100,000 times.
    if (expired > 1_024 && expired * 2 > log.length) {
      log = log.slice(expired);
      expired = 0;
    }
  };
  return {
    standing(at) {
      turnTo(at);
      const held = log.length - expired;
      const oldest = log[expired] ?? at;
      // If rejected requests count too, more than the quota may be held: all but `requests - 1` have to expire.
      const inTheWay = held >= requests ? log[log.length - requests] : undefined;
      return {
        limit: requests,
        remaining: Math.max(0, requests - held),
        resetsAt: oldest + windowMs,
        admitsAt: inTheWay === undefined ? at : inTheWay + windowMs,
      };
    },
    count(at) {
      turnTo(at);
      log.push(at);
    },
    giveBack(at) {
      turnTo(at);
      if (log.length > expired) log.pop();
    },
  };
};
