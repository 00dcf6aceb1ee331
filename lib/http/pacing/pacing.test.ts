import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { algorithms, type AlgorithmName } from '../../reference/limiter/algorithms.js';
import { createLimiter } from '../../reference/limiter/limiter.js';
import {
  rateLimitHeaders,
  retryAfterHeader,
  type RateHeaderChoice,
} from '../../reference/limiter/rate-headers.js';
import { plans, type Plan } from '../../specification/plan.js';
import type { Exchange } from '../../evidence/recorded-exchange.js';
import { maximumWaits, Pacing, type PacingOptions, Waits } from './pacing.js';
import { Concurrency } from './concurrency.js';
import { exchangeOf } from '../exchange/testing/exchange-of.js';
import { VirtualClock } from '../clock/testing/virtual-clock.js';

const minute = 60_000;
const plan = plans.free;
const unaborted = new AbortController().signal;

/** A target; it is asked at the moment when a request arrives. */
type Target = (sent: number) => Exchange;

function paced(options: Partial<PacingOptions> = {}, clock = new VirtualClock()) {
  const pace = new Pacing({
    plan,
    clock,
    clockDifference: () => 0,
    concurrency: new Concurrency(8),
    longestWait: 120_000,
    ...options,
  });
  /** Sends so many requests to the other end of `latency` milliseconds, those that are refused again. */
  const drive = async (target: Target, requests: number, latency = 20) => {
    const began = clock.now();
    const sentAt: number[] = [];
    let refused = 0;
    let inFlight = 0;
    let most = 0;
    const one = async (): Promise<void> => {
      for (;;) {
        const [slot] = await pace.acquire(unaborted);
        sentAt.push(clock.now());
        inFlight += 1;
        most = Math.max(most, inFlight);
        await clock.sleep(latency / 2);
        const exchange = target(clock.now());
        await clock.sleep(latency / 2);
        inFlight -= 1;
        slot?.answered(exchange);
        if (exchange.response?.status !== 429) return;
        refused += 1;
      }
    };
    await Promise.all(Array.from({ length: requests }, one));
    return { took: clock.now() - began, refused, sentAt, most };
  };
  return { clock, pace, drive };
}

/** The reference's limiter, which is no part of this suite. */
function limited(
  algorithm: AlgorithmName,
  headers: RateHeaderChoice = {},
  clockAhead = 0,
  granted: Plan = plan,
): Target {
  const limiter = createLimiter({ algorithm }, { windowMs: minute, dayMs: 24 * 60 * minute });
  const caller = { name: 'the key', perMinute: granted.perMinute, perDay: granted.perDay };
  return (now) => {
    const at = now + clockAhead;
    const call = {
      caller,
      operation: 'listPets' as const,
      path: '/v1/pets?',
      connection: 1,
      address: '',
      namedAddress: undefined,
      at,
    };
    const decision = limiter.take(call);
    if (decision instanceof Promise) throw new Error('this limiter decides at once');
    const told = rateLimitHeaders(decision, headers);
    return decision.admitted
      ? exchangeOf({ headers: told })
      : exchangeOf({ status: 429, headers: [...told, retryAfterHeader(decision, at, minute, headers)] });
  };
}

function mostWithin(sentAt: readonly number[], milliseconds: number): number {
  return Math.max(
    0,
    ...sentAt.map((from) => sentAt.filter((at) => at >= from && at < from + milliseconds).length),
  );
}

const names = Object.keys(algorithms) as AlgorithmName[];
/**
 * A sliding counter tells the end of a window, behind which the one before still weighs: that is found out by asking, by
 * those under way first.
 */
function toleratedIn(name: AlgorithmName, requests: number): number {
  return name === 'sliding-counter' ? 8 + Math.ceil(requests / 4) : 0;
}

const choices: fc.Arbitrary<RateHeaderChoice> = fc.record({
  shows: fc.constantFrom('minute' as const, 'fewest' as const),
  resetRounding: fc.constantFrom('up' as const, 'down' as const),
  retryAfter: fc.constantFrom('seconds' as const, 'date' as const, 'window' as const),
});

describe('against a limiter of the kind', () => {
  it.each(names)(
    '%s, all requests are served, none or hardly any refused, in the time that the plan needs',
    async (name) => {
      await fc.assert(
        fc.asyncProperty(
          choices,
          fc.integer({ min: 1, max: 200 }),
          fc.integer({ min: 0, max: 600 }),
          fc.integer({ min: 0, max: 59_999 }),
          // The target's clock is not ours.
          fc.integer({ min: -86_400_000, max: 86_400_000 }),
          async (headers, requests, latency, into, ahead) => {
            const clock = new VirtualClock(Date.UTC(2026, 0, 1) + into);
            const { took, refused } = await paced({ clockDifference: () => ahead }, clock).drive(
              limited(name, headers, ahead),
              requests,
              latency,
            );
            expect(refused).toBeLessThanOrEqual(toleratedIn(name, requests));
            // Each window's end is told in whole seconds, perhaps rounded down: a second longer is waited.
            const windows = Math.floor(requests / plan.perMinute) + 3;
            expect(took).toBeLessThan(windows * (minute + 1_000) + latency * requests);
          },
        ),
        { numRuns: 25 },
      );
    },
  );

  it('any of them, that grants less than the plan says, what it tells holds', async () => {
    for (const name of names) {
      const target = limited(name, {}, 0, { ...plan, perMinute: 10 });
      const { refused } = await paced().drive(target, 35);
      expect(refused).toBeLessThanOrEqual(toleratedIn(name, 35));
    }
  });
});

describe('where the target tells nothing usable', () => {
  const useless: ReadonlyArray<readonly [what: string, headers: ReadonlyArray<readonly [string, string]>]> = [
    ['no headers', []],
    [
      'words',
      [
        ['X-RateLimit-Limit', 'sixty'],
        ['X-RateLimit-Remaining', 'many'],
        ['X-RateLimit-Reset', 'soon'],
      ],
    ],
    ['more remaining than the limit', rate(60, 61, 0)],
  ];

  it.each(useless)('(%s), no minute has more requests than the plan', async (_what, headers) => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 190 }),
        fc.integer({ min: 0, max: 900 }),
        async (requests, latency) => {
          const { sentAt, took } = await paced().drive(() => exchangeOf({ headers }), requests, latency);
          expect(mostWithin(sentAt, minute)).toBeLessThanOrEqual(plan.perMinute);
          expect(took).toBeLessThan(
            (Math.floor(requests / plan.perMinute) + 1) * (minute + 1_000) + latency * requests,
          );
        },
      ),
      { numRuns: 10 },
    );
  });

  it.each([Number.NaN, -1, 1e21, 1_000])(
    'but a Reset of %d, a used-up window is waited for no longer than a minute',
    async (reset) => {
      let left = 5;
      const { took } = await paced().drive(() => {
        left = left === 0 ? 4 : left - 1;
        return exchangeOf({ headers: rate(60, left, reset) });
      }, 6);
      expect(took).toBeLessThan(minute + 2_000);
    },
  );
});

function rate(limit: number, remaining: number, reset: number): Array<readonly [string, string]> {
  return [
    ['X-RateLimit-Limit', String(limit)],
    ['X-RateLimit-Remaining', String(remaining)],
    ['X-RateLimit-Reset', String(reset)],
  ];
}

describe('a 429 that nobody asked for', () => {
  const refusal = (retryAfter?: string): Exchange =>
    exchangeOf({ status: 429, headers: retryAfter === undefined ? [] : [['Retry-After', retryAfter]] });

  /** How long the second request waits behind a refusal of the first. */
  async function waitAfter(exchange: Exchange, options: Partial<PacingOptions> = {}): Promise<number> {
    const { pace } = paced(options);
    const [slot] = await pace.acquire(unaborted);
    slot?.answered(exchange);
    const [next] = await pace.acquire(unaborted);
    return next?.waited ?? Number.NaN;
  }

  it('is waited for as many seconds as it says', async () => {
    expect(await waitAfter(refusal('7'))).toBe(7_050);
    // No sooner than the plan spreads its requests.
    expect(await waitAfter(refusal('0'))).toBe(1_000);
    expect(await waitAfter(refusal('119'))).toBe(119_050);
  });

  it('is waited for until the date that it says, by the clock of the target', async () => {
    const inTenSeconds = new Date(Date.UTC(2026, 0, 1) + 10_000).toUTCString();
    expect(await waitAfter(refusal(inTenSeconds))).toBe(10_050);
    // The target's clock is 4 s ahead: for it the date is 6 s away.
    expect(await waitAfter(refusal(inTenSeconds), { clockDifference: () => 4_000 })).toBe(6_050);
    expect(await waitAfter(refusal(new Date(0).toUTCString()))).toBe(1_000);
  });

  it('without a wait that makes sense is waited for until Reset, else for some seconds', async () => {
    const reset = Date.UTC(2026, 0, 1) / 1000 + 20;
    const told = exchangeOf({ status: 429, headers: rate(60, 0, reset) });
    expect(await waitAfter(told)).toBe(21_050);
    for (const value of [undefined, '', '-5', 'soon', '1e400', 'NaN', '5 minutes 3']) {
      const wait = await waitAfter(refusal(value));
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(5_000);
    }
  });

  it.each(['31536000', '999999999999999', new Date(Date.UTC(2099, 0)).toUTCString()])(
    'that asks for %s ends the run at once, with the reason',
    async (value) => {
      await expect(waitAfter(refusal(value))).rejects.toThrow(
        /asks for a wait of [\d,]+ s; the run waits 120 s at most/,
      );
    },
  );

  it('keeps everyone waiting, and then lets one go ahead of the others', async () => {
    const { drive } = paced();
    let answers = 0;
    const { refused, took } = await drive(() => {
      answers += 1;
      return answers > 8 && answers <= 19 ? refusal('3') : exchangeOf();
    }, 30);
    // Eight are under way when the first comes back; from then on each wait costs one refusal.
    expect(refused).toBe(11);
    expect(took).toBeGreaterThan(3 * 3_000);
    expect(took).toBeLessThan(60_000);
  });

  it(`that comes again after ${maximumWaits} waits ends the run`, async () => {
    let refused = 0;
    const driven = paced({ concurrency: new Concurrency(1) }).drive(() => {
      refused += 1;
      return refusal('1');
    }, 3);
    await expect(driven).rejects.toThrow(/still responds with 429 after 6 waits/);
    expect(refused).toBe(maximumWaits + 1);
  });

  it('begins the pacing of a target that is not paced', async () => {
    const reasons: Array<string | undefined> = [];
    const { pace, drive } = paced({
      untilLimited: true,
      optionNames: { plan: '--plan', fewer: '--profile=quick' },
      onWait: (wait) => wait && reasons.push(wait.reason),
    });
    const unlimited = await drive(() => exchangeOf(), 500);
    expect(unlimited.took).toBeLessThan(10_000);
    expect(reasons).toEqual([]);
    const [slot] = await pace.acquire(unaborted);
    slot?.answered(refusal('1'));
    const limited = await drive(() => exchangeOf(), 130);
    expect(limited.took).toBeGreaterThan(60_000);
    expect(reasons).toContain('the target responded with 429; --profile=quick sends fewer');
    expect(reasons).toContain("60 requests a minute, until --plan tells the key's plan");
  });

  it('is followed by longer waits, each time it comes again', async () => {
    const waits: number[] = [];
    const { pace } = paced();
    for (let round = 0; round < maximumWaits; round += 1) {
      const [slot] = await pace.acquire(unaborted);
      waits.push(slot?.waited ?? 0);
      slot?.answered(refusal('1'));
    }
    expect(waits).toEqual([0, 1_050, 2_050, 4_050, 8_050, 16_050]);
  });

  it('does not keep on slowing what is served again', async () => {
    const { pace, drive } = paced();
    const [first] = await pace.acquire(unaborted);
    first?.answered(refusal('1'));
    const [second] = await pace.acquire(unaborted);
    second?.answered(exchangeOf());
    const { most, took } = await drive(() => exchangeOf(), 47, 100);
    expect(most).toBe(8);
    // Seven more by themselves, a second apart as the plan spreads them, and forty side by side.
    expect(took).toBe(7 * 1_000 + 100 + 5 * 100);
  });
});

describe('room', () => {
  it('for a burst is given to all of it at once, when the others are done', async () => {
    const { clock, pace } = paced({ concurrency: new Concurrency(4) });
    const alone = await pace.acquire(unaborted, 3);
    const order: string[] = [];
    const burst = pace.acquire(unaborted, 12).then((slots) => order.push(`burst of ${slots.length}`));
    const after = pace.acquire(unaborted).then(() => order.push('one more'));
    await clock.sleep(1);
    expect(order).toEqual([]);
    for (const slot of alone) slot.answered(exchangeOf());
    await burst;
    expect(order).toEqual(['burst of 12']);
    await Promise.race([after, clock.sleep(10)]);
    expect(order).toEqual(['burst of 12']);
  });

  it('for a burst waits for a window that has it', async () => {
    const waits = new Waits();
    const { clock, pace } = paced({ waits });
    const [first] = await pace.acquire(unaborted);
    const reset = clock.now() / 1000 + 30;
    first?.answered(exchangeOf({ headers: rate(60, 5, reset) }));
    const [slot] = await pace.acquire(unaborted, 6);
    expect(slot?.waited).toBe(31_000);
    expect(waits.milliseconds).toBe(31_000);
  });

  it('that came back is used at once, though Reset creeps on with each request', async () => {
    const { clock, pace } = paced();
    // A bucket that is full again a second after each request, and was empty once.
    const ask = async (remaining: number): Promise<number> => {
      const [slot] = await pace.acquire(unaborted);
      const full = Math.ceil((clock.now() + 1_000) / 1_000);
      slot?.answered(exchangeOf({ headers: rate(60, remaining, full) }));
      return slot?.waited ?? Number.NaN;
    };
    await ask(0);
    expect(await ask(9)).toBeGreaterThan(0);
    expect([await ask(8), await ask(7), await ask(6)]).toEqual([0, 0, 0]);
  });

  it('that is given back unused counts for nothing', async () => {
    const { clock, pace, drive } = paced();
    for (let times = 0; times < 200; times += 1) {
      const [slot] = await pace.acquire(unaborted);
      slot?.unused();
      slot?.unused();
    }
    expect(clock.now()).toBe(Date.UTC(2026, 0, 1));
    const { most } = await drive(() => exchangeOf(), 50);
    expect(most).toBe(8);
  });

  it('is waited for no longer when the run is interrupted', async () => {
    const told: unknown[] = [];
    const { clock, pace } = paced({ onWait: (wait) => void told.push(wait?.reason ?? null) });
    const [slot] = await pace.acquire(unaborted);
    slot?.answered(exchangeOf({ status: 429, headers: [['Retry-After', '60']] }));
    const interruption = new AbortController();
    const waiting = pace.acquire(interruption.signal);
    const reason = new Error('interrupted');
    setImmediate(() => interruption.abort(reason));
    // Something else sleeps less, so that the wait is on when the interruption comes.
    void clock.sleep(1);
    await expect(waiting).rejects.toBe(reason);
    expect(told).toEqual(['the target responded with 429', null]);
  });
});
