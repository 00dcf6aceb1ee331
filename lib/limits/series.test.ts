import { expect, it } from 'vitest';
import { exchangeOf } from '../verdict/testing/exchange.js';
import { seen, type Seen } from './seen.js';
import { inSeries, mostPoints } from './series.js';

/** Answers with these statuses, one a millisecond. */
function answered(statuses: readonly number[]): Seen[] {
  const sentAt = (index: number) => ({ sentAt: index, at: index + 1 });
  return statuses.map((status, index) => seen(exchangeOf({ status }), sentAt(index)));
}

it('keeps all of a few', () => {
  const few = answered(Array.from({ length: mostPoints }, () => 200));
  expect(inSeries(few)).toBe(few);
});

it.each([
  ['of operations in turn', (index: number) => (index === 5_999 ? 429 : index % 3 === 0 ? 201 : 200)],
  ['admitted and refused in turn', (index: number) => (index % 2 === 0 ? 429 : 200)],
])('shows a volley to its end: %s', (_, status) => {
  const volley = answered(Array.from({ length: 6_000 }, (_one, index) => status(index)));
  const kept = inSeries(volley);
  expect(kept.length).toBeLessThanOrEqual(mostPoints);
  expect(kept.length).toBeGreaterThan(mostPoints / 3);
  expect(kept[0]).toBe(volley[0]);
  expect(kept.at(-1)).toBe(volley.at(-1));
  const gaps = kept.map(({ sentAt }, index) => sentAt - (kept[index - 1]?.sentAt ?? 0));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(24);
});

it('keeps the moment of each turn from admission to refusal', () => {
  const volley = answered(Array.from({ length: 6_000 }, (_, index) => (index === 3_333 ? 429 : 200)));
  expect(inSeries(volley).map(({ sentAt }) => sentAt)).toEqual(expect.arrayContaining([3_332, 3_333, 3_334]));
});
