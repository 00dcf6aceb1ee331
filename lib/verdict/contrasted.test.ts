import { describe, expect, it } from 'vitest';
import { contrasted } from './check.js';

describe('what was expected and what came', () => {
  it.each([
    ['"Rex e\u0301 🐶"', '"Rex é 🐶"', '"Rex e\\u0301 \\ud83d\\udc36"', '"Rex \\u00e9 \\ud83d\\udc36"'],
    ['"a\u00a0b"', '"a b"', '"a\\u00a0b"', '"a b"'],
    ['"a  b"', '"a b"', '"a\\u0020\\u0020b"', '"a b"'],
    ['"👩\u200d🚀"', '"👩🚀"', '"\\ud83d\\udc69\\u200d\\ud83d\\ude80"', '"\\ud83d\\udc69\\ud83d\\ude80"'],
    ['"½"', '"1\u20442"', '"\\u00bd"', '"1\\u20442"'],
  ])('are told apart if they look the same: %s, %s', (expected, received, first, second) => {
    expect(contrasted(expected, received)).toEqual([first, second]);
  });

  it.each([
    ['"Žofie"', '"Zofie"'],
    ['"é"', '"é"'],
    ['200', '404 {"code":"not_found"}'],
  ])('stay as they are if they look different, or are the same: %s, %s', (expected, received) => {
    expect(contrasted(expected, received)).toEqual([expected, received]);
  });
});
