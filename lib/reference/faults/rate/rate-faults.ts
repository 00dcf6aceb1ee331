import { withBehaviour, withResponses } from '../../changes.js';
import {
  mapHeader,
  withHeader,
  withoutHeader,
  type ServiceRequest,
  type ServiceResponse,
} from '../../http-message.js';
import type { Standing } from '../../limiter/counter.js';
import type { Fault } from '../fault.js';

const limit = 'X-RateLimit-Limit';
const remaining = 'X-RateLimit-Remaining';
const reset = 'X-RateLimit-Reset';

/** One of the three headers has another value. */
function saying(
  header: string,
  say: (value: number, limit: number, at: number) => string | number,
): Fault['options'] {
  return withResponses((response, { at }) =>
    mapHeader(response, header, (value) =>
      String(say(Number(value), limitOf(response), Math.floor(at / 1000))),
    ),
  );
}

/** Changes the responses with a status. */
function onStatus(
  status: number,
  change: (response: ServiceResponse, request: ServiceRequest) => ServiceResponse,
): Fault['options'] {
  return withResponses((response, request) =>
    response.status === status ? change(response, request) : response,
  );
}

/** Remaining is counted in another way, which begins anew with each service. */
function counting(begin: () => (minute: Standing, request: ServiceRequest) => number): Fault['options'] {
  return withBehaviour(({ rateHeaders }) => {
    const count = begin();
    return {
      rateHeaders: ({ minute, ...decision }, request) =>
        rateHeaders({ ...decision, minute: { ...minute, remaining: count(minute, request) } }, request),
    };
  });
}

/** What the rate-limit headers say of requests that are admitted: RATE-01 to RATE-05. */
export const rateFaults: readonly Fault[] = [
  {
    name: 'no-rate-headers-on-401',
    title: '401 carries no rate-limit headers, as the limiter comes after authentication',
    breaks: ['RATE-01', 'RATE-02', 'RATE-03'],
    options: onStatus(401, (response) => withoutHeader(response, limit, remaining, reset)),
  },
  {
    name: 'no-limit-header-on-400',
    title: '400 does not carry X-RateLimit-Limit',
    breaks: ['RATE-01'],
    options: onStatus(400, (response) => withoutHeader(response, limit)),
  },
  {
    name: 'limit-of-0-for-guests',
    title: 'A 401 says that the limit is 0 and nothing remains',
    breaks: ['RATE-01'],
    options: onStatus(401, (response) =>
      mapHeader(
        mapHeader(response, limit, () => '0'),
        remaining,
        () => '0',
      ),
    ),
  },
  {
    name: 'limit-header-twice',
    title: 'X-RateLimit-Limit is sent twice, by two layers',
    breaks: ['RATE-01'],
    options: withResponses((response) => withHeader(response, limit, String(limitOf(response)))),
  },
  {
    name: 'limit-with-its-window',
    title: 'X-RateLimit-Limit also names its window',
    breaks: ['RATE-01'],
    options: saying(limit, (value) => `${value};w=60`),
  },
  {
    name: 'remaining-header-twice',
    title: 'X-RateLimit-Remaining is sent twice, for the minute and the day',
    breaks: ['RATE-02'],
    options: withBehaviour(({ rateHeaders }) => ({
      rateHeaders: (decision, request) => [
        ...rateHeaders(decision, request),
        [remaining, String(decision.day.remaining)],
      ],
    })),
  },
  {
    name: 'remaining-below-0',
    title: 'X-RateLimit-Remaining is the number of requests used, negated',
    breaks: ['RATE-02'],
    options: saying(remaining, (value, most) => value - 1 - most),
  },
  {
    name: 'remaining-above-limit',
    title: 'X-RateLimit-Remaining is more than the limit',
    breaks: ['RATE-02'],
    options: saying(remaining, (value, most) => value + most),
  },
  {
    name: 'remaining-with-a-fraction',
    title: 'X-RateLimit-Remaining has a fraction, from a bucket that refills',
    breaks: ['RATE-02'],
    options: saying(remaining, (value) => (value - 0.25).toFixed(2)),
  },
  {
    name: 'reset-in-milliseconds',
    title: 'X-RateLimit-Reset is in milliseconds',
    breaks: ['RATE-03'],
    options: saying(reset, (value) => `${value}000`),
  },
  {
    name: 'reset-in-seconds-to-go',
    title: 'X-RateLimit-Reset is the number of seconds to wait',
    breaks: ['RATE-03'],
    options: saying(reset, (value, _limit, at) => Math.max(1, value - at)),
  },
  {
    name: 'reset-two-seconds-ago',
    title: 'X-RateLimit-Reset is two seconds before the response',
    breaks: ['RATE-03'],
    options: saying(reset, (_value, _limit, at) => at - 2),
  },
  {
    name: 'reset-past-on-401',
    title: 'X-RateLimit-Reset of a 401 is three seconds ago, as nothing is counted for a stranger',
    breaks: ['RATE-03'],
    options: onStatus(401, (response, { at }) =>
      mapHeader(response, reset, () => String(Math.floor(at / 1000) - 3)),
    ),
  },
  {
    name: 'reset-with-a-fraction',
    title: 'X-RateLimit-Reset has a fraction',
    breaks: ['RATE-03'],
    options: saying(reset, (value) => `${value}.125`),
  },
  {
    name: 'limit-by-the-hour',
    title: 'X-RateLimit-Limit is the limit of an hour',
    breaks: ['RATE-04'],
    options: saying(limit, (value) => value * 60),
  },
  {
    name: 'limit-one-too-many',
    title: 'X-RateLimit-Limit is one more than the limit of the plan',
    breaks: ['RATE-04'],
    options: saying(limit, (value) => value + 1),
  },
  {
    name: 'remaining-falls-by-two',
    title: 'X-RateLimit-Remaining falls by two with each request',
    breaks: ['RATE-05'],
    options: counting(() => (minute) => Math.max(0, minute.limit - 2 * (minute.limit - minute.remaining))),
  },
  {
    name: 'remaining-always-0',
    title: 'X-RateLimit-Remaining is 0 from the first request on, though all are admitted',
    breaks: ['RATE-05'],
    options: counting(() => () => 0),
  },
  {
    name: 'remaining-ignores-fetches',
    title: 'X-RateLimit-Remaining does not fall with getPet, which is served from a cache',
    breaks: ['RATE-05'],
    options: counting(() => {
      let fetched = 0;
      return ({ limit: most, remaining: left }, { operation }) => {
        if (operation === 'getPet') fetched += 1;
        return Math.min(most, left + fetched);
      };
    }),
  },
  {
    name: 'remaining-jumps',
    title: 'X-RateLimit-Remaining jumps up and down, as each of several servers announces its own count',
    breaks: ['RATE-05'],
    options: counting(() => {
      let turn = 0;
      return (minute) => {
        turn += 1;
        // Never so little that the suite would wait for more.
        return minute.limit - ((turn * 37) % 101);
      };
    }),
  },
];

function limitOf({ headers }: ServiceResponse): number {
  return Number(headers.find(([name]) => name === limit)?.[1] ?? 0);
}
