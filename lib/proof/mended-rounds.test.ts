import { expect, test } from 'vitest';
import { mendedRounds } from './mended-rounds.js';

/** One of a probe with many cases, one of an invariant, one that changes an animal. */
const names = [
  'every-scheme-stripped',
  'no-limit-header',
  'name-may-be-null',
  'id-in-the-body-moves-that-animal',
];

test('a round of what failed finds a fault until it is mended, and then sends at most ten requests', async () => {
  const rounds = [];
  for await (const round of mendedRounds(names)) rounds.push(round);
  expect(rounds.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  for (const { name, isFound, stillFailing, requests } of rounds) {
    expect({ name, isFound, stillFailing }).toEqual({ name, isFound: true, stillFailing: [] });
    expect(requests.empty).toBeLessThanOrEqual(10);
  }
});
