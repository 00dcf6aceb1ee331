import type { RequirementId } from '../../../specification/catalogue.js';
import type { Standing } from '../../limiter/counter.js';
import { tokenBucket } from '../../limiter/token-bucket.js';
import { combineOptions, type ReferenceOptions } from '../../options.js';
import { expectOnWire, send } from '../wire.js';
import { breaksBitByBit, exhaust, type LimitFault } from './limit-fault.js';
import { withLimiter, withMinuteCounter, withMinuteHeaders, withSecondLimit } from './limiter-changes.js';

/** What turns when more, or fewer, requests are admitted than the plan says, however the window is exhausted. */
export const tooMany: readonly RequirementId[] = ['LIMIT-02', 'LIMIT-03', 'LIMIT-09'];
const tooFew: readonly RequirementId[] = ['LIMIT-01', 'LIMIT-03', 'LIMIT-09'];

interface AnotherLimit extends Pick<LimitFault, 'name' | 'title' | 'breaks' | 'breaksUnder'> {
  /** The requests that are admitted in a minute. */
  readonly admits: (perMinute: number) => number;
  /** What the headers say of it: by default the truth. */
  readonly headers?: (minute: Standing) => Partial<Standing>;
  /** By default the counter is given another limit. */
  readonly options?: ReferenceOptions;
}

/** Another number of requests is admitted than the plan says. The wire look sends listings until one is rejected. */
function anotherLimit({ admits, headers, options, ...fault }: AnotherLimit): LimitFault {
  const counted = withMinuteCounter((fresh, { requests }) => fresh({ requests: admits(requests) }));
  return {
    ...fault,
    options: combineOptions(options ?? counted, headers === undefined ? {} : withMinuteHeaders(headers)),
    async wire(target) {
      const expected = admits(target.perMinute);
      const most = Math.min(expected + 1, 3 * target.perMinute);
      const { admitted } = await exhaust(target, { most });
      expectOnWire(admitted === Math.min(expected, most), `${fault.title}: ${admitted} were admitted`);
    },
  };
}

interface LetThrough extends Pick<LimitFault, 'name' | 'title'> {
  readonly oneIn: number;
}

/** Of the requests over the limit, one in so many is admitted. */
function oneLetThrough({ oneIn, ...fault }: LetThrough): LimitFault {
  return {
    ...fault,
    breaks: tooMany,
    options: withLimiter((limiter) => {
      let over = 0;
      return {
        async take(call) {
          const decision = await limiter.take(call);
          if (decision.admitted) return decision;
          over += 1;
          return { ...decision, admitted: over % oneIn === 0 };
        },
      };
    }),
    async wire(target) {
      expectOnWire((await exhaust(target)).admitted === target.perMinute, 'the limit is exhausted');
      let admitted = 0;
      for (let sent = 1; sent < oneIn; sent += 1) if ((await send(target)).status === 200) admitted += 1;
      expectOnWire(admitted === 1, 'one request over the limit is admitted');
    },
  };
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
    name: 'limit-with-grace',
    title: 'A tenth more than the limit is admitted before anything is rejected',
    breaks: tooMany,
    admits: (perMinute) => Math.round(perMinute * 1.1),
    headers: ({ limit, remaining }) => ({
      limit: Math.round(limit / 1.1),
      remaining: Math.max(0, Math.round(remaining - limit / 11)),
    }),
  }),
  anotherLimit({
    name: 'limit-with-reserve',
    title: 'A tenth of the limit is kept in reserve, and Remaining does not count it',
    breaks: tooFew,
    admits: (perMinute) => Math.round(perMinute * 0.9),
    headers: ({ limit }) => ({ limit: Math.round(limit / 0.9) }),
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
  anotherLimit({
    name: 'ten-in-ten-seconds',
    title: 'The limit is spread over the minute: a sixth of it in every ten seconds',
    breaks: tooFew,
    admits: (perMinute) => perMinute / 6,
    headers: ({ limit }) => ({ limit: limit * 6 }),
    options: {
      ...withMinuteCounter((fresh, { requests }) => fresh({ requests: requests / 6 })),
      windowMs: 10_000,
    },
  }),
  anotherLimit({
    name: 'never-limits',
    title: 'The limit is announced and never applied',
    breaks: tooMany,
    admits: () => Number.POSITIVE_INFINITY,
    options: withLimiter((limiter) => ({
      take: async (call) => ({ ...(await limiter.take(call)), admitted: true }),
    })),
  }),
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
    ...anotherLimit({
      name: 'small-burst',
      title: 'The limit is only a rate: no more than ten requests are admitted at once',
      breaks: ['RATE-04', ...tooFew],
      admits: () => 10,
      options: {
        limiter: {
          minute:
            () =>
            ({ requests, windowMs }) =>
              tokenBucket({ requests: 10, windowMs: (windowMs * 10) / requests }),
        },
      },
    }),
    // It brings an algorithm of its own.
    behind: ['fixed-window-aligned'],
  },
  anotherLimit({
    name: 'listings-not-counted',
    title: 'Requests that only read are not counted',
    breaks: ['RATE-05', ...tooMany],
    admits: () => Number.POSITIVE_INFINITY,
    options: { limiter: { uncounted: [200, 429] } },
  }),
  anotherLimit({
    name: 'ten-a-second',
    title: 'A second limit of ten requests a second stands beside that of the minute',
    // A 429 beside a Remaining above 0.
    breaks: ['RATE-05', ...tooFew, 'LIMIT-06'],
    breaksUnder: breaksBitByBit('RATE-05', ...tooFew),
    admits: () => 10,
    options: withSecondLimit({ requests: 10, windowMs: 1_000 }),
  }),
  anotherLimit({
    name: 'thirty-in-ten-seconds',
    title: 'A second limit of thirty requests in ten seconds stands beside that of the minute',
    // A 429 beside a Remaining above 0.
    breaks: ['RATE-05', ...tooFew, 'LIMIT-06'],
    breaksUnder: breaksBitByBit('RATE-05', ...tooFew),
    admits: () => 30,
    options: withSecondLimit({ requests: 30, windowMs: 10_000 }),
  }),
  oneLetThrough({
    oneIn: 2,
    name: 'every-second-let-through',
    title: 'Every second request over the limit is admitted',
  }),
  oneLetThrough({
    oneIn: 3,
    name: 'every-third-let-through',
    title: 'Every third request over the limit is admitted',
  }),
  oneLetThrough({
    oneIn: 5,
    name: 'every-fifth-let-through',
    title:
      'Every fifth request over the limit is admitted, as the counter is asked with too short a deadline',
  }),
];
