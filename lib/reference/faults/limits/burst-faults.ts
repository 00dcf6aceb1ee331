import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { LimitFault } from './limit-fault.js';
import { withLimiter } from './limiter-changes.js';

/** Bugs that only requests at the same time show. */
export const burstFaults: readonly LimitFault[] = [
  {
    name: 'racy-by-a-turn',
    title: 'The count is read and raised in two turns of the event loop',
    breaks: ['LIMIT-03'],
    options: { limiter: { gap: () => nextTurn() } },
  },
  {
    name: 'racy-by-five-milliseconds',
    title: 'A query to a database lies between reading the count and raising it',
    breaks: ['LIMIT-03'],
    options: { limiter: { gap: () => delay(5) } },
  },
  {
    name: 'creations-race',
    title: 'The count is read and raised apart for creations alone, around their transaction',
    breaks: ['LIMIT-03'],
    options: {
      limiter: { gap: ({ operation }) => (operation === 'createPet' ? delay(20) : undefined) },
    },
  },
  {
    name: 'counts-twice-in-parallel',
    title: 'A request whose write collides with another one is counted again by the retry',
    breaks: ['LIMIT-03'],
    group: 'too few',
    options: withLimiter((limiter) => {
      let writing = 0;
      return {
        async take(call) {
          const alone = writing === 0;
          writing += 1;
          await delay(2);
          writing -= 1;
          const decision = await limiter.take(call);
          return alone || !decision.admitted ? decision : limiter.take(call);
        },
      };
    }),
  },
  {
    name: 'refuses-while-another-is-under-way',
    title: 'A lock on the counter rejects requests that come while it is held',
    breaks: ['LIMIT-03', 'LIMIT-06'],
    group: 'too few',
    options: withLimiter((limiter) => {
      let held = 0;
      return {
        async take(call) {
          const free = held < 5;
          held += 1;
          await delay(4);
          const decision = free ? await limiter.take(call) : undefined;
          held -= 1;
          if (decision) return decision;
          const { minute, day } = await limiter.take(call);
          return { admitted: false, minute, day };
        },
      };
    }),
  },
];
