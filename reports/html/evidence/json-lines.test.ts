import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonLines } from './json-lines.js';

const shown = (text: string) => jsonLines(text)?.map(({ depth, text: line }) => '  '.repeat(depth) + line);

describe('JSON laid out in lines', () => {
  test('keeps every digit, every escape and every duplicate key', () => {
    expect(shown('{"id":9223372036854775807,"n":1.10,"n":1e400,"s":"\\u0041\\/","e":[],"o":{}}')).toEqual([
      '{',
      '  "id": 9223372036854775807,',
      '  "n": 1.10,',
      '  "n": 1e400,',
      '  "s": "\\u0041\\/",',
      '  "e": [],',
      '  "o": {}',
      '}',
    ]);
  });

  test('tells the JSON pointer of each line', () => {
    expect(jsonLines('[{"a/b":1},{"c~d":[true]}]')?.map(({ pointer }) => pointer)).toEqual([
      '',
      '/0',
      '/0/a~1b',
      '/0',
      '/1',
      '/1/c~0d',
      '/1/c~0d/0',
      '/1/c~0d',
      '/1',
      '',
    ]);
  });

  test.each(['', '{', '{"a":1,}', '<html>', 'NaN', '[1] trailing'])('%j is no JSON', (text) => {
    expect(jsonLines(text)).toBeUndefined();
  });

  test('a text nested 100,000 deep is left as it came', () => {
    expect(jsonLines('['.repeat(100_000) + ']'.repeat(100_000))).toBeUndefined();
  });

  test('a string of a million characters is laid out', () => {
    expect(jsonLines(JSON.stringify({ name: 'a\\'.repeat(500_000) }))).toHaveLength(3);
  });

  test('means the same as the text, whatever the value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const lines = shown(JSON.stringify(value)) ?? [];
        expect(JSON.parse(lines.join('\n'))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
