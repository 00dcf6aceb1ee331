import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../http/clock/testing/virtual-clock.js';
import type { Client } from '../http/client/client.js';
import { Pets } from '../evidence/pets.js';
import { Store } from './store.js';

/** The patience of a store of which only the clock and the signal are used. */
function retryWithin(consistencyMs: number, clock: VirtualClock, signal: AbortSignal): Store['retryUntil'] {
  const client = { signal } as unknown as Client;
  const settings = { seed: 1, clock, target: { readOnly: false, consistencyMs } };
  const { retryUntil } = new Store(new Pets(), client, () => expect.fail(), settings);
  return retryUntil;
}

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
