import { mapHeader } from '../../http-message.js';
import { withBehaviour, withResponses } from '../../changes.js';
import type { Call, Decision, Limiter } from '../../limiter/limiter.js';
import type { Fault, WireTarget } from '../fault.js';
import { create, send, expectOnWire, type WireRequest } from '../wire.js';

const unknown: WireRequest = { path: '/pets/9223372036854775807' };

/** What Remaining says after each of these requests, one after the other. */
async function remainingAfter(target: WireTarget, request: readonly WireRequest[]): Promise<number[]> {
  const response: number[] = [];
  for (const one of request) response.push(Number((await send(target, one)).header('x-ratelimit-remaining')));
  return response;
}

/** Changes how a limiter takes a request. */
function withTake(take: (limiter: Limiter, call: Call) => Decision | Promise<Decision>): Fault['options'] {
  return {
    limiter: { wrap: (limiter) => ({ ...limiter, take: (call) => take(limiter, call) }) },
  };
}

/** Rate-limit headers that are well formed, with values that no limiter has. */
export const rateHabitFaults: readonly Fault[] = [
  {
    name: 'limit-of-0-for-guests',
    title: 'A 401 says that the limit is 0 and nothing remains',
    breaks: ['RATE-01'],
    options: withResponses((response) => {
      if (response.status !== 401) return response;
      const limitless = mapHeader(response, 'X-RateLimit-Limit', () => '0');
      return mapHeader(limitless, 'X-RateLimit-Remaining', () => '0');
    }),
    async wire(target) {
      const { header } = await send(target, { authorization: null });
      expectOnWire(header('x-ratelimit-limit') === '0', 'a limit of 0');
    },
  },
  {
    name: 'remaining-always-0',
    title: 'X-RateLimit-Remaining is 0 from the first request on, though all are admitted',
    breaks: ['RATE-05'],
    options: withBehaviour(({ rateHeaders }) => ({
      rateHeaders: (decision, request) =>
        rateHeaders({ ...decision, minute: { ...decision.minute, remaining: 0 } }, request),
    })),
    async wire(target) {
      await send(target);
      const { status, header } = await send(target);
      expectOnWire(
        status === 200 && header('x-ratelimit-remaining') === '0',
        '0 remain, and the request is admitted',
      );
    },
  },
  {
    name: 'remaining-by-operation',
    title: 'X-RateLimit-Remaining is that of a separate count per operation',
    breaks: ['RATE-05'],
    options: {
      limiter: { countedAs: ({ caller, operation }) => `${caller.name} ${operation}` },
    },
    async wire(target) {
      const [first = 0, second = 0, other = 0] = await remainingAfter(target, [{}, {}, unknown]);
      expectOnWire(first - second === 1 && other > second, 'another operation has more left');
    },
  },
  {
    name: 'remaining-ignores-fetches',
    title: 'X-RateLimit-Remaining does not fall with getPet, which is served from a cache',
    breaks: ['RATE-05'],
    options: withBehaviour(({ rateHeaders }) => {
      let fetched = 0;
      return {
        rateHeaders({ minute, ...decision }, request) {
          if (request.operation === 'getPet') fetched += 1;
          const remaining = Math.min(minute.limit, minute.remaining + fetched);
          return rateHeaders({ ...decision, minute: { ...minute, remaining } }, request);
        },
      };
    }),
    async wire(target) {
      const [first = 0, second = 0, third = 0] = await remainingAfter(target, [{}, unknown, {}]);
      expectOnWire(first === second && second - third === 1, 'Remaining does not fall with getPet');
    },
  },
  {
    name: 'creations-cost-three',
    title: 'X-RateLimit-Remaining falls by three for each creation',
    breaks: ['RATE-05'],
    options: withTake(async (limiter, call) => {
      if (call.operation === 'createPet') for (const _more of [1, 2]) await limiter.take(call);
      return limiter.take(call);
    }),
    async wire(target) {
      const [before = 0] = await remainingAfter(target, [{}]);
      await create(target);
      const [after = 0] = await remainingAfter(target, [{}]);
      expectOnWire(before - after === 4, 'a creation and a listing cost four');
    },
  },
  {
    name: 'remaining-jumps',
    title: 'X-RateLimit-Remaining jumps up and down, as each of several servers announces its own count',
    breaks: ['RATE-05'],
    options: withBehaviour(({ rateHeaders }) => {
      let turn = 0;
      return {
        rateHeaders({ minute, ...decision }, request) {
          turn += 1;
          // Never so little that the suite would wait for more.
          const remaining = minute.limit - ((turn * 37) % 101);
          return rateHeaders({ ...decision, minute: { ...minute, remaining } }, request);
        },
      };
    }),
    async wire(target) {
      const response = await remainingAfter(target, [{}, {}, {}, {}]);
      const steps = response.slice(1).map((value, index) => value - (response[index] ?? 0));
      expectOnWire(
        steps.some((step) => step > 30) && steps.some((step) => step < -30),
        `up and down: ${response.join(', ')}`,
      );
    },
  },
];
