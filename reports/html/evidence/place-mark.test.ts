import { describe, expect, test } from 'vitest';
import { jsonLines } from './json-lines.js';
import { markedLines } from './place-mark.js';

const lines = jsonLines('[{"id":1,"tags":["a","b"]},{"name":"Rex"}]') ?? [];

function markedTexts(pointer: string): string[] {
  return markedLines(lines, pointer).marked.map((index) => lines[index]?.text ?? '');
}

describe('the wrong place of a body', () => {
  test('is the line of a value', () => {
    expect(markedTexts('/0/id')).toEqual(['"id": 1,']);
  });

  test('is every line of a value that has several', () => {
    expect(markedTexts('/0/tags')).toEqual(['"tags": [', '"a",', '"b"', ']']);
  });

  test('is the first line of the object that lacks a member', () => {
    expect(markedLines(lines, '/1/id').missing).toBe('id');
    expect(markedTexts('/1/id')).toEqual(['{']);
  });

  test('is nowhere if the body has nothing like it', () => {
    expect(markedTexts('/7/id')).toEqual([]);
    expect(markedTexts('')).toEqual([]);
  });
});
