import { describe, expect, it } from 'vitest';
import { Pause } from './pause.js';

const began = Date.UTC(2026, 0, 1);
type Headers = [string, string][];

/** A pause that sees responses, and until when it lasts, in milliseconds after the beginning. */
function pausing() {
  const pause = new Pause();
  const answer = (at: number, status: number, headers: Headers = [], took = 10): void =>
    pause.see({ sentAt: began + at - took, at: began + at, status, headers });
  return { answer, until: () => pause.until - began };
}

describe('after a 429 nothing is sent', () => {
  it('for as many seconds as it says', () => {
    const { answer, until } = pausing();
    answer(100, 429, [['Retry-After', '7']]);
    expect(until()).toBe(7_100);
  });

  it('until the date that it says, by the clock of the target', () => {
    const { answer, until } = pausing();
    const ahead = 90_000;
    answer(0, 429, [
      ['date', new Date(began + ahead).toUTCString()],
      ['retry-after', new Date(began + ahead + 5_000).toUTCString()],
    ]);
    expect(until()).toBe(5_000);
  });

  it.each(['soon', '-3', '0', undefined])(
    'for a second if it says %s, and twice as long each time that this was not enough',
    (text) => {
      const { answer, until } = pausing();
      const headers: Headers = text === undefined ? [] : [['Retry-After', text]];
      answer(0, 429, headers);
      expect(until()).toBe(1_000);
      answer(1_100, 429, headers);
      expect(until()).toBe(3_100);
      answer(3_200, 200);
      answer(3_300, 429, headers);
      expect(until()).toBe(4_300);
    },
  );

  it('no longer because several were under way when the first was refused', () => {
    const { answer, until } = pausing();
    for (const at of [100, 101, 102]) answer(at, 429, [], 50);
    expect(until()).toBe(1_100);
  });

  it('for ten minutes at the most', () => {
    const { answer, until } = pausing();
    answer(0, 429, [['Retry-After', '31536000']]);
    expect(until()).toBe(600_000);
  });
});
