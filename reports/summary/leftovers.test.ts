import { expect, it } from 'vitest';
import { leftoverMarker, leftoversText, sortedLeftovers } from './leftovers.js';

const named = (...names: string[]) => names.map((name, index) => ({ id: String(index), name }));

it('is the word that most names begin with', () => {
  expect(leftoverMarker(named('pc1 a', 'pc1 b', ' pc1 outer space', ''))).toEqual({
    marker: 'pc1',
    named: 3,
  });
  expect(leftoverMarker(named('pc1 control 1'))).toEqual({ marker: 'pc1', named: 1 });
});

it('is none where the names have nothing in common', () => {
  expect(leftoverMarker(named('a', 'b', 'c'))).toBeUndefined();
  expect(leftoverMarker(named('', ''))).toBeUndefined();
  expect(leftoverMarker([])).toBeUndefined();
});

it('stands in the order of identifiers, as people count', () => {
  const ids = ['10', '9007199254740995', '2', 'b-1', '9007199254740993'];
  expect(sortedLeftovers(ids.map((id) => ({ id, name: '' }))).map(({ id }) => id)).toEqual([
    '2',
    '10',
    '9007199254740993',
    '9007199254740995',
    'b-1',
  ]);
});

it('is told in a sentence', () => {
  expect(leftoversText(named('pc1 a', 'pc1 b', 'pc1 c', 'x'))).toBe(
    '4 animals (3 named pc1…): ids 0, 1, 2 and 1 more',
  );
  expect(leftoversText(named('pc1 a'))).toBe('1 animal (named pc1…): id 0');
});
