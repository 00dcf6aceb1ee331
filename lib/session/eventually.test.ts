import { describe, expect, it } from 'vitest';
import { SkippingClock } from '../http/skipping-clock.js';
import { eventuallyWithin } from './eventually.js';

/** Answers 1, 2, 3, … and keeps when it was asked, in milliseconds. */
function counting(clock: SkippingClock) {
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
    const clock = new SkippingClock();
    const { ask, asked } = counting(clock);
    const patiently = eventuallyWithin(2_000, clock, new AbortController().signal);
    expect(await patiently(ask, (answer) => answer === 1)).toBe(1);
    expect(asked.length).toBe(1);
  });

  it('asks ever more seldom, and a last time when the time is over', async () => {
    const clock = new SkippingClock();
    const { ask, asked } = counting(clock);
    const patiently = eventuallyWithin(2_000, clock, new AbortController().signal);
    expect(await patiently(ask, () => false)).toBe(7);
    expect(asked.at(-1)).toBeGreaterThanOrEqual(2_000);
    expect(asked.at(-2)).toBeLessThan(2_000);
  });

  it('asks once where there is none', async () => {
    const clock = new SkippingClock();
    const { ask } = counting(clock);
    expect(await eventuallyWithin(0, clock, new AbortController().signal)(ask, () => false)).toBe(1);
  });

  it('ends with an interruption', async () => {
    const clock = new SkippingClock();
    const interruption = new AbortController();
    const { ask } = counting(clock);
    const waiting = eventuallyWithin(2_000, clock, interruption.signal)(ask, () => false);
    interruption.abort(new Error('interrupted'));
    await expect(waiting).rejects.toThrow('interrupted');
  });
});
