import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../http/clock/testing/virtual-clock.js';
import { retryWithin } from './retry.js';

/** Answers 1, 2, 3, … and keeps when it was asked, in milliseconds. */
function counting(clock: VirtualClock) {
  const begin = clock.now();
  const asked: number[] = [];
  return {
    asked,
    ask: async (): Promise<number> => {
      asked.push(Math.round(clock.now() - begin));
      return asked.length;
    },
  };
}

describe('patience', () => {
  it('ends with the first answer that will do', async () => {
    const clock = new VirtualClock();
    const { ask, asked } = counting(clock);
    const retryUntil = retryWithin(2_000, clock, new AbortController().signal);
    expect(await retryUntil(ask, (response) => response === 1)).toBe(1);
    expect(asked.length).toBe(1);
  });

  it('asks ever more seldom, and a last time when the time is over', async () => {
    const clock = new VirtualClock();
    const { ask, asked } = counting(clock);
    const retryUntil = retryWithin(2_000, clock, new AbortController().signal);
    expect(await retryUntil(ask, () => false)).toBe(4);
    expect(asked.at(-1)).toBeGreaterThanOrEqual(2_000);
    expect(asked.at(-2)).toBeLessThan(2_000);
  });

  it('requests seldom if requests are expensive, and waits as long as the target needed before', async () => {
    const clock = new VirtualClock();
    let lastCreation = clock.now();
    const { signal } = new AbortController();
    const retryUntil = retryWithin(2_000, clock, signal, () => lastCreation);
    const late = counting(clock);
    await retryUntil(late.ask, (response) => response === 2);
    const delay = late.asked.at(-1) ?? 0;
    lastCreation = clock.now();
    const expected = counting(clock);
    await retryUntil(expected.ask, () => true);
    expect(expected.asked.length).toBe(1);
    expect(expected.asked[0]).toBeGreaterThanOrEqual(delay);
    // Nothing was created since.
    const known = counting(clock);
    await retryUntil(known.ask, () => true);
    expect(known.asked[0]).toBeLessThan(delay);
    // What is waited for it is no time more.
    lastCreation = clock.now();
    const never = counting(clock);
    await retryUntil(never.ask, () => false);
    expect(never.asked.at(-1)).toBeLessThan(2_000 + delay);
  });

  it('requests once if there is none', async () => {
    const clock = new VirtualClock();
    const { ask } = counting(clock);
    expect(await retryWithin(0, clock, new AbortController().signal)(ask, () => false)).toBe(1);
  });

  it('ends with an interruption', async () => {
    const clock = new VirtualClock();
    const interruption = new AbortController();
    const { ask } = counting(clock);
    const waiting = retryWithin(2_000, clock, interruption.signal)(ask, () => false);
    interruption.abort(new Error('interrupted'));
    await expect(waiting).rejects.toThrow('interrupted');
  });
});
