import { expect, test } from 'vitest';
import { mendedRounds } from './mended-rounds.js';

/** One with many findings, one of an invariant, one that changes an animal, and one that depends on the store. */
const names = [
  '403-for-a-wrong-key',
  '401-without-challenge',
  'id-in-the-body-moves-that-animal',
  'limit-1-gives-none',
];

test('a round of what failed finds a fault until it is mended, and then sends at most ten requests', async () => {
  const rounds = [];
  for await (const round of mendedRounds(names)) rounds.push(round);
  expect(rounds.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  for (const { name, isFound, stillFailing, untriedOnceMended, requests } of rounds) {
    expect({ name, isFound, stillFailing, untriedOnceMended }).toEqual({
      name,
      isFound: true,
      stillFailing: [],
      untriedOnceMended: [],
    });
    expect(requests.kept).toBeLessThanOrEqual(10);
  }
});

test('a fault that shows only now and then takes the whole run to be found again', async () => {
  const nowAndThen = { 'every-fifth-listing-is-old': 'LIST-08', 'refusal-kept-by-the-connection': 'AUTH-04' };
  for await (const { name, wholeRun, isFound } of mendedRounds(Object.keys(nowAndThen))) {
    expect(wholeRun).toContain(new Map(Object.entries(nowAndThen)).get(name));
    expect(isFound).toBe(true);
  }
});

test('what so few requests can not tell is open, and passes once it is mended', async () => {
  for await (const round of mendedRounds(['remaining-by-operation'])) {
    expect(round).toMatchObject({ isFound: false, isOpen: true, untriedOnceMended: [], stillFailing: [] });
  }
});
