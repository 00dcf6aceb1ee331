import { setTimeout as delay } from 'node:timers/promises';
import { withBehaviour, withResponses, withRefusals } from '../changes.js';
import { combineOptions, type ReferenceOptions } from '../options.js';
import type { Variant } from './variant.js';

/** A limiter that keeps section 8, in a way that the specification leaves open. */
export interface LimitVariant extends Variant {
  /** Milliseconds by which the service's clock is ahead. */
  readonly ahead?: number;
}

const firstRequest: ReferenceOptions = { limiter: { algorithm: 'fixed-window-from-first-request' } };
const slidingLog: ReferenceOptions = { limiter: { algorithm: 'sliding-log' } };
const slidingCounter: ReferenceOptions = { limiter: { algorithm: 'sliding-counter' } };
const tokenBucket: ReferenceOptions = { limiter: { algorithm: 'token-bucket' } };
const refusalsCounted: ReferenceOptions = { limiter: { uncounted: [] } };
const errorsFree: ReferenceOptions = { limiter: { uncounted: [400, 401, 404, 429] } };
const roundedDown: ReferenceOptions = { headers: { resetRounding: 'down' } };
const asDate: ReferenceOptions = { headers: { retryAfter: 'date' } };
const ofTheDay: ReferenceOptions = { headers: { shows: 'day' } };

/** The body of a 429, which section 7 leaves open. */
function refusalBody(type: string | undefined, raw: string): ReferenceOptions {
  return combineOptions(
    withRefusals(['rate-limited'], (response) => ({
      ...response,
      content: undefined,
      ...(raw === '' ? {} : { raw }),
    })),
    withResponses((response) =>
      response.status === 429 && type !== undefined
        ? { ...response, headers: [...response.headers, ['Content-Type', type]] }
        : response,
    ),
  );
}

export const limitVariants: readonly LimitVariant[] = [
  {
    name: 'aligned-minutes-a-clock-ahead',
    title: 'The clock is ninety seconds ahead, and windows are its minutes',
    options: {},
    ahead: 90_000,
  },
  {
    name: 'first-request-a-clock-behind',
    title: "The clock is ninety seconds behind, and windows begin with the caller's first request",
    options: firstRequest,
    ahead: -90_000,
  },
  {
    name: 'sliding-log-a-clock-ahead-and-dates',
    title: 'A sliding log by a clock that is ninety seconds ahead, Retry-After by that clock',
    options: combineOptions(slidingLog, asDate),
    ahead: 90_000,
  },
  {
    name: 'first-request-rounded-down',
    title: 'Windows from the first request, Reset rounded down',
    options: combineOptions(firstRequest, roundedDown),
  },
  {
    name: 'first-request-errors-free-and-dates',
    title: 'Windows from the first request, errors not counted, Retry-After as a date',
    options: combineOptions(firstRequest, errorsFree, asDate),
  },
  {
    name: 'sliding-log-refusals-counted',
    title: 'A sliding log in which refused requests count',
    options: combineOptions(slidingLog, refusalsCounted),
  },
  {
    name: 'sliding-counter-refusals-counted',
    title: 'A sliding counter in which refused requests count',
    options: combineOptions(slidingCounter, refusalsCounted),
  },
  {
    name: 'sliding-counter-rounded-down-and-dates',
    title: 'A sliding counter, Reset rounded down, Retry-After as a date',
    options: combineOptions(slidingCounter, roundedDown, asDate),
  },
  {
    name: 'token-bucket-and-dates',
    title: 'A token bucket, Retry-After as a date',
    options: combineOptions(tokenBucket, asDate),
  },
  {
    name: 'token-bucket-refusals-counted',
    title: 'A token bucket from which refused requests take, too',
    options: combineOptions(tokenBucket, refusalsCounted),
  },
  {
    name: 'token-bucket-resets-with-the-next-token',
    title: 'A token bucket whose Reset is when the next token comes',
    options: combineOptions(
      tokenBucket,
      withBehaviour(({ rateHeaders }) => ({
        rateHeaders: (decision, request) => {
          const { minute } = decision;
          const next = minute.remaining > 0 ? request.at + 1_000 : minute.admitsAt;
          return rateHeaders({ ...decision, minute: { ...minute, resetsAt: next } }, request);
        },
      })),
    ),
  },
  {
    name: 'token-bucket-of-the-day',
    title: 'A token bucket, headers of the day',
    options: combineOptions(tokenBucket, ofTheDay),
  },
  {
    name: 'first-request-of-the-day',
    title: 'Windows from the first request, headers of the day',
    options: combineOptions(firstRequest, ofTheDay),
  },
  {
    name: 'sliding-log-of-the-day',
    title: 'A sliding log, headers of the day',
    options: combineOptions(slidingLog, ofTheDay),
  },
  {
    name: 'sliding-counter-of-the-day',
    title: 'A sliding counter, headers of the day',
    options: combineOptions(slidingCounter, ofTheDay),
  },
  {
    name: 'connections-closed',
    title: 'Every connection carries one request',
    options: combineOptions(firstRequest, { keepAlive: false }),
  },
  {
    name: '429-in-plain-text',
    title: 'The body of a 429 is a sentence in plain text',
    options: refusalBody('text/plain', 'Slow down.'),
  },
  { name: '429-without-a-body', title: 'A 429 has no body', options: refusalBody(undefined, '') },
  {
    name: '429-as-a-problem',
    title: 'The body of a 429 is a problem by RFC 9457',
    options: refusalBody('application/problem+json', '{"type":"about:blank","status":429}'),
  },
  {
    name: 'slow-answers',
    title: 'Every answer takes four milliseconds',
    options: withBehaviour(({ finish }) => ({
      async finish(response, request, service) {
        await delay(4);
        return finish(response, request, service);
      },
    })),
  },
  {
    name: 'headers-in-lower-case',
    title: 'All header names are in lower case',
    options: withResponses((response) => ({
      ...response,
      headers: response.headers.map(([name, value]) => [name.toLowerCase(), value] as const),
    })),
  },
  {
    name: 'guests-counted-by-a-small-limit',
    title: 'Requests without a valid key have a small limit of their own',
    options: { anonymous: { perMinute: 1, perDay: 10 } },
  },
];
