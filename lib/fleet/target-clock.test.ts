import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differencesAt, TargetClock } from './target-clock.js';

const second = 1_000;

/** Responses of a target whose clock is ahead by so much, in the order in which they came. */
const responses = fc
  .array(
    fc.record({ sentAt: fc.integer({ min: 0, max: 100_000 }), took: fc.integer({ min: 1, max: 400 }) }),
    {
      minLength: 1,
      maxLength: 30,
    },
  )
  .map((all) => all.toSorted((one, other) => one.sentAt + one.took - other.sentAt - other.took));
const ahead = fc.integer({ min: -10_000, max: 10_000 });

describe('the difference of two clocks', () => {
  it('holds the true one, while responses come in and when all are there', () => {
    fc.assert(
      fc.property(responses, ahead, (all, difference) => {
        const clock = new TargetClock();
        const readings = all.map(({ sentAt, took }) => {
          const date = Math.floor((sentAt + took / 2 + difference) / second) * second;
          return { date, sentAt, receivedAt: sentAt + took };
        });
        for (const reading of readings) clock.add(reading);
        const now = Math.max(...readings.map(({ receivedAt }) => receivedAt));
        const known = clock.at(now);
        const [again] = differencesAt([now], readings);
        for (const [least, most] of [known ?? [1, 0], again ?? [1, 0]]) {
          expect(least).toBeLessThanOrEqual(difference);
          expect(most).toBeGreaterThanOrEqual(difference);
        }
        expect(again?.[0]).toBeCloseTo(known?.[0] ?? Number.NaN, 6);
        expect(again?.[1]).toBeCloseTo(known?.[1] ?? Number.NaN, 6);
      }),
    );
  });

  it('is not known without a Date, and as wide as what contradicts itself', () => {
    const clock = new TargetClock();
    expect(clock.at(0)).toBeUndefined();
    clock.add({ date: 5_000, sentAt: 0, receivedAt: 0 });
    clock.add({ date: 3_000, sentAt: 0, receivedAt: 0 });
    expect(clock.at(0)).toEqual([4_000, 5_000]);
  });
});
