import { hasKey } from '../../limiter/limiter.js';
import { tooMany } from './admission-faults.js';
import type { LimitFault } from './limit-fault.js';
import { withLimiter, withMinuteCounter } from './limiter-changes.js';

/** Bugs in what is counted together: one counter too many, or one too few. */
export const counterFaults: readonly LimitFault[] = [
  {
    name: 'counted-by-operation',
    title: 'Each operation has a limit of its own',
    breaks: ['LIMIT-09'],
    options: { limiter: { countedAs: ({ caller, operation }) => `${caller.name} ${operation}` } },
  },
  {
    name: 'counted-by-path',
    title: 'Each path has a limit of its own, so that each animal has one',
    breaks: ['LIMIT-09'],
    options: {
      limiter: { countedAs: ({ caller, path }) => `${caller.name} ${path.split('?')[0]}` },
    },
  },
  {
    name: 'counted-by-connection',
    title: 'The limit is counted for each connection',
    breaks: ['RATE-05', ...tooMany],
    options: { limiter: { countedAs: ({ caller, connection }) => `${caller.name} ${connection}` } },
  },
  {
    name: 'counts-written-once-a-second',
    title: 'Counts are collected, and reach the store once a second',
    breaks: ['RATE-05', ...tooMany],
    options: withMinuteCounter((fresh) => {
      const store = fresh();
      let collected = 0;
      let written = Number.NEGATIVE_INFINITY;
      const write = (at: number): void => {
        if (at < written + 1_000) return;
        for (; collected > 0; collected -= 1) store.count(at);
        written = at;
      };
      return {
        standing(at) {
          write(at);
          return store.standing(at);
        },
        count(at) {
          write(at);
          collected += 1;
        },
        giveBack(at) {
          if (collected > 0) collected -= 1;
          else store.giveBack(at);
        },
      };
    }),
  },
  {
    name: 'counted-by-address',
    title: 'All keys of a client are counted together',
    breaks: ['LIMIT-08'],
    options: { limiter: { countedAs: () => 'everyone' } },
  },
  {
    name: 'all-keys-rejected-while-one-is-over',
    title: 'While one key is over its limit, every key is rejected',
    breaks: ['LIMIT-08'],
    options: withLimiter((limiter) => {
      let until = Number.NEGATIVE_INFINITY;
      return {
        async take(call) {
          if (!hasKey(call)) return limiter.take(call);
          const decision = limiter.peek(call);
          if (decision.admitted && call.at < until) {
            return { ...decision, admitted: false, minute: { ...decision.minute, admitsAt: until } };
          }
          if (!decision.admitted) until = decision.minute.admitsAt;
          return limiter.take(call);
        },
      };
    }),
  },
];
