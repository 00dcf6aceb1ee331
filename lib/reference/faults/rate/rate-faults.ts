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

interface RewrittenHeader extends Pick<Fault, 'name' | 'title' | 'breaks'> {
  readonly field: Field;
  readonly rewrite: (value: string, response: ServiceResponse, request: ServiceRequest) => string;
  readonly shows: (value: string, response: WireResponse) => boolean;
}

/** One of the three headers has another value. `rewrite` gets the whole response. */
function rewrites({ name, title, breaks, field, rewrite, shows }: RewrittenHeader): Fault {
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

interface OmittedHeaders extends Pick<Fault, 'name' | 'title' | 'breaks'> {
  readonly omitted: readonly Field[];
  readonly matches: (response: ServiceResponse) => boolean;
  readonly request: WireRequest;
}

/** Some responses lack headers. */
function omits({ name, title, breaks, omitted, matches, request }: OmittedHeaders): Fault {
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

interface WrongRemaining extends Pick<Fault, 'name' | 'title'> {
  readonly remaining: (limit: number, left: number) => number;
  readonly falls: readonly [number, number];
}

/** Remaining has another value. The wire look sends three requests and compares how it falls. */
function counts({ name, title, remaining, falls }: WrongRemaining): Fault {
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
  omits({
    name: 'no-limit-header',
    title: 'No response carries X-RateLimit-Limit',
    breaks: ['RATE-01'],
    omitted: ['Limit'],
    matches: () => true,
    request: {},
  }),
  omits({
    name: 'no-remaining-header',
    title: 'No response carries X-RateLimit-Remaining',
    breaks: ['RATE-02'],
    omitted: ['Remaining'],
    matches: () => true,
    request: {},
  }),
  omits({
    name: 'no-reset-header',
    title: 'No response carries X-RateLimit-Reset',
    breaks: ['RATE-03'],
    omitted: ['Reset'],
    matches: () => true,
    request: {},
  }),
  omits({
    name: 'no-rate-headers-on-401',
    title: '401 carries no rate-limit headers, as the limiter comes after authentication',
    breaks: ['RATE-01', 'RATE-02', 'RATE-03'],
    omitted: ['Limit', 'Remaining', 'Reset'],
    matches: ({ status }) => status === 401,
    request: { authorization: null },
  }),
  omits({
    name: 'no-rate-headers-on-404',
    title: '404 carries no rate-limit headers',
    breaks: ['RATE-01', 'RATE-02', 'RATE-03'],
    omitted: ['Limit', 'Remaining', 'Reset'],
    matches: ({ status }) => status === 404,
    request: unknown,
  }),
  omits({
    name: 'no-limit-header-on-400',
    title: '400 does not carry X-RateLimit-Limit',
    breaks: ['RATE-01'],
    omitted: ['Limit'],
    matches: ({ status }) => status === 400,
    request: { method: 'POST', body: '{}' },
  }),
  omits({
    name: 'no-reset-header-on-201',
    title: 'A creation does not carry X-RateLimit-Reset',
    breaks: ['RATE-03'],
    omitted: ['Reset'],
    matches: ({ status }) => status === 201,
    request: { method: 'POST', body: '{"name":"Rex","categoryId":7}' },
  }),
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
  rewrites({
    name: 'limit-with-its-window',
    title: 'X-RateLimit-Limit also names its window',
    breaks: ['RATE-01'],
    field: 'Limit',
    rewrite: (value) => `${value};w=60`,
    shows: (value) => value.endsWith(';w=60'),
  }),
  rewrites({
    name: 'limit-in-words',
    title: 'X-RateLimit-Limit is a word',
    breaks: ['RATE-01'],
    field: 'Limit',
    rewrite: () => 'unlimited',
    shows: (value) => value === 'unlimited',
  }),
  rewrites({
    name: 'remaining-below-0',
    title: 'X-RateLimit-Remaining is the number of requests used, negated',
    breaks: ['RATE-02'],
    field: 'Remaining',
    rewrite: (value, response) => String(Number(value) - 1 - limitOf(response)),
    shows: (value) => Number(value) < 0,
  }),
  rewrites({
    name: 'remaining-above-limit',
    title: 'X-RateLimit-Remaining is more than the limit',
    breaks: ['RATE-02'],
    field: 'Remaining',
    rewrite: (value, response) => String(Number(value) + limitOf(response)),
    shows: (value, { header }) => Number(value) > Number(header(fields.Limit)),
  }),
  rewrites({
    name: 'remaining-with-a-fraction',
    title: 'X-RateLimit-Remaining has a fraction, from a bucket that refills',
    breaks: ['RATE-02'],
    field: 'Remaining',
    rewrite: (value) => (Number(value) - 0.25).toFixed(2),
    shows: (value) => /\.\d+$/.test(value),
  }),
  rewrites({
    name: 'reset-in-milliseconds',
    title: 'X-RateLimit-Reset is in milliseconds',
    breaks: ['RATE-03'],
    field: 'Reset',
    rewrite: (value) => `${value}000`,
    shows: (value) => value.length === 13,
  }),
  rewrites({
    name: 'reset-in-seconds-to-go',
    title: 'X-RateLimit-Reset is the number of seconds to wait',
    breaks: ['RATE-03'],
    field: 'Reset',
    rewrite: (value, _answer, { at }) => String(Math.max(1, Number(value) - Math.floor(at / 1000))),
    shows: (value) => Number(value) <= 60,
  }),
  rewrites({
    name: 'reset-in-the-past',
    title: 'X-RateLimit-Reset is when the window began',
    breaks: ['RATE-03'],
    field: 'Reset',
    rewrite: (value) => String(Number(value) - 120),
    shows: (value, response) => Number(value) < clock(response),
  }),
  rewrites({
    name: 'reset-two-seconds-ago',
    title: 'X-RateLimit-Reset is two seconds before the response',
    breaks: ['RATE-03'],
    field: 'Reset',
    rewrite: (_value, _answer, { at }) => String(Math.floor(at / 1000) - 2),
    shows: (value, response) => Number(value) === clock(response) - 2,
  }),
  rewrites({
    name: 'reset-in-local-time',
    title: 'X-RateLimit-Reset is counted in the time of a zone behind UTC',
    breaks: ['RATE-03'],
    field: 'Reset',
    rewrite: (value) => String(Number(value) - 5 * 3_600),
    shows: (value, response) => Number(value) < clock(response) - 3_600,
  }),
  {
    name: 'reset-past-on-401',
    title: 'X-RateLimit-Reset of a 401 is three seconds ago, as nothing is counted for a stranger',
    breaks: ['RATE-03'],
    options: withResponses((response, { at }) =>
      response.status === 401
        ? mapHeader(response, fields.Reset, () => String(Math.floor(at / 1000) - 3))
        : response,
    ),
    async wire(target) {
      const response = await send(target, { authorization: null });
      expectOnWire(Number(response.header(fields.Reset)) < clock(response), 'the Reset of a 401 is past');
    },
  },
  rewrites({
    name: 'reset-two-days-ahead',
    title: 'X-RateLimit-Reset is two days ahead',
    breaks: ['RATE-03'],
    field: 'Reset',
    rewrite: (value) => String(Number(value) + 2 * 86_400),
    shows: (value, response) => Number(value) > clock(response) + 86_400,
  }),
  rewrites({
    name: 'reset-as-a-date',
    title: 'X-RateLimit-Reset is an ISO 8601 date',
    breaks: ['RATE-03'],
    field: 'Reset',
    rewrite: (value) => new Date(Number(value) * 1000).toISOString(),
    shows: (value) => value.endsWith('Z'),
  }),
  rewrites({
    name: 'reset-with-a-fraction',
    title: 'X-RateLimit-Reset has a fraction',
    breaks: ['RATE-03'],
    field: 'Reset',
    rewrite: (value) => `${value}.125`,
    shows: (value) => value.endsWith('.125'),
  }),
  rewrites({
    name: 'limit-header-doubled',
    title: 'X-RateLimit-Limit is twice the limit of the plan',
    breaks: ['RATE-04'],
    field: 'Limit',
    rewrite: (value) => String(Number(value) * 2),
    shows: (value, { header }) => Number(header(fields.Remaining)) < Number(value) / 2,
  }),
  rewrites({
    name: 'limit-by-the-hour',
    title: 'X-RateLimit-Limit is the limit of an hour',
    breaks: ['RATE-04'],
    field: 'Limit',
    rewrite: (value) => String(Number(value) * 60),
    shows: (value, { header }) => Number(header(fields.Remaining)) < Number(value) / 60,
  }),
  rewrites({
    name: 'limit-one-too-many',
    title: 'X-RateLimit-Limit is one more than the limit of the plan',
    breaks: ['RATE-04'],
    field: 'Limit',
    rewrite: (value) => String(Number(value) + 1),
    shows: (value, { header }) => Number(value) - Number(header(fields.Remaining)) === 2,
  }),
  counts({
    name: 'remaining-constant',
    title: 'X-RateLimit-Remaining never changes',
    remaining: (limit) => limit - 1,
    falls: [0, 0],
  }),
  counts({
    name: 'remaining-goes-up',
    title: 'X-RateLimit-Remaining is the number of requests used',
    remaining: (limit, left) => limit - left,
    falls: [-1, -1],
  }),
  counts({
    name: 'remaining-falls-by-two',
    title: 'X-RateLimit-Remaining falls by two with each request',
    remaining: (limit, left) => limit - 2 * (limit - left),
    falls: [2, 2],
  }),
  {
    name: 'remaining-counts-creations-alone',
    title: 'X-RateLimit-Remaining falls only with creations',
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
