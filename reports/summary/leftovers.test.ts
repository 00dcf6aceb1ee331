import { expect, it } from 'vitest';
import { leftoversText } from './leftovers.js';

it.each([
  [['pc1 a', 'pc1 b', 'pc1 c', 'x'], '4 animals, most of them named pc1…: ids 0, 1, 2, …'],
  [['pc1 a', ' pc1 outer space'], '2 animals, most of them named pc1…: ids 0, 1'],
  [['a', 'b', 'c'], '3 animals: ids 0, 1, 2'],
  [['', ''], '2 animals: ids 0, 1'],
])('tells of %j in a sentence, with the word that most begin with', (names, text) => {
  expect(leftoversText(names.map((name, index) => ({ id: String(index), name })))).toBe(text);
});
