import { setTimeout as delay } from 'node:timers/promises';
import { withBehaviour, withRefusals, withResponses } from '../changes.js';
import { withBans } from '../faults/limits/limiter-changes.js';
import type { AlgorithmName } from '../limiter/algorithms.js';
import type { Algorithm } from '../limiter/counter.js';
import { fixedWindowAligned } from '../limiter/fixed-window-clock.js';
import { intervalBucket } from '../limiter/interval-bucket.js';
import { hasKey, type Call } from '../limiter/limiter.js';
import { slidingCounterOf } from '../limiter/sliding-counter.js';
import { combineOptions, type ReferenceOptions } from '../options.js';
import { irregular, withJitter, withoutDate } from './limit-conditions.js';
import type { Variant } from './variant.js';

/** A limiter that keeps section 8, in a way that the specification leaves open. */
export interface LimitVariant extends Variant {
  /** Milliseconds by which the service's clock is ahead. */
  readonly ahead?: number;
}

const by = (algorithm: AlgorithmName | Algorithm): ReferenceOptions => ({ limiter: { algorithm } });
const firstRequest = by('fixed-window-from-first-request');
const slidingLog = by('sliding-log');
const slidingCounter = by('sliding-counter');
const tokenBucket = by('token-bucket');
const rejectionsCounted: ReferenceOptions = { limiter: { uncounted: [] } };
const errorsFree: ReferenceOptions = { limiter: { uncounted: [400, 401, 404, 429] } };
const roundedDown: ReferenceOptions = { headers: { resetRounding: 'down' } };
const asDate: ReferenceOptions = { headers: { retryAfter: 'date' } };
const ofTheDay: ReferenceOptions = { headers: { shows: 'day' } };
const ofTheTighterLimit: ReferenceOptions = { headers: { shows: 'fewest' } };

/** The limiter's clock goes by steps of so many milliseconds. */
function steppedBy(ms: number): ReferenceOptions {
  return {
    limiter: {
      wrap: (limiter) => {
        const begun = (call: Call): Call => ({ ...call, at: Math.floor(call.at / ms) * ms });
        return {
          take: (call) => limiter.take(begun(call)),
          peek: (call) => limiter.peek(begun(call)),
          giveBack: (call) => limiter.giveBack(begun(call)),
          finishCall: (call, decision, status) => limiter.finishCall(begun(call), decision, status),
        };
      },
    },
  };
}

/** Whole seconds, as of Unix timestamps. */
const wholeSeconds = steppedBy(1_000);

/** Nodes share one count in a store that takes some milliseconds, and counts a request in one step. */
const sharedStore: ReferenceOptions = {
  limiter: {
    wrap: (limiter) => {
      const next = irregular(8);
      return {
        ...limiter,
        async take(call) {
          const began = performance.now();
          await delay(next());
          return limiter.take({ ...call, at: Math.floor(call.at + performance.now() - began) });
        },
      };
    },
  },
};

/** Another client sends a request at the beginning of every minute of the clock. */
const polledEachMinute: ReferenceOptions = {
  limiter: {
    wrap: (limiter) => {
      let polledUntil: number | undefined;
      return {
        ...limiter,
        async take(call) {
          const minute = 60_000;
          polledUntil ??= call.at;
          if (hasKey(call)) {
            for (
              let next = Math.floor(polledUntil / minute + 1) * minute + 40;
              next <= call.at;
              next += minute
            )
              await limiter.take({ ...call, at: next });
            polledUntil = call.at;
          }
          return limiter.take(call);
        },
      };
    },
  },
};

/** Windows of a minute that a timer ends, which runs from the start of the service on. */
const timer: Algorithm = (quota) => {
  const counter = fixedWindowAligned(quota);
  let offset: number | undefined;
  const since = (at: number): number => at - (offset ??= (at % quota.windowMs) - 17_300);
  return {
    standing(at) {
      const { resetsAt, admitsAt, ...standing } = counter.standing(since(at));
      const shift = at - since(at);
      return { ...standing, resetsAt: resetsAt + shift, admitsAt: admitsAt + shift };
    },
    count: (at) => counter.count(since(at)),
    giveBack: (at) => counter.giveBack(since(at)),
  };
};

/** Headers that name a time so many milliseconds after the limiter's own. */
function later({ reset = 0, retryAfter = 0 }: { reset?: number; retryAfter?: number }): ReferenceOptions {
  return withBehaviour(({ rateHeaders }) => ({
    rateHeaders: (decision, request) => {
      const { minute } = decision;
      const { resetsAt, admitsAt } = minute;
      return rateHeaders(
        { ...decision, minute: { ...minute, resetsAt: resetsAt + reset, admitsAt: admitsAt + retryAfter } },
        request,
      );
    },
  }));
}

/** The body of a 429, which section 7 leaves open. */
function bodyOf429(type: string | undefined, raw: string): ReferenceOptions {
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
    name: 'sliding-log-rejections-counted',
    title: 'A sliding log in which rejected requests count',
    options: combineOptions(slidingLog, rejectionsCounted),
  },
  {
    name: 'sliding-counter-rejections-counted',
    title: 'A sliding counter in which rejected requests count',
    options: combineOptions(slidingCounter, rejectionsCounted),
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
    name: 'token-bucket-rejections-counted',
    title: 'A token bucket from which rejected requests take, too',
    options: combineOptions(tokenBucket, rejectionsCounted),
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
    name: 'sliding-log-resets-a-minute-after-each-request',
    title: 'A sliding log whose Reset is always a minute ahead: when all requests are back',
    options: combineOptions(
      slidingLog,
      withBehaviour(({ rateHeaders }) => ({
        rateHeaders: ({ minute, ...decision }, request) =>
          rateHeaders({ ...decision, minute: { ...minute, resetsAt: request.at + 60_000 } }, request),
      })),
    ),
  },
  {
    name: 'token-bucket-refilled-every-second',
    title: 'A token bucket that gets a token every second from the first request on',
    options: by(intervalBucket(1_000, 'the first request')),
  },
  {
    name: 'token-bucket-refilled-every-ten-seconds',
    title: 'A token bucket that gets ten tokens every ten seconds from the first request on',
    options: by(intervalBucket(10_000, 'the first request')),
  },
  {
    name: 'token-bucket-refilled-by-the-clock',
    title: 'A token bucket that gets ten tokens at every ten seconds of the clock',
    options: by(intervalBucket(10_000, 'the clock')),
  },
  {
    name: 'sliding-log-of-six-parts',
    title: 'Requests are counted by parts of ten seconds, and a window is six of them',
    options: combineOptions(slidingLog, steppedBy(10_000)),
  },
  {
    name: 'sliding-counter-of-four-parts',
    title: 'Parts of fifteen seconds are summed, and the one that leaves the window weighs less and less',
    options: by(slidingCounterOf(4)),
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
    name: 'four-connections',
    title: 'Four connections are taken at a time, and others closed',
    options: combineOptions(slidingLog, { connections: 4 }),
  },
  {
    name: 'bans-behind-429s',
    title: 'A key that is rejected five times in a row is banned for two minutes, and told so',
    options: withBans(5, 120_000),
  },
  {
    name: 'sixteen-connections',
    title: 'Sixteen connections are taken at a time, and others closed',
    options: { connections: 16 },
  },
  {
    name: '429-body-in-plain-text',
    title: 'The body of a 429 is a sentence in plain text',
    options: bodyOf429('text/plain', 'Slow down.'),
  },
  { name: '429-body-empty', title: 'A 429 has no body', options: bodyOf429(undefined, '') },
  {
    name: '429-body-as-a-problem',
    title: 'The body of a 429 is a problem by RFC 9457',
    options: bodyOf429('application/problem+json', '{"type":"about:blank","status":429}'),
  },
  {
    name: 'slow-answers',
    title: 'Every response takes four milliseconds',
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
  {
    name: 'windows-of-a-timer',
    title: 'Windows are ended by a timer that runs from the start of the service on',
    options: by(timer),
  },
  {
    name: 'first-request-rejections-counted',
    title: 'Windows from the first request, in which rejected requests count',
    options: combineOptions(firstRequest, rejectionsCounted),
  },
  {
    name: 'sliding-log-errors-free',
    title: 'A sliding log that holds no errors',
    options: combineOptions(slidingLog, errorsFree),
  },
  {
    name: 'sliding-counter-errors-free',
    title: 'A sliding counter that counts no errors',
    options: combineOptions(slidingCounter, errorsFree),
  },
  {
    name: 'token-bucket-errors-free',
    title: 'A token bucket to which errors give their token back',
    options: combineOptions(tokenBucket, errorsFree),
  },
  {
    name: 'sliding-log-rounded-down',
    title: 'A sliding log, Reset rounded down',
    options: combineOptions(slidingLog, roundedDown),
  },
  {
    name: 'token-bucket-rounded-down',
    title: 'A token bucket, Reset rounded down',
    options: combineOptions(tokenBucket, roundedDown),
  },
  {
    name: 'aligned-by-whole-seconds',
    title: 'Windows of the clock, counted by a clock of whole seconds',
    options: wholeSeconds,
  },
  {
    name: 'first-request-by-whole-seconds',
    title: 'Windows from the first request, counted by a clock of whole seconds',
    options: combineOptions(firstRequest, wholeSeconds),
  },
  {
    name: 'sliding-log-by-whole-seconds',
    title: 'A sliding log, counted by a clock of whole seconds',
    options: combineOptions(slidingLog, wholeSeconds),
  },
  {
    name: 'sliding-counter-by-whole-seconds',
    title: 'A sliding counter, counted by a clock of whole seconds',
    options: combineOptions(slidingCounter, wholeSeconds),
  },
  {
    name: 'token-bucket-by-whole-seconds',
    title: 'A token bucket, refilled by a clock of whole seconds',
    options: combineOptions(tokenBucket, wholeSeconds),
  },
  {
    name: 'aligned-minutes-a-clock-behind',
    title: 'The clock is ninety seconds behind, and windows are its minutes',
    options: {},
    ahead: -90_000,
  },
  {
    name: 'sliding-counter-a-clock-ahead',
    title: 'A sliding counter by a clock that is ninety seconds ahead',
    options: slidingCounter,
    ahead: 90_000,
  },
  {
    name: 'token-bucket-a-clock-behind-and-dates',
    title: 'A token bucket by a clock that is ninety seconds behind, Retry-After by that clock',
    options: combineOptions(tokenBucket, asDate),
    ahead: -90_000,
  },
  {
    name: 'first-request-of-the-tighter-limit',
    title: 'Windows from the first request, headers of whichever limit leaves fewer requests',
    options: combineOptions(firstRequest, ofTheTighterLimit),
  },
  {
    name: 'sliding-log-without-date',
    title: 'A sliding log, and no response says Date',
    options: combineOptions(slidingLog, withoutDate),
  },
  {
    name: 'first-request-without-date',
    title: 'Windows from the first request, and no response says Date',
    options: combineOptions(firstRequest, withoutDate),
  },
  {
    name: 'aligned-with-jitter',
    title: 'Windows of the clock, and responses that take up to thirty milliseconds',
    options: withJitter(30),
  },
  {
    name: 'first-request-with-jitter',
    title: 'Windows from the first request, and responses that take up to thirty milliseconds',
    options: combineOptions(firstRequest, withJitter(30)),
  },
  {
    name: 'sliding-log-with-jitter',
    title: 'A sliding log, and responses that take up to thirty milliseconds',
    options: combineOptions(slidingLog, withJitter(30)),
  },
  {
    name: 'sliding-counter-with-jitter',
    title: 'A sliding counter, and responses that take up to thirty milliseconds',
    options: combineOptions(slidingCounter, withJitter(30)),
  },
  {
    name: 'token-bucket-with-jitter',
    title: 'A token bucket, and responses that take up to thirty milliseconds',
    options: combineOptions(tokenBucket, withJitter(30)),
  },
  {
    name: 'aligned-in-a-shared-store',
    title: 'Windows of the clock, counted in a store that several nodes share',
    options: sharedStore,
  },
  {
    name: 'sliding-log-in-a-shared-store',
    title: 'A sliding log in a store that several nodes share',
    options: combineOptions(slidingLog, sharedStore),
  },
  {
    name: 'token-bucket-in-a-shared-store',
    title: 'A token bucket in a store that several nodes share',
    options: combineOptions(tokenBucket, sharedStore),
  },
  {
    name: 'aligned-and-polled-each-minute',
    title: 'Windows of the clock, and another client that sends a request as each of them begins',
    options: polledEachMinute,
  },
  {
    name: 'retry-after-a-second-more',
    title: 'Retry-After says a second more than is left',
    options: combineOptions(firstRequest, later({ retryAfter: 1_000 })),
  },
  {
    name: 'reset-a-second-later',
    title: 'Reset lies a second behind the end of the window',
    options: later({ reset: 1_000 }),
  },
  {
    name: '429-late',
    title: 'A 429 comes after fifty milliseconds, to slow impatient clients down',
    options: withBehaviour(({ finish }) => ({
      async finish(response, ...parts) {
        if (response.status === 429) await delay(50);
        return finish(response, ...parts);
      },
    })),
  },
];
