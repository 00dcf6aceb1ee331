import { describe, expect, it } from 'vitest';
import { withBehaviour } from '../reference/changes.js';
import type { ReferenceOptions } from '../reference/options.js';
import { daySettings, proveAgainst, turnedIn } from './prove.js';

/** A run that judges the limits of the minute, and then counts a day. */
async function turnedOnADay(options: ReferenceOptions): Promise<string[]> {
  const settings = { limits: 'day', only: ['RATE', 'LIMIT'] } as const;
  return turnedIn(await proveAgainst(options, { ...daySettings, settings }));
}

describe('a run that counts a day', () => {
  it('turns nothing of the reference', async () => {
    expect(await turnedOnADay({})).toEqual([]);
  });

  it('finds that Retry-After tells the end of the minute when the day is used up', async () => {
    const ofTheMinute = withBehaviour(({ rateHeaders }) => ({
      rateHeaders: ({ minute, day, admitted }, request) =>
        rateHeaders({ admitted, minute, day: { ...day, remaining: 1, admitsAt: minute.admitsAt } }, request),
    }));
    expect(await turnedOnADay(ofTheMinute)).toContain('LIMIT-05');
  });
});
