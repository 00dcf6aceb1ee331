import type { RequirementId } from '../../../specification/catalogue.js';
import {
  mapHeader,
  withHeader,
  withoutHeader,
  type ServiceResponse,
  type ServiceRequest,
} from '../../http-message.js';
import { withBehaviour, withResponses } from '../../changes.js';
import type { Fault, WireTarget } from '../fault.js';
import { send, expectOnWire, type WireRequest, type WireResponse } from '../wire.js';

const fields = {
  Limit: 'X-RateLimit-Limit',
  Remaining: 'X-RateLimit-Remaining',
  Reset: 'X-RateLimit-Reset',
} as const;

type Field = keyof typeof fields;

/** A fault that rewrites one of the headers wherever it stands. `rewrite` also gets the answer's other two. */
function rewrites(
  name: string,
  title: string,
  breaks: readonly RequirementId[],
  field: Field,
  rewrite: (value: string, response: ServiceResponse, request: ServiceRequest) => string,
  shows: (value: string, response: WireResponse) => boolean,
): Fault {
  return {
    name,
    title,
    breaks,
    options: withResponses((response, request) =>
      mapHeader(response, fields[field], (value) => rewrite(value, response, request)),
    ),
    async wire(target) {
      const response = await send(target);
      const value = response.header(fields[field]) ?? '';
      expectOnWire(shows(value, response), `${title}: ${value}`);
    },
  };
}

/** A fault that leaves headers out of some answers. */
function omits(
  name: string,
  title: string,
  breaks: readonly RequirementId[],
  omitted: readonly Field[],
  matches: (response: ServiceResponse) => boolean,
  request: WireRequest,
): Fault {
  const names = omitted.map((field) => fields[field]);
  return {
    name,
    title,
    breaks,
    options: withResponses((response) => (matches(response) ? withoutHeader(response, ...names) : response)),
    async wire(target) {
      const { header } = await send(target, request);
      expectOnWire(
        names.every((field) => header(field) === undefined),
        title,
      );
    },
  };
}

/** A fault in what Remaining says, computed from the requests that the caller has made; seen over three requests. */
function counts(
  name: string,
  title: string,
  remaining: (limit: number, left: number) => number,
  falls: readonly [number, number],
): Fault {
  return {
    name,
    title,
    breaks: ['RATE-05'],
    options: withBehaviour(({ rateHeaders }) => ({
      rateHeaders: (decision, request) => {
        const { limit, remaining: left } = decision.minute;
        const said = Math.min(limit, Math.max(0, remaining(limit, left)));
        return rateHeaders({ ...decision, minute: { ...decision.minute, remaining: said } }, request);
      },
    })),
    async wire(target) {
      const response = await remainingOf(target, 3);
      const [first = 0, second = 0, third = 0] = response;
      expectOnWire(
        first - second === falls[0] && second - third === falls[1],
        `${title}: ${response.join(', ')}`,
      );
    },
  };
}

async function remainingOf(target: WireTarget, requests: number): Promise<number[]> {
  const response: number[] = [];
  for (let sent = 0; sent < requests; sent += 1)
    response.push(Number((await send(target)).header(fields.Remaining)));
  return response;
}

/** Now by the service's clock, in seconds. */
function clock({ header }: WireResponse): number {
  return Date.parse(header('date') ?? '') / 1000;
}

const unknown: WireRequest = { path: '/pets/9223372036854775807' };

export const rateFaults: readonly Fault[] = [
  omits('no-limit-header', 'No response says X-RateLimit-Limit', ['RATE-01'], ['Limit'], () => true, {}),
  omits(
    'no-remaining-header',
    'No response says X-RateLimit-Remaining',
    ['RATE-02'],
    ['Remaining'],
    () => true,
    {},
  ),
  omits('no-reset-header', 'No response says X-RateLimit-Reset', ['RATE-03'], ['Reset'], () => true, {}),
  omits(
    'no-rate-headers-on-401',
    '401 carries no rate-limit headers, as the limiter comes after authentication',
    ['RATE-01', 'RATE-02', 'RATE-03'],
    ['Limit', 'Remaining', 'Reset'],
    ({ status }) => status === 401,
    { authorization: null },
  ),
  omits(
    'no-rate-headers-on-404',
    '404 carries no rate-limit headers',
    ['RATE-01', 'RATE-02', 'RATE-03'],
    ['Limit', 'Remaining', 'Reset'],
    ({ status }) => status === 404,
    unknown,
  ),
  omits(
    'no-limit-header-on-400',
    '400 does not say X-RateLimit-Limit',
    ['RATE-01'],
    ['Limit'],
    ({ status }) => status === 400,
    { method: 'POST', body: '{}' },
  ),
  omits(
    'no-reset-header-on-201',
    'A creation does not say X-RateLimit-Reset',
    ['RATE-03'],
    ['Reset'],
    ({ status }) => status === 201,
    { method: 'POST', body: '{"name":"Rex","categoryId":7}' },
  ),
  {
    name: 'limit-header-twice',
    title: 'X-RateLimit-Limit is sent twice, by two layers',
    breaks: ['RATE-01'],
    options: withResponses((response) => {
      const limit = response.headers.find(([name]) => name === fields.Limit)?.[1];
      return limit === undefined ? response : withHeader(response, fields.Limit, limit);
    }),
    async wire(target) {
      expectOnWire((await send(target)).headers(fields.Limit).length === 2, 'the header is there twice');
    },
  },
  {
    name: 'remaining-header-twice',
    title: 'X-RateLimit-Remaining is sent twice, for the minute and the day',
    breaks: ['RATE-02'],
    options: withBehaviour(({ rateHeaders }) => ({
      rateHeaders: (decision, request) => [
        ...rateHeaders(decision, request),
        [fields.Remaining, String(decision.day.remaining)],
      ],
    })),
    async wire(target) {
      expectOnWire((await send(target)).headers(fields.Remaining).length === 2, 'the header is there twice');
    },
  },
  rewrites(
    'limit-with-its-window',
    'X-RateLimit-Limit also names its window',
    ['RATE-01'],
    'Limit',
    (value) => `${value};w=60`,
    (value) => value.endsWith(';w=60'),
  ),
  rewrites(
    'limit-in-words',
    'X-RateLimit-Limit is a word',
    ['RATE-01'],
    'Limit',
    () => 'unlimited',
    (value) => value === 'unlimited',
  ),
  rewrites(
    'remaining-below-0',
    'X-RateLimit-Remaining says how many have been used, with a minus',
    ['RATE-02'],
    'Remaining',
    (value, response) => String(Number(value) - 1 - limitOf(response)),
    (value) => Number(value) < 0,
  ),
  rewrites(
    'remaining-above-limit',
    'X-RateLimit-Remaining is more than the limit',
    ['RATE-02'],
    'Remaining',
    (value, response) => String(Number(value) + limitOf(response)),
    (value, { header }) => Number(value) > Number(header(fields.Limit)),
  ),
  rewrites(
    'remaining-with-a-fraction',
    'X-RateLimit-Remaining has a fraction, from a bucket that refills',
    ['RATE-02'],
    'Remaining',
    (value) => (Number(value) - 0.25).toFixed(2),
    (value) => /\.\d+$/.test(value),
  ),
  rewrites(
    'reset-in-milliseconds',
    'X-RateLimit-Reset is in milliseconds',
    ['RATE-03'],
    'Reset',
    (value) => `${value}000`,
    (value) => value.length === 13,
  ),
  rewrites(
    'reset-in-seconds-to-go',
    'X-RateLimit-Reset is the number of seconds to wait',
    ['RATE-03'],
    'Reset',
    (value, _answer, { at }) => String(Math.max(1, Number(value) - Math.floor(at / 1000))),
    (value) => Number(value) <= 60,
  ),
  rewrites(
    'reset-in-the-past',
    'X-RateLimit-Reset is when the window began',
    ['RATE-03'],
    'Reset',
    (value) => String(Number(value) - 120),
    (value, response) => Number(value) < clock(response),
  ),
  rewrites(
    'reset-two-days-ahead',
    'X-RateLimit-Reset is two days ahead',
    ['RATE-03'],
    'Reset',
    (value) => String(Number(value) + 2 * 86_400),
    (value, response) => Number(value) > clock(response) + 86_400,
  ),
  rewrites(
    'reset-as-a-date',
    'X-RateLimit-Reset is a date by ISO 8601',
    ['RATE-03'],
    'Reset',
    (value) => new Date(Number(value) * 1000).toISOString(),
    (value) => value.endsWith('Z'),
  ),
  rewrites(
    'reset-with-a-fraction',
    'X-RateLimit-Reset has a fraction',
    ['RATE-03'],
    'Reset',
    (value) => `${value}.125`,
    (value) => value.endsWith('.125'),
  ),
  rewrites(
    'limit-header-doubled',
    'X-RateLimit-Limit says twice what the plan grants',
    ['RATE-04'],
    'Limit',
    (value) => String(Number(value) * 2),
    (value, { header }) => Number(header(fields.Remaining)) < Number(value) / 2,
  ),
  rewrites(
    'limit-by-the-hour',
    'X-RateLimit-Limit says what an hour would grant',
    ['RATE-04'],
    'Limit',
    (value) => String(Number(value) * 60),
    (value, { header }) => Number(header(fields.Remaining)) < Number(value) / 60,
  ),
  rewrites(
    'limit-one-too-many',
    'X-RateLimit-Limit says one more than the plan grants',
    ['RATE-04'],
    'Limit',
    (value) => String(Number(value) + 1),
    (value, { header }) => Number(value) - Number(header(fields.Remaining)) === 2,
  ),
  counts('remaining-constant', 'X-RateLimit-Remaining never changes', (limit) => limit - 1, [0, 0]),
  counts(
    'remaining-goes-up',
    'X-RateLimit-Remaining says how many have been used',
    (limit, left) => limit - left,
    [-1, -1],
  ),
  counts(
    'remaining-falls-by-two',
    'X-RateLimit-Remaining falls by two with each request',
    (limit, left) => limit - 2 * (limit - left),
    [2, 2],
  ),
  {
    name: 'remaining-counts-creations-alone',
    title: 'X-RateLimit-Remaining goes down with creations only',
    breaks: ['RATE-05'],
    options: { limiter: { uncounted: [200, 429] } },
    async wire(target) {
      const [first, second] = await remainingOf(target, 2);
      expectOnWire(first === second, 'listings do not count');
    },
  },
];

function limitOf(response: ServiceResponse): number {
  return Number(response.headers.find(([name]) => name === fields.Limit)?.[1] ?? 0);
}
