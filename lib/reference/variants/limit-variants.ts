import { setTimeout as delay } from 'node:timers/promises';
import { withBehaviour, withRefusals, withResponses } from '../changes.js';
import { withBans, withMinuteHeaders } from '../faults/limits/limiter-changes.js';
import type { AlgorithmName } from '../limiter/algorithms.js';
import type { Algorithm } from '../limiter/counter.js';
import { fixedWindowAligned } from '../limiter/fixed-window-clock.js';
import { intervalBucket } from '../limiter/interval-bucket.js';
import { hasKey, type Call } from '../limiter/limiter.js';
import { slidingCounterOf } from '../limiter/sliding-counter.js';
import { combineOptions, type ReferenceOptions } from '../options.js';
import { payloadOf, writeHead } from '../send-response.js';
import { compressedForEveryone } from './transport-variants.js';
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

/** Milliseconds from 0 to `most`, as irregular as a network's, and the same in every run. */
function irregular(most: number): () => number {
  let state = 12_345;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return (state / 2_147_483_648) * most;
  };
}

/** Every response takes up to thirty milliseconds more. */
const jitter: ReferenceOptions = withBehaviour(({ finish }) => {
  const next = irregular(30);
  return {
    async finish(...parts) {
      await delay(next());
      return finish(...parts);
    },
  };
});

/** Responses that say no Date, which HTTP allows to a service without a clock. */
const withoutDate: ReferenceOptions = withBehaviour(() => ({
  transmit(response, _request, outgoing, service) {
    if (response.drop) {
      outgoing.destroy();
      return;
    }
    const payload = payloadOf(response, service);
    writeHead(outgoing, response, [['Content-Length', String(payload?.byteLength ?? 0)]]);
    outgoing.end(payload);
  },
}));

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

/** The algorithms, with what a title begins with. */
const algorithms = {
  aligned: ['Windows of the clock', {}],
  'first-request': ['Windows from the first request', firstRequest],
  'sliding-log': ['A sliding log', slidingLog],
  'sliding-counter': ['A sliding counter', slidingCounter],
  'token-bucket': ['A token bucket', tokenBucket],
} as const satisfies Record<string, readonly [title: string, options: ReferenceOptions]>;
type Name = keyof typeof algorithms;

interface Habit extends LimitVariant {
  /** The algorithms that are tried with it. */
  readonly of: readonly Name[];
}

const all = Object.keys(algorithms) as Name[];
const notAligned = all.filter((name) => name !== 'aligned');

/** What limiters do in the one or the other way, whatever their algorithm. */
const habits: readonly Habit[] = [
  {
    name: 'rejections-counted',
    title: 'rejected requests count',
    options: { limiter: { uncounted: [] } },
    of: notAligned,
  },
  {
    name: 'errors-free',
    title: 'errors are not counted',
    options: { limiter: { uncounted: [400, 401, 404, 429] } },
    of: notAligned,
  },
  {
    name: 'rounded-down',
    title: 'Reset is rounded down',
    options: { headers: { resetRounding: 'down' } },
    of: notAligned,
  },
  {
    name: 'and-dates',
    title: 'Retry-After is a date',
    options: { headers: { retryAfter: 'date' } },
    of: notAligned,
  },
  {
    name: 'of-the-day',
    title: 'the headers are those of the day',
    options: { headers: { shows: 'day' } },
    of: notAligned,
  },
  {
    name: 'of-the-tighter-limit',
    title: 'the headers are those of whichever limit leaves fewer requests',
    options: { headers: { shows: 'fewest' } },
    of: ['first-request'],
  },
  {
    name: 'a-clock-ahead',
    title: 'the clock is ninety seconds ahead',
    options: {},
    ahead: 90_000,
    of: ['aligned', 'sliding-log', 'sliding-counter'],
  },
  {
    name: 'a-clock-behind',
    title: 'the clock is ninety seconds behind',
    options: {},
    ahead: -90_000,
    of: ['aligned', 'first-request', 'token-bucket'],
  },
  {
    name: 'by-whole-seconds',
    title: 'counted by a clock of whole seconds',
    options: steppedBy(1_000),
    of: all,
  },
  {
    name: 'with-jitter',
    title: 'responses take up to thirty milliseconds more',
    options: jitter,
    of: ['aligned', 'sliding-counter', 'token-bucket'],
  },
  {
    name: 'in-a-shared-store',
    title: 'counted in a store that several nodes share',
    options: sharedStore,
    of: ['aligned', 'sliding-log', 'token-bucket'],
  },
  {
    name: 'without-date',
    title: 'no response says Date',
    options: withoutDate,
    of: ['first-request', 'sliding-log'],
  },
];

/** Limiters with a habit. */
const withHabits: readonly LimitVariant[] = habits.flatMap(({ of, ...habit }) =>
  of.map((name) => {
    const [title, algorithm] = algorithms[name];
    return {
      ...habit,
      name: `${name}-${habit.name}`,
      title: `${title}: ${habit.title}`,
      options: combineOptions(algorithm, habit.options),
    };
  }),
);

/** Limiters that conform, each in a way of its own. */
const limitersOfTheirOwn: readonly LimitVariant[] = [
  {
    name: 'everything-compressed',
    title: 'Bodies are compressed with br, whoever asks',
    options: compressedForEveryone,
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
    name: 'windows-of-a-timer',
    title: 'Windows are ended by a timer that runs from the start of the service on',
    options: by(timer),
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
    name: '429-late',
    title: 'A 429 comes after fifty milliseconds, to slow impatient clients down',
    options: withBehaviour(({ finish }) => ({
      async finish(response, ...parts) {
        if (response.status === 429) await delay(50);
        return finish(response, ...parts);
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
    name: 'remaining-before-the-request',
    title: 'Remaining is read before the request is counted: what remained, with this request',
    options: withMinuteHeaders(({ limit, remaining }, admitted) => ({
      remaining: admitted ? Math.min(limit, remaining + 1) : remaining,
    })),
  },
  {
    name: 'reset-a-second-later',
    title: 'Reset lies a second behind the end of the window',
    options: later({ reset: 1_000 }),
  },
  {
    name: '429-body-empty',
    title: 'A 429 has no body',
    options: withRefusals(['rate-limited'], (response) => ({ ...response, content: undefined })),
  },
];

export const limitVariants: readonly LimitVariant[] = [...withHabits, ...limitersOfTheirOwn];
