import { expect, it } from 'vitest';
import { OthersWatch } from './others-watch.js';

/** Lets a watch see these Remaining, each after one request more, of which so many are under way. */
function othersIn(remaining: readonly number[], underWay = 0): number {
  const watch = new OthersWatch();
  remaining.forEach((left, index) =>
    watch.see({ limit: 100, remaining: left }, { sent: index + 1 + underWay, answered: index + 1 }),
  );
  return watch.others;
}

it('sees nobody where Remaining falls by what is sent', () => {
  expect(othersIn([99, 98, 97, 96])).toBe(0);
});

it('sees how many others sent', () => {
  expect(othersIn([99, 96, 95, 94])).toBe(2);
});

it('sees nobody in answers that come in another order', () => {
  expect(othersIn([98, 99, 97, 95, 96, 94], 2)).toBe(0);
});

it('sees nobody in a window that begins anew, or refills', () => {
  expect(othersIn([2, 1, 99, 98, 98, 98])).toBe(0);
});
