import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Exchange } from '../../evidence/exchange.js';
import { failureKinds, type FailureKind } from '../../evidence/recorded-exchange.js';
import { algorithms, type AlgorithmName } from '../../reference/limiter/algorithms.js';
import { createLimiter } from '../../reference/limiter/limiter.js';
import {
  rateLimitHeaders,
  retryAfterHeader,
  type RateHeaderChoice,
} from '../../reference/limiter/rate-headers.js';
import { plans } from '../../specification/plan.js';
import { exchangeOf } from '../exchange/testing/exchange-of.js';
import { initialState, maximumWaits, next, noRetries, type Action, type Ended, type State } from './next.js';
import { afterExchange, afterSending, freshPace, longestWait, type Terms } from './pace.js';
import { simulate, type Target } from './testing/simulate.js';

const minute = 60_000;
const start = Date.UTC(2026, 0, 1);
const terms: Terms = { plan: plans.free, concurrency: 8 };

type Header = readonly [name: string, value: string];
const request = (method: string): Exchange['request'] => ({
  method,
  url: 'http://127.0.0.1/v1/pets',
  headers: [],
});
const status = (code: number, headers: readonly Header[] = [], method = 'GET'): Exchange =>
  exchangeOf({ status: code, headers, request: request(method) });
const failed = (kind: FailureKind, method = 'GET', total = 10): Exchange =>
  exchangeOf({
    status: null,
    request: request(method),
    failure: { kind, message: kind },
    timing: { wait: 0, total },
  });
const cutOff = (kind: FailureKind): Exchange => exchangeOf({ failure: { kind, message: kind } });
const rejected = (retryAfter?: string): Exchange =>
  status(429, retryAfter === undefined ? [] : [['Retry-After', retryAfter]]);

it('a request that this machine could not send is no longer under way', () => {
  const ended: Ended = {
    type: 'ended',
    now: start,
    exchange: failed('exhausted'),
    caller: 'key',
    retries: noRetries,
  };
  const [{ underWay }] = next({ ...initialState(terms), underWay: 2 }, ended);
  expect(underWay).toBe(1);
});

describe('the decision after', () => {
  interface Row {
    readonly after: Exchange;
    readonly target?: Partial<State>;
    readonly retries?: Partial<Ended['retries']>;
    readonly hasSubstitute?: boolean;
    readonly hasRunOut?: boolean;
    readonly is: Action['do'];
  }
  const admitted = { admitted: true };
  // The exchange is learnt from before it is decided on.
  const lost = { failures: 8 };
  const table: Readonly<Record<string, Row>> = {
    'a 200': { after: status(200), is: 'accept' },
    'a 500': { after: status(500), is: 'accept' },
    'a body that is too long': { after: cutOff('too-large'), is: 'accept' },
    'an interrupted request': { after: failed('aborted'), is: 'accept' },
    'a request for which this machine has no file descriptor': { after: failed('exhausted'), is: 'stop' },
    'a 429': { after: status(429), is: 'retry' },
    'a 429 to a create': { after: status(429, [], 'POST'), is: 'retry' },
    'a 429 after five waits': {
      after: status(429),
      target: admitted,
      retries: { limited: 5 },
      is: 'retry',
    },
    'a 429 after six waits': { after: status(429), target: admitted, retries: { limited: 6 }, is: 'stop' },
    'nothing but 429 after two waits': { after: status(429), retries: { limited: 2 }, is: 'stop' },
    'a 401 to a key that had run out': { after: status(401), hasRunOut: true, is: 'retry' },
    'a 401 to the seventh key': {
      after: status(401),
      hasRunOut: true,
      retries: { expired: 6 },
      is: 'accept',
    },
    'a refused connection': { after: failed('refused'), is: 'retry' },
    'a refused connection, again': { after: failed('refused'), retries: { unreachable: 1 }, is: 'stop' },
    'a refused connection to a target that was there': {
      after: failed('refused', 'POST'),
      target: admitted,
      retries: { unreachable: 2 },
      is: 'retry',
    },
    'a refused connection to a target that was there, after three retries': {
      after: failed('refused'),
      target: admitted,
      retries: { unreachable: 3 },
      is: 'stop',
    },
    'a reset': { after: failed('reset'), is: 'retry' },
    'a reset, again': { after: failed('reset'), retries: { broken: 1 }, is: 'accept' },
    'a reset of a POST': { after: failed('reset', 'POST'), is: 'accept' },
    'a reset of a POST that has a substitute': {
      after: failed('reset', 'POST'),
      hasSubstitute: true,
      is: 'retry',
    },
    'a reset of a substitute': {
      after: failed('reset', 'POST'),
      hasSubstitute: true,
      retries: { broken: 1 },
      is: 'accept',
    },
    'a reset of a PATCH': { after: failed('reset', 'PATCH'), is: 'accept' },
    'a reset of a DELETE': { after: failed('reset', 'DELETE'), is: 'retry' },
    'a missed deadline': { after: failed('timeout'), is: 'retry' },
    'a missed deadline of a POST': { after: failed('timeout', 'POST'), is: 'accept' },
    'a 503 to a POST': { after: status(503, [], 'POST'), is: 'accept' },
    'a body that was cut off': { after: cutOff('closed'), is: 'retry' },
    'bytes that are not HTTP': { after: failed('not-http'), is: 'retry' },
    'a gateway timeout': { after: status(504), is: 'retry' },
    'eight requests into the silence': { after: failed('timeout'), target: lost, is: 'probe' },
    'eight requests into the silence, one of them a create': {
      after: failed('timeout', 'POST'),
      target: lost,
      is: 'probe',
    },
    'a response between them': { after: status(200), target: lost, is: 'accept' },
    'eight responses that are not finished': {
      after: cutOff('timeout'),
      target: { ...admitted, failures: 8 },
      is: 'probe',
    },
    'a 429, when they have cost five minutes': {
      after: status(429),
      target: { ...admitted, lostMs: 300_000 },
      is: 'stop',
    },
  };

  it.each(Object.entries(table))(
    '%s',
    (_name, { after, target, retries, hasSubstitute = false, hasRunOut = false, is }) => {
      const begun = initialState(terms);
      const [, action] = next(
        { ...begun, ...target, underWay: 1 },
        {
          type: 'ended',
          now: start,
          exchange: after,
          caller: 'key',
          hasSubstitute,
          hasRunOut,
          retries: { ...noRetries, ...retries },
        },
      );
      expect(action.do).toBe(is);
    },
  );
});

/** The reference's limiter, which is no part of this suite. */
function limited(
  algorithm: AlgorithmName,
  headers: RateHeaderChoice = {},
  { latency = 20, clockAhead = 0, perMinute = 60 } = {},
): Target {
  const limiter = createLimiter({ algorithm }, { windowMs: minute, dayMs: 24 * 60 * minute });
  const caller = { name: 'the key', perMinute, perDay: plans.free.perDay };
  const sent = { operation: 'listPets', path: '/v1/pets?', connection: 1, address: '' } as const;
  return (now) => {
    const at = now + latency / 2 + clockAhead;
    const decision = limiter.take({ ...sent, caller, namedAddress: undefined, at });
    if (decision instanceof Promise) throw new Error('this limiter decides at once');
    const date = ['Date', new Date(at).toUTCString()] as const;
    const told = [date, ...rateLimitHeaders(decision, headers)];
    const exchange = decision.admitted
      ? status(200, told)
      : status(429, [...told, retryAfterHeader(decision, at, minute, headers)]);
    return { exchange, takes: latency };
  };
}

const names = Object.keys(algorithms) as AlgorithmName[];
const choices: fc.Arbitrary<RateHeaderChoice> = fc.record({
  shows: fc.constantFrom('minute' as const, 'fewest' as const),
  resetRounding: fc.constantFrom('up' as const, 'down' as const),
  retryAfter: fc.constantFrom('seconds' as const, 'date' as const, 'window' as const),
});

describe('against a limiter of the kind', () => {
  it.each(names)('%s, all requests are admitted, hardly any rejected, in the time of the plan', (name) => {
    fc.assert(
      fc.property(
        choices,
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 0, max: 600 }),
        fc.integer({ min: 0, max: 59_999 }),
        // The target's clock is not ours.
        fc.integer({ min: -86_400_000, max: 86_400_000 }),
        (headers, requests, latency, into, ahead) => {
          const run = simulate(limited(name, headers, { latency, clockAhead: ahead }), requests, terms, {
            start: start + into,
          });
          expect(run.accepted).toBe(requests);
          // A sliding counter weighs the window before for a whole window more: Remaining shows it.
          expect(run.rejected).toBeLessThanOrEqual(name === 'sliding-counter' ? 4 : 0);
          const windows = Math.floor(requests / terms.plan.perMinute) + 3;
          expect(run.took).toBeLessThan(windows * (minute + 1_000) + latency * requests);
        },
      ),
      { numRuns: 25 },
    );
  });

  it.each(names)('%s, that grants less than the plan, few requests are rejected', (name) => {
    const run = simulate(limited(name, {}, { perMinute: 10 }), 35, terms);
    expect(run.accepted).toBe(35);
    expect(run.rejected).toBeLessThanOrEqual(35);
    expect(run.took).toBeLessThan(6 * minute);
  });
});

describe('the count of the plan', () => {
  const anything: Target = () => ({ exchange: status(200), takes: 30 });

  it('lets no minute have more requests', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 190 }), fc.integer({ min: 0, max: 900 }), (requests, takes) => {
        const { sent, took } = simulate(() => ({ exchange: status(200), takes }), requests, terms);
        const within = sent.map(
          ({ at }) => sent.filter((one) => one.at >= at && one.at < at + minute).length,
        );
        expect(Math.max(...within)).toBeLessThanOrEqual(terms.plan.perMinute);
        expect(took).toBeLessThan((Math.floor(requests / 60) + 1) * (minute + 1_000) + takes * requests);
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ['says 0', '0', '4900000000'],
    ['counts down twice as fast, and then stays at 0', undefined, String(start / 1000 + 60)],
  ])('decides, also if Remaining %s', (_what, remaining, reset) => {
    const lying: Target = (_now, number) => {
      const headers: Header[] = [
        ['X-RateLimit-Limit', '1000'],
        ['X-RateLimit-Remaining', remaining ?? String(Math.max(0, 100 - 2 * number))],
        ['X-RateLimit-Reset', reset],
      ];
      return { exchange: status(200, headers), takes: 30 };
    };
    const { accepted, pauses } = simulate(lying, 300, { ...terms, plan: plans.business });
    expect([accepted, pauses]).toEqual([300, []]);
  });

  it('goes by the lowest Remaining of what was under way together, and by each that was sent later', () => {
    const withRemaining = (remaining: number, sentAt: number): Exchange =>
      new Exchange({
        ...status(200, [
          ['X-RateLimit-Limit', '60'],
          ['X-RateLimit-Remaining', String(remaining)],
        ]).line,
        sentAt: new Date(sentAt).toISOString(),
      });
    const used = afterSending(freshPace(terms), start, 60);
    const first = afterExchange(used, start + 40, withRemaining(1, start), 0, terms);
    const late = afterExchange(first, start + 50, withRemaining(4, start), 0, terms);
    const later = afterExchange(late, start + 5 * minute, withRemaining(9, start + 4 * minute), 0, terms);
    expect([first, late, later].map(({ left }) => left)).toEqual([1, 1, 9]);
  });

  it.each(['0', '1'])(
    'is not slowed down for long by a Remaining that stays at %s behind it',
    (remaining) => {
      const headers: Header[] = [
        ['X-RateLimit-Limit', '60'],
        ['X-RateLimit-Remaining', remaining],
      ];
      const lying: Target = () => ({ exchange: status(200, headers), takes: 30 });
      const { accepted, took } = simulate(lying, 180, terms);
      expect(accepted).toBe(180);
      expect(took).toBeLessThan(2.5 * minute);
    },
  );

  it('waits for nothing until the target tells of a limit', () => {
    const unlimited = { ...terms, untilLimited: true, planOption: '--plan' };
    expect(simulate(anything, 500, unlimited).pauses).toEqual([]);
    const once: Target = (_now, number) => ({
      exchange: number === 1 ? rejected('1') : status(200),
      takes: 30,
    });
    const run = simulate(once, 130, unlimited);
    expect(run.took).toBeGreaterThan(minute);
    expect([...run.reasons]).toEqual([
      'the target responded with 429',
      "60 requests a minute, until --plan tells the key's plan",
    ]);
  });

  it('of a plan that was not given is at least the limit that the target reports', () => {
    const reports: Target = () => ({ exchange: status(200, [['X-RateLimit-Limit', '1000']]), takes: 30 });
    expect(simulate(reports, 500, { ...terms, planOption: '--plan' }).pauses).toEqual([]);
    expect(simulate(reports, 500, terms).took).toBeGreaterThan(8 * minute);
  });
});

describe('a 429 that nobody asked for', () => {
  /** The pauses after a first response. */
  const pauseAfter = (first: Exchange): number => {
    const target: Target = (_now, number) => ({ exchange: number === 1 ? first : status(200), takes: 0 });
    const { pauses, stopped } = simulate(target, 1, terms);
    if (stopped !== undefined) throw new Error(stopped);
    return pauses.reduce((sum, pause) => sum + pause, 0);
  };

  it('is waited for as many seconds as it says', () => {
    expect(pauseAfter(rejected('7'))).toBe(7_050);
    // No sooner than the plan spreads its requests.
    expect(pauseAfter(rejected('0'))).toBe(1_000);
    expect(pauseAfter(rejected('119'))).toBe(119_050);
  });

  it('is waited for until the date that it says, by the clock of the target', () => {
    const inTenSeconds = new Date(start + 10_000).toUTCString();
    expect(pauseAfter(rejected(inTenSeconds))).toBe(10_050);
    // The target's clock is 4 s ahead: for it the date is 6 s away.
    const ahead = ['Date', new Date(start + 4_000).toUTCString()] as const;
    expect(pauseAfter(status(429, [['Retry-After', inTenSeconds], ahead]))).toBe(6_050);
    expect(pauseAfter(rejected(new Date(0).toUTCString()))).toBe(1_000);
  });

  it('without a wait that makes sense is waited for until Reset, else for some seconds', () => {
    const reset = String(start / 1000 + 20);
    expect(pauseAfter(status(429, [['X-RateLimit-Reset', reset]]))).toBe(21_050);
    for (const value of [undefined, '', '-5', 'soon', '1e400', 'NaN', '5 minutes 3'])
      expect(pauseAfter(rejected(value))).toBe(2_000);
  });

  it.each(['31536000', '999999999999999', new Date(Date.UTC(2099, 0)).toUTCString()])(
    'that asks for %s ends the run at once, with the reason',
    (value) => {
      expect(() => pauseAfter(rejected(value))).toThrow(
        /asks for a wait of [\d,]+ s; the run waits 120 s at most/,
      );
    },
  );

  it(`that comes again after ${maximumWaits} waits ends the run, each wait longer than the one before`, () => {
    const target: Target = (_now, number) => ({
      exchange: number === 1 ? status(200) : rejected('1'),
      takes: 0,
    });
    const { stopped, pauses, rejected: count } = simulate(target, 2, { ...terms, concurrency: 1 });
    expect(stopped).toMatch(/still responds with 429 after 6 waits/);
    expect(count).toBe(maximumWaits + 1);
    expect(pauses).toEqual([1_050, 2_050, 4_050, 8_050, 16_050, 32_050]);
  });

  it('lets one go ahead of the others, which follow one by one for a minute', () => {
    const busy: Target = (_now, number) => ({
      exchange: number > 8 && number <= 19 ? rejected('3') : status(200),
      takes: 100,
    });
    const { sent, rejected: count, took } = simulate(busy, 30, terms);
    // Eight are under way when the first comes back; from then on each wait costs one rejection.
    expect(count).toBe(11);
    expect(took).toBeLessThan(minute);
    expect(sent.slice(16).map((one) => one.underWay)).toEqual(Array(sent.length - 16).fill(1));
    const once: Target = (_now, number) => ({
      exchange: number === 1 ? rejected('1') : status(200),
      takes: 100,
    });
    const later = simulate(once, 900, { ...terms, plan: plans.business }).sent;
    const careful = later.slice(8).filter(({ at }) => at < start + minute);
    expect(Math.max(...careful.map((one) => one.underWay))).toBe(1);
    expect(later.at(-20)?.underWay).toBe(8);
  });
});

/** Responses that a server may send again and again, as a function of the moment. */
const behaviours: fc.Arbitrary<(now: number) => { exchange: Exchange; takes: number }> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(() => ({ exchange: status(200), takes: 20 })) },
  {
    weight: 3,
    arbitrary: fc
      .record({
        retryAfter: fc.option(
          fc.constantFrom(
            '0',
            '-5',
            '1',
            '59',
            '119',
            'soon',
            '1e9',
            '31536000',
            'Thu, 01 Jan 2099 00:00:00 GMT',
          ),
          { nil: undefined },
        ),
        reset: fc.option(fc.integer({ min: -100, max: 1_000 }), { nil: undefined }),
      })
      .map(({ retryAfter, reset }) => (now: number) => ({
        exchange: status(429, [
          ...(retryAfter === undefined ? [] : [['Retry-After', retryAfter] as const]),
          ...(reset === undefined
            ? []
            : [['X-RateLimit-Reset', String(Math.floor(now / 1000) + reset)] as const]),
        ]),
        takes: 20,
      })),
  },
  fc.constantFrom(500, 502, 503).map((code) => () => ({ exchange: status(code), takes: 20 })),
  fc.tuple(fc.constantFrom(...failureKinds), fc.constantFrom('GET', 'POST')).map(([kind, method]) => () => {
    const takes = kind === 'timeout' ? 10_000 : 20;
    return { exchange: failed(kind, method, takes), takes };
  }),
  fc.constantFrom<FailureKind>('timeout', 'closed', 'reset').map((kind) => () => ({
    exchange: exchangeOf({ failure: { kind, message: kind }, timing: { wait: 0, total: 10_000 } }),
    takes: 10_000,
  })),
);

const laws = fc.record({
  script: fc.array(behaviours, { minLength: 1, maxLength: 6 }),
  requests: fc.integer({ min: 1, max: 120 }),
  plan: fc.constantFrom(plans.free, plans.business),
  budget: fc.option(fc.integer({ min: 0, max: 100 }), { nil: Number.POSITIVE_INFINITY }),
});

it.each(['60', '1795743001'])(
  'another sender is asked to wait for %s s: no request waits for longer than a run may',
  (asked) => {
    const observed = { type: 'observed', now: start, exchange: rejected(asked) } as const;
    const [state] = next(initialState(terms), observed);
    const [, action] = next(state, { type: 'wanted', now: start, caller: 'key', count: 1, left: 1 });
    const until = action.do === 'wait' ? action.until : undefined;
    expect(until).toBeGreaterThan(start + 50_000);
    expect(until).toBeLessThanOrEqual(start + longestWait);
  },
);

it('whatever a target does, a run ends, in its bounds', () => {
  fc.assert(
    fc.property(laws, ({ script, requests, plan, budget }) => {
      const respond: Target = (now, number) =>
        script[number % script.length]?.(now) ?? { exchange: status(200), takes: 20 };
      const run = simulate(respond, requests, { ...terms, plan }, { budget });
      expect(run.sent.length).toBeLessThanOrEqual(budget);
      expect(Math.max(0, ...run.pauses)).toBeLessThanOrEqual(longestWait);
      // What is not sent is said to be left out.
      expect(run.stopped !== undefined).toBe(run.accepted < requests);
      // Seven retries of each request for 429s, one for a response that was lost, and a few for connections.
      expect(run.sent.length).toBeLessThanOrEqual(12 * requests + 20);
      const planned = (run.sent.length / plan.perMinute) * minute;
      expect(run.took).toBeLessThanOrEqual(2 * planned + 10 * minute + run.sent.length * 1_700);
    }),
    { numRuns: 400 },
  );
});

it('a 429 is never answered by sending more at once', () => {
  fc.assert(
    fc.property(laws, ({ script, requests, plan }) => {
      const rejectedAt: number[] = [];
      const respond: Target = (now, number) => {
        const response = script[number % script.length]?.(now) ?? { exchange: status(200), takes: 20 };
        if (response.exchange.response?.status === 429) rejectedAt.push(now + response.takes);
        return response;
      };
      const run = simulate(respond, requests, { ...terms, plan });
      for (const moment of rejectedAt) {
        const after = run.sent.findIndex(({ at }) => at >= moment);
        if (after < 1) continue;
        const [before, now] = run.sent.slice(after - 1, after + 1).map((one) => one.underWay);
        expect(now).toBeLessThanOrEqual(before ?? 0);
      }
    }),
    { numRuns: 150 },
  );
});
