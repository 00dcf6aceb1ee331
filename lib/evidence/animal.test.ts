import { describe, expect, it } from 'vitest';
import { animalOf, valueText } from './animal.js';

describe('the animal that a value shows', () => {
  it.each([
    [12, '12'],
    [-3, '-3'],
    [0, '0'],
    [9223372036854775807n, '9223372036854775807'],
    ['9223372036854775807', '9223372036854775807'],
  ])('has the identifier %s', (id, text) => {
    expect(animalOf({ id, name: 'Rex' })?.id).toBe(text);
  });

  it.each([
    undefined,
    null,
    7,
    'Rex',
    [],
    {},
    { id: null },
    { id: 1.5 },
    { id: 'abc' },
    { id: '' },
    { id: {} },
  ])('is none in %j', (value) => {
    expect(animalOf(value)).toBeUndefined();
  });

  it('keeps what was shown', () => {
    const shown = { id: 1, name: 'Rex', tags: [] };
    expect(animalOf(shown)?.shown).toBe(shown);
  });
});

describe('a value as text', () => {
  it.each([
    [undefined, 'absent'],
    [null, 'null'],
    ['Rex', '"Rex"'],
    [7, '7'],
    [9007199254740993n, '9007199254740993'],
    [{ id: 1n }, '{"id":1}'],
  ])('of %s is %s', (value, text) => {
    expect(valueText(value)).toBe(text);
  });

  it('tells an integer from its digits in quotes', () => {
    expect(valueText(7)).not.toBe(valueText('7'));
    expect(valueText(7)).toBe(valueText(7n));
  });
});
