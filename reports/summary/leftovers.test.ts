import { expect, it } from 'vitest';
import { inOrder, leftoverMarker } from './leftovers.js';

const named = (...names: string[]) => names.map((name, index) => ({ id: String(index), name }));

it('is the word that most names begin with, and tells how many do not', () => {
  expect(leftoverMarker(named('pc1 a', 'pc1 b', ' pc1 outer space', ''))).toEqual({
    marker: 'pc1',
    others: 1,
  });
  expect(leftoverMarker(named('pc1 control 1'))).toEqual({ marker: 'pc1', others: 0 });
});

it('is none where the names have nothing in common', () => {
  expect(leftoverMarker(named('a', 'b', 'c'))).toBeUndefined();
  expect(leftoverMarker(named('', ''))).toBeUndefined();
  expect(leftoverMarker([])).toBeUndefined();
});

it('stands in the order of identifiers, as people count', () => {
  const ids = ['10', '9007199254740995', '2', 'b-1', '9007199254740993'];
  expect(inOrder(ids.map((id) => ({ id, name: '' }))).map(({ id }) => id)).toEqual([
    '2',
    '10',
    '9007199254740993',
    '9007199254740995',
    'b-1',
  ]);
});
