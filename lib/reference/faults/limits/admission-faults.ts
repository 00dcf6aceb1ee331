import { withRefusals } from '../../changes.js';
import type { RequirementId } from '../../../specification/catalogue.js';
import { tokenBucket } from '../../limiter/token-bucket.js';
import type { ReferenceOptions } from '../../options.js';
import { send, expectOnWire } from '../wire.js';
import { around, granting, minuteBy, useUp, type LimitFault } from './limit-fault.js';

/** What is wrong when more, or less, than the figure is admitted, whichever way the window is used up. */
const tooMany: readonly RequirementId[] = ['LIMIT-02', 'LIMIT-03', 'LIMIT-09'];
const tooFew: readonly RequirementId[] = ['LIMIT-01', 'LIMIT-03', 'LIMIT-09'];

/** A fault in how many are admitted; seen by listing until one is refused. */
function admits(
  name: string,
  title: string,
  breaks: readonly RequirementId[],
  options: ReferenceOptions,
  served: (perMinute: number) => number,
): LimitFault {
  return {
    name,
    title,
    breaks,
    options,
    async wire(target) {
      const wanted = served(target.perMinute);
      const most = Math.min(wanted + 1, 3 * target.perMinute);
      const response = await useUp(target, most);
      expectOnWire(response.served === Math.min(wanted, most), `${title}: ${response.served} were served`);
    },
  };
}

/** All of the limit is there again after so many milliseconds. */
function twiceInAMinute(after: number): LimitFault['wire'] {
  return async (target) => {
    const first = await useUp(target);
    await target.wait(after);
    const second = await useUp(target);
    expectOnWire(
      first.served === target.perMinute && second.served === target.perMinute,
      'twice the figure in a minute',
    );
  };
}

export const figureFaults: readonly LimitFault[] = [
  admits(
    'limit-one-more',
    'The comparison is "greater than": one request too many is admitted',
    tooMany,
    granting(
      (requests) => requests + 1,
      ({ limit, remaining }) => ({ limit: limit - 1, remaining: Math.max(0, remaining - 1) }),
    ),
    (perMinute) => perMinute + 1,
  ),
  admits(
    'limit-one-less',
    'The request that reaches the figure is refused already',
    tooFew,
    granting(
      (requests) => requests - 1,
      ({ limit, remaining }) => ({ limit: limit + 1, remaining }),
    ),
    (perMinute) => perMinute - 1,
  ),
  admits(
    'limit-doubled',
    'Two processes behind a balancer each grant the whole figure',
    tooMany,
    granting(
      (requests) => requests * 2,
      ({ limit, remaining }) => ({ limit: limit / 2, remaining: Math.max(0, remaining - limit / 2) }),
    ),
    (perMinute) => perMinute * 2,
  ),
  admits(
    'limit-halved',
    'Every request is counted twice, by two layers',
    tooFew,
    granting(
      (requests) => requests / 2,
      ({ limit, remaining }) => ({ limit: limit * 2, remaining: remaining * 2 }),
    ),
    (perMinute) => perMinute / 2,
  ),
  admits(
    'never-limits',
    'The limit is told and never applied',
    tooMany,
    granting(
      () => 1_000_000,
      () => ({ limit: 60, remaining: 12 }),
    ),
    () => Number.POSITIVE_INFINITY,
  ),
  admits(
    'limit-of-a-larger-plan',
    'The key is given the figure of a larger plan',
    tooMany,
    granting((requests) => requests * 5),
    (perMinute) => perMinute * 5,
  ),
  admits(
    'limit-of-a-smaller-plan',
    'The key is given the figure of a smaller plan',
    tooFew,
    granting((requests) => requests / 3),
    (perMinute) => perMinute / 3,
  ),
  admits(
    'small-burst',
    'The figure is only a rate: no more than ten requests are admitted at once',
    tooFew,
    minuteBy(({ requests, windowMs }) => tokenBucket({ requests: 10, windowMs: (windowMs * 10) / requests })),
    () => 10,
  ),
  admits(
    'listings-not-counted',
    'Requests that only read are not counted',
    tooMany,
    { limiter: { uncounted: [200, 429] } },
    () => Number.POSITIVE_INFINITY,
  ),
  {
    name: 'half-a-minute',
    title: 'The window is half a minute long',
    breaks: ['LIMIT-02'],
    options: { windowMs: 30_000 },
    wire: twiceInAMinute(30_000),
  },
  {
    name: 'half-a-minute-that-slides',
    title: 'The log slides, and is half a minute long',
    breaks: ['LIMIT-02'],
    options: { windowMs: 30_000, limiter: { algorithm: 'sliding-log' } },
    wire: twiceInAMinute(31_000),
  },
  {
    name: '503-for-429',
    title: 'A request over the limit is answered with 503',
    breaks: ['LIMIT-02'],
    options: withRefusals(['rate-limited'], (response) => ({ ...response, status: 503 })),
    async wire(target) {
      expectOnWire((await useUp(target)).last.status === 503, 'the request over the limit gets 503');
    },
  },
  {
    name: '403-for-429',
    title: 'A request over the limit is answered with 403',
    breaks: ['LIMIT-02'],
    options: withRefusals(['rate-limited'], (response) => ({ ...response, status: 403 })),
    async wire(target) {
      expectOnWire((await useUp(target)).last.status === 403, 'the request over the limit gets 403');
    },
  },
  {
    name: 'nothing-for-429',
    title: 'The connection is cut where a request is over the limit',
    breaks: ['LIMIT-02'],
    options: withRefusals(['rate-limited'], (response) => ({ ...response, drop: true })),
    async wire(target) {
      await useUp(target, target.perMinute);
      const broken = await send(target).then(
        () => false,
        () => true,
      );
      expectOnWire(broken, 'the connection is cut');
    },
  },
  {
    name: '200-for-429',
    title: 'A request over the limit is answered with 200 and an Error body',
    breaks: tooMany,
    options: withRefusals(['rate-limited'], (response) => ({ ...response, status: 200 })),
    async wire(target) {
      const { last } = await useUp(target);
      expectOnWire(
        last.status === 200 && last.text.includes('rate_limited'),
        'the Error body comes with 200',
      );
    },
  },
  {
    name: 'refuses-while-another-is-under-way',
    title: 'A lock on the counter refuses requests that come while it is held',
    breaks: ['LIMIT-03', 'LIMIT-06'],
    options: around((limiter) => {
      let held = 0;
      return {
        async take(call) {
          const free = held < 5;
          held += 1;
          await new Promise((resolve) => setTimeout(resolve, 4));
          const decision = free ? await limiter.take(call) : undefined;
          held -= 1;
          if (decision) return decision;
          const { minute, day } = await limiter.take(call);
          return { admitted: false, minute, day };
        },
      };
    }),
    async wire(target) {
      const all = await Promise.all(Array.from({ length: target.perMinute }, () => send(target)));
      expectOnWire(
        all.some(({ status }) => status === 429),
        'some are refused within the figure',
      );
    },
  },
];
