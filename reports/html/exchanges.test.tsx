import * as fc from 'fast-check';
import { renderToString } from 'preact-render-to-string';
import { describe, expect, test } from 'vitest';
import { Body, linesOfBody } from './exchanges.js';

const shown = (text: string) => linesOfBody(text, '').lines;

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

  test.each([
    ['nothing', ''],
    ['half an object', '{'],
    ['a comma too many', '{"a":1,}'],
    ['HTML', '<html>'],
    ['100,000 arrays in each other', '['.repeat(100_000) + ']'.repeat(100_000)],
  ])('does not lay out %s', (_, text) => {
    expect(shown(text)).toEqual([text]);
  });

  test('lays out a long string', () => {
    expect(shown(JSON.stringify({ name: 'a\\'.repeat(15_000) }))).toHaveLength(3);
  });

  test('means the same as the text, whatever the value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        expect(JSON.parse(shown(JSON.stringify(value)).join('\n'))).toEqual(
          JSON.parse(JSON.stringify(value)),
        );
      }),
    );
  });
});

test.each([
  ['the line of a value', '/0/id', ['"id": 1,']],
  ['every line of a value that has several', '/0/tags', ['"tags": [', '"a",', '"b"', ']']],
  ['the first line of the object that lacks a member', '/1/id', ['{']],
  ['the first line of what is nearest', '/7/id', ['[']],
  ['a member whose name is escaped', '/1/c~1d~0e/0', ['true']],
  ['nothing without a pointer', '', []],
])('a pointer marks %s', (_, pointer, texts) => {
  const json = linesOfBody('[{"id":1,"tags":["a","b"]},{"name":"Rex","c/d~e":[true]}]', pointer);
  const { lines, first = 0, last = -1 } = json;
  expect(lines.slice(first, last + 1).map((line) => line.trimStart())).toEqual(texts);
});

describe('a body', () => {
  const page = JSON.stringify(Array.from({ length: 100 }, (_, id) => ({ id, name: `n${id}` })));
  const html = (pointer = '') =>
    renderToString(<Body text={page} pointer={pointer} />).replaceAll('&quot;', '"');

  test('that is long is cut to its beginning and what a pointer marks, and says by how much', () => {
    expect(html()).toContain('… 378 lines left out …');
    expect(html().match(/"id"/g)?.length).toBeLessThan(10);
    expect(html('/57/name')).toContain('<mark><bdi>"name": "n57"');
    expect(html('/57/name').match(/lines left out/g)).toHaveLength(2);
    expect(html('/57/status')).toContain('<mark><bdi>{</bdi></mark>');
  });

  test('that is short is whole, and a text that is not JSON stays as it came', () => {
    expect(renderToString(<Body text="[1,2]" pointer="" />)).not.toContain('left out');
    expect(renderToString(<Body text={'a\n<b>'} pointer="" />)).toBe(
      '<pre><bdi>a</bdi>\n<bdi>&lt;b></bdi>\n</pre>',
    );
  });
});
