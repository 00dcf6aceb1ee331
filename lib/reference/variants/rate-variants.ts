import { withBehaviour } from '../changes.js';
import type { Algorithm } from '../limiter/counter.js';
import type { Limiter } from '../limiter/limiter.js';
import { tokenBucket } from '../limiter/token-bucket.js';
import type { Variant } from './variant.js';

const minute = 60_000;

/** A bucket that refills by the plan's limit in a minute, and holds less. */
const smallBucket: Algorithm = ({ requests, windowMs }) => {
  // The bucket of the day has its whole capacity.
  if (windowMs > minute) return tokenBucket({ requests, windowMs });
  const capacity = Math.ceil(requests / 6);
  const bucket = tokenBucket({ requests: capacity, windowMs: (windowMs * capacity) / requests });
  return { ...bucket, standing: (at) => ({ ...bucket.standing(at), limit: requests }) };
};

/** Charges requests of other clients as well: none, one, two or three in turn. */
function shared(limiter: Limiter): Limiter {
  let turn = 0;
  return {
    ...limiter,
    async take(call) {
      turn += 1;
      for (let others = turn % 4; others > 0; others -= 1) await limiter.take(call);
      return limiter.take(call);
    },
  };
}

export const rateVariants: readonly Variant[] = [
  {
    name: 'fixed-window-from-first-request',
    title: "Windows begin with the caller's first request",
    options: { limiter: { algorithm: 'fixed-window-from-first-request' } },
  },
  {
    name: 'sliding-log',
    title: 'Limits are counted by a sliding log',
    options: { limiter: { algorithm: 'sliding-log' } },
  },
  {
    name: 'sliding-counter',
    title: 'Limits are counted by a sliding counter',
    options: { limiter: { algorithm: 'sliding-counter' } },
  },
  {
    name: 'token-bucket',
    title: 'Limits are counted by a token bucket, whose Reset is when it is full',
    options: { limiter: { algorithm: 'token-bucket' } },
  },
  {
    name: 'token-bucket-of-a-sixth',
    title: "Limits are counted by a token bucket that holds a sixth of a minute's requests",
    options: { limiter: { algorithm: smallBucket } },
  },
  {
    name: 'key-shared-with-others',
    title: 'Other clients use the same key, up to three requests beside each of the suite',
    options: { limiter: { wrap: shared } },
  },
  {
    name: 'guests-have-20-a-minute',
    title: 'Requests without a valid key are limited to 20 a minute, all of them together',
    options: { anonymous: { perMinute: 20, perDay: 10_000 } },
  },
  {
    name: 'headers-show-the-day',
    title: 'Rate-limit headers show the day',
    options: { headers: { shows: 'day' } },
  },
  {
    name: 'headers-show-the-tighter-limit',
    title: 'Rate-limit headers show whichever of minute and day leaves fewer requests',
    options: { headers: { shows: 'fewest' } },
  },
  {
    name: 'reset-rounded-down',
    title: 'Reset is rounded down',
    options: { headers: { resetRounding: 'down' } },
  },
  {
    name: 'retry-after-as-a-date',
    title: 'Retry-After is an HTTP date',
    options: { headers: { retryAfter: 'date' } },
  },
  {
    name: 'retry-after-constant',
    title: 'Retry-After is always a whole window',
    options: { headers: { retryAfter: 'window' } },
  },
  {
    name: '429-counted',
    title: 'Requests that are rejected with 429 use up the limit',
    options: { limiter: { uncounted: [] } },
  },
  {
    name: 'errors-not-counted',
    title: 'Requests that get 400, 401 or 404 do not use up the limit',
    options: { limiter: { uncounted: [400, 401, 404, 429] } },
  },
  {
    name: 'ratelimit-fields-of-the-draft-beside',
    title: 'The fields of the IETF draft are sent beside the specified ones',
    options: withBehaviour(({ rateHeaders }) => ({
      rateHeaders: (decision, request) => [
        ...rateHeaders(decision, request),
        ['RateLimit-Policy', `"minute";q=${decision.minute.limit};w=60`],
        [
          'RateLimit',
          `"minute";r=${decision.minute.remaining};t=${secondsTo(decision.minute.resetsAt, request.at)}`,
        ],
      ],
    })),
  },
];

function secondsTo(time: number, at: number): number {
  return Math.max(0, Math.ceil((time - at) / 1000));
}
