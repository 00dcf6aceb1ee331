import { describe, expect, test } from 'vitest';
import { jsonLines } from './json-lines.js';
import { isMarked, placeOf } from './marked-place.js';

const lines = jsonLines('[{"id":1,"tags":["a","b"]},{"name":"Rex"}]') ?? [];

function markedTexts(pointer: string): string[] {
  const place = placeOf(lines, pointer);
  return lines.filter((line, index) => place && isMarked(line, index, lines, place)).map((line) => line.text);
}

describe('the wrong place of a body', () => {
  test('is the line of a value', () => {
    expect(markedTexts('/0/id')).toEqual(['"id": 1,']);
  });

  test('is every line of a value that has several', () => {
    expect(markedTexts('/0/tags')).toEqual(['"tags": [', '"a",', '"b"', ']']);
  });

  test('is the first line of the object that lacks a member', () => {
    expect(placeOf(lines, '/1/id')).toEqual({ kind: 'missing', pointer: '/1', name: 'id' });
    expect(markedTexts('/1/id')).toEqual(['{']);
  });

  test('is nowhere where the body has nothing like it', () => {
    expect(markedTexts('/7/id')).toEqual([]);
    expect(placeOf(lines, '')).toEqual({ kind: 'value', pointer: '' });
  });
});
