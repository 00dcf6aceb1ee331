import { expect, it } from 'vitest';
import { leftoverMarker } from './leftover-marker.js';

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
