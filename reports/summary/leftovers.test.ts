import { expect, it } from 'vitest';
import { leftoversText } from './leftovers.js';

it.each([
  [['pc1 a', 'pc1 b', 'pc1 c', 'x'], '4 animals (3 named pc1…): ids 0, 1, 2 and 1 more'],
  [['pc1 a', ' pc1 outer space'], '2 animals (named pc1…): ids 0, 1'],
  [['pc1 control 1'], '1 animal (named pc1…): id 0'],
  [['a', 'b', 'c'], '3 animals: ids 0, 1, 2'],
  [['', ''], '2 animals: ids 0, 1'],
])('tells of %j in a sentence, with the word that most begin with', (names, text) => {
  expect(leftoversText(names.map((name, index) => ({ id: String(index), name })))).toBe(text);
});

it('puts identifiers in order as people count', () => {
  const text = (ids: readonly string[]) => leftoversText(ids.map((id) => ({ id, name: '' })));
  expect(text(['10', '9007199254740995', '2', '9007199254740993'])).toBe(
    '4 animals: ids 2, 10, 9007199254740993 and 1 more',
  );
});
