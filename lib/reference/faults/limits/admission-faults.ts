import type { RequirementId } from '../../../specification/catalogue.js';
import type { Standing } from '../../limiter/counter.js';
import { tokenBucket } from '../../limiter/token-bucket.js';
import { combineOptions } from '../../options.js';
import type { LimitFault } from './limit-fault.js';
import { withLimiter, withMinuteCounter, withMinuteHeaders, withSecondLimit } from './limiter-changes.js';

/** What turns when more, or fewer, requests are admitted than the plan says, however the window is exhausted. */
export const tooMany: readonly RequirementId[] = ['LIMIT-02', 'LIMIT-03', 'LIMIT-09'];
const tooFew: readonly RequirementId[] = ['LIMIT-01', 'LIMIT-03', 'LIMIT-09'];

interface AnotherLimit extends Pick<LimitFault, 'name' | 'title' | 'breaks'> {
  /** The requests that are admitted in a minute. */
  readonly admits: (perMinute: number) => number;
  /** What the headers say of it: by default the truth. */
  readonly headers?: (minute: Standing) => Partial<Standing>;
}

/** Another number of requests is admitted than the plan says. */
function anotherLimit({ admits, headers = () => ({}), ...fault }: AnotherLimit): LimitFault {
  const counted = withMinuteCounter((fresh, { requests }) => fresh({ requests: admits(requests) }));
  return { ...fault, options: combineOptions(counted, withMinuteHeaders(headers)) };
}

/** Bugs in how many requests are admitted in a window. */
export const admissionFaults: readonly LimitFault[] = [
  anotherLimit({
    name: 'limit-one-more',
    title: 'The comparison is "greater than": one request too many is admitted',
    breaks: tooMany,
    admits: (perMinute) => perMinute + 1,
    headers: ({ limit, remaining }) => ({ limit: limit - 1, remaining: Math.max(0, remaining - 1) }),
  }),
  anotherLimit({
    name: 'limit-one-less',
    title: 'The request that reaches the limit is rejected already',
    breaks: tooFew,
    admits: (perMinute) => perMinute - 1,
    headers: ({ limit }) => ({ limit: limit + 1 }),
  }),
  anotherLimit({
    name: 'limit-doubled',
    title: 'Two processes behind a balancer each grant the whole limit',
    breaks: tooMany,
    admits: (perMinute) => perMinute * 2,
    headers: ({ limit, remaining }) => ({ limit: limit / 2, remaining: Math.max(0, remaining - limit / 2) }),
  }),
  anotherLimit({
    name: 'limit-halved',
    title: 'Every request is counted twice, by two layers',
    breaks: ['RATE-05', ...tooFew],
    admits: (perMinute) => perMinute / 2,
    headers: ({ limit, remaining }) => ({ limit: limit * 2, remaining: remaining * 2 }),
  }),
  {
    name: 'ten-in-ten-seconds',
    title: 'The limit is spread over the minute: a sixth of it in every ten seconds',
    breaks: tooFew,
    options: combineOptions(
      withMinuteCounter((fresh, { requests }) => fresh({ requests: requests / 6 })),
      withMinuteHeaders(({ limit }) => ({ limit: limit * 6 })),
      { windowMs: 10_000 },
    ),
  },
  {
    name: 'never-limits',
    title: 'The limit is announced and never applied',
    breaks: tooMany,
    options: withLimiter((limiter) => ({
      take: async (call) => ({ ...(await limiter.take(call)), admitted: true }),
    })),
  },
  anotherLimit({
    name: 'limit-of-a-larger-plan',
    title: 'The key is given the limit of a larger plan',
    breaks: ['RATE-04', ...tooMany],
    admits: (perMinute) => perMinute * 5,
  }),
  anotherLimit({
    name: 'limit-of-a-smaller-plan',
    title: 'The key is given the limit of a smaller plan',
    breaks: ['RATE-04', ...tooFew],
    admits: (perMinute) => perMinute / 3,
  }),
  {
    name: 'small-burst',
    title: 'The limit is only a rate: no more than ten requests are admitted at once',
    breaks: ['RATE-04', ...tooFew],
    // It brings an algorithm of its own.
    behind: ['fixed-window-aligned'],
    options: {
      limiter: {
        minute:
          () =>
          ({ requests, windowMs }) =>
            tokenBucket({ requests: 10, windowMs: (windowMs * 10) / requests }),
      },
    },
  },
  {
    name: 'listings-not-counted',
    title: 'Requests that only read are not counted',
    breaks: ['RATE-05', ...tooMany],
    options: { limiter: { uncounted: [200, 429] } },
  },
  {
    name: 'ten-a-second',
    title: 'A second limit of ten requests a second stands beside that of the minute',
    breaks: [...tooFew, 'LIMIT-06'],
    options: withSecondLimit({ requests: 10, windowMs: 1_000 }),
  },
  {
    name: 'every-fifth-let-through',
    title:
      'Every fifth request over the limit is admitted, as the counter is asked with too short a deadline',
    breaks: tooMany,
    options: withLimiter((limiter) => {
      let over = 0;
      return {
        async take(call) {
          const decision = await limiter.take(call);
          if (decision.admitted) return decision;
          over += 1;
          return { ...decision, admitted: over % 5 === 0 };
        },
      };
    }),
  },
];
