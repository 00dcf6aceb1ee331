import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createLimiter, type Call, type Caller, type Limiter, type LimiterChoice } from './limiter.js';

const lengths = { windowMs: 60_000, dayMs: 86_400_000 };
const start = Date.UTC(2026, 0, 1, 12);
const free: Caller = { name: 'free', perMinute: 60, perDay: 1_000 };

function call(change: Partial<Call> = {}): Call {
  return {
    caller: free,
    operation: 'listPets',
    path: '/v1/pets?',
    connection: 1,
    address: '127.0.0.1',
    namedAddress: undefined,
    at: start,
    ...change,
  };
}

function limiterOf(choice: LimiterChoice = {}): Limiter {
  return createLimiter(choice, lengths);
}

async function admitted(limiter: Limiter, requests: number, change: Partial<Call> = {}): Promise<number> {
  let count = 0;
  for (let sent = 0; sent < requests; sent += 1) if ((await limiter.take(call(change))).admitted) count += 1;
  return count;
}

describe('a limiter', () => {
  it("admits the minute's limit, and again in the next minute", async () => {
    const limiter = limiterOf();
    expect(await admitted(limiter, 70)).toBe(60);
    expect(await admitted(limiter, 70, { at: start + 60_000 })).toBe(60);
  });

  it("admits the day's limit, whatever the minute would allow", async () => {
    const limiter = limiterOf();
    let count = 0;
    for (let minute = 0; minute < 20; minute += 1) {
      count += await admitted(limiter, 60, { at: start + minute * 60_000 });
    }
    expect(count).toBe(1_000);
    const refused = await limiter.take(call({ at: start + 20 * 60_000 }));
    expect(refused.day).toMatchObject({ remaining: 0, admitsAt: Date.UTC(2026, 0, 2) });
  });

  it('tells what remains after the request', async () => {
    const { minute, day } = await limiterOf().take(call());
    expect([minute.remaining, day.remaining]).toEqual([59, 999]);
  });

  it('counts each caller apart, and all operations and connections of one together', async () => {
    const limiter = limiterOf();
    await admitted(limiter, 20, { operation: 'listPets', connection: 1 });
    await admitted(limiter, 20, { operation: 'getPet', connection: 2 });
    expect(await admitted(limiter, 60, { operation: null, connection: 3 })).toBe(20);
    expect(await admitted(limiter, 60, { caller: { ...free, name: 'other' } })).toBe(60);
  });

  it('counts together what the options say', async () => {
    const limiter = limiterOf({ countedAs: ({ operation }) => String(operation) });
    expect(await admitted(limiter, 70, { operation: 'listPets' })).toBe(60);
    expect(await admitted(limiter, 70, { operation: 'getPet' })).toBe(60);
  });

  it('leaves refused requests uncounted, or counts them', async () => {
    const spared = limiterOf({ algorithm: 'sliding-log' });
    await admitted(spared, 70);
    expect((await spared.take(call({ at: start + 59_999 }))).minute.admitsAt).toBe(start + 60_000);
    const counted = limiterOf({ algorithm: 'sliding-log', uncounted: [] });
    await admitted(counted, 60);
    await admitted(counted, 10, { at: start + 1_000 });
    expect((await counted.take(call({ at: start + 59_999 }))).minute.remaining).toBe(0);
    expect(await admitted(counted, 60, { at: start + 60_000 })).toBe(49);
  });

  it('gives back what an uncounted answer used, and nothing else', async () => {
    const limiter = limiterOf({ uncounted: [404, 429] });
    const decision = await limiter.take(call());
    expect(limiter.finishCall(call(), decision, 200).minute.remaining).toBe(59);
    const next = await limiter.take(call());
    expect(limiter.finishCall(call(), next, 404).minute.remaining).toBe(59);
    expect(limiter.finishCall(call(), next, 404).day.remaining).toBe(1_000);
  });

  it('admits too many at once if time passes between reading and raising the count, and never otherwise', async () => {
    const racy = limiterOf({ gap: () => setImmediate() });
    const burst = await Promise.all(Array.from({ length: 100 }, async () => racy.take(call())));
    expect(burst.filter((decision) => decision.admitted).length).toBe(100);
    const atomic = limiterOf();
    const other = await Promise.all(Array.from({ length: 100 }, async () => atomic.take(call())));
    expect(other.filter((decision) => decision.admitted).length).toBe(60);
  });
});
