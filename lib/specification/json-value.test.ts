import * as fc from 'fast-check';
import { LosslessNumber } from 'lossless-json';
import { describe, expect, it } from 'vitest';
import { deepestNesting, jsonPointer, parseJson, pathOf, writeJson } from './json-value.js';

function parsed(text: string): unknown {
  const result = parseJson(text);
  if (!result.ok) throw new Error(`${text} was refused: ${result.message}`);
  return result.value;
}

describe('numbers', () => {
  it.each<[string, unknown]>([
    ['12', 12],
    ['1.0', 1],
    ['1e3', 1000],
    ['1.5', 1.5],
    ['9007199254740993', 9007199254740993n],
    ['9007199254740993.0', 9007199254740993n],
    ['9.007199254740993e15', 9007199254740993n],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['1e400', Infinity],
    ['9'.repeat(10_000), Infinity],
  ])('reads %.40s by its value', (text, value) => {
    expect(parsed(text)).toBe(value);
  });

  it('takes the negative zero for an integer', () => {
    expect(Number.isInteger(parsed('-0'))).toBe(true);
    expect(writeJson(parsed('-0'))).toBe('0');
  });

  it.each(['1.00000000000000000001', '9007199254740992.5', '1e-400'])(
    'does not round the fraction %s to an integer',
    (text) => {
      expect(parsed(text)).toBeInstanceOf(LosslessNumber);
      expect(writeJson(parsed(text))).toBe(text);
    },
  );

  it('keeps every int64 digit by digit, there and back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (id) => {
        const value = parsed(`{"id":${id}}`);
        expect(String((value as { id: number | bigint }).id)).toBe(String(id));
        expect(writeJson(value)).toBe(`{"id":${id}}`);
      }),
    );
  });
});

describe('texts', () => {
  it('agrees with the native parser on every JSON text, but for digits that a double loses', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.parse(writeJson(parsed(text)))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('accepts and refuses the same texts as the native parser, and never throws', () => {
    const fragment = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '\\',
      '1',
      '12345678901234567890',
      '1e5',
      '-',
      '.',
      'e',
      'null',
      'NaN',
      ' ',
      '\n',
      '\u0000',
      '\uD800',
    );
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 12 }), (fragments) => {
        const text = fragments.join('');
        let native = true;
        try {
          JSON.parse(text);
        } catch {
          native = false;
        }
        expect(parseJson(text)).toMatchObject(native ? { ok: true } : { ok: false, problem: 'syntax' });
      }),
      { numRuns: 2_000 },
    );
  });

  it('calls a byte order mark a syntax problem and names it', () => {
    expect(parseJson('\uFEFF{}')).toEqual({
      ok: false,
      problem: 'syntax',
      message: 'begins with a byte order mark',
    });
  });

  it('quotes nothing of a hostile text in its message', () => {
    const result = parseJson('\u001b[31m<html>');
    expect(result.ok ? '' : result.message).toMatch(/^[\x20-\x7e]+$/);
  });

  it('keeps lone surrogates', () => {
    expect(writeJson(parsed('"\\ud800"'))).toBe('"\\ud800"');
  });
});

describe('objects', () => {
  it.each([
    ['{"a":1,"a":2}', 2],
    ['{"a":12345678901234567890,"a":2}', 2],
    ['{"a":2,"\\u0061":2}', 2],
  ])('keeps the last value of the duplicate key in %s', (text, value) => {
    expect(parseJson(text)).toEqual({ ok: true, value: { a: value } });
  });

  it.each(['{"__proto__":{"polluted":true}}', '{"__proto__":{"polluted":12345678901234567890}}'])(
    'keeps the key of %s an ordinary one',
    (text) => {
      const value = parsed(text) as Record<string, unknown>;
      expect(Object.keys(value)).toEqual(['__proto__']);
      expect(value['polluted']).toBeUndefined();
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    },
  );
});

describe('nesting', () => {
  it('is read down to its bound', () => {
    const text = '['.repeat(deepestNesting) + '12345678901234567890' + ']'.repeat(deepestNesting);
    expect(writeJson(parsed(text))).toBe(text);
  });

  it.each([deepestNesting + 1, 100_000])('is refused as too deep at %i', (depth) => {
    expect(parseJson('['.repeat(depth) + ']'.repeat(depth))).toMatchObject({
      ok: false,
      problem: 'too-deep',
    });
  });

  it('does not count brackets within strings', () => {
    expect(parsed(JSON.stringify('["'.repeat(2_000)))).toBe('["'.repeat(2_000));
  });
});

describe('writeJson', () => {
  it('throws a TypeError for what JSON has no text for', () => {
    expect(() => writeJson(undefined)).toThrow(TypeError);
  });
});

describe('a JSON pointer', () => {
  it('escapes what RFC 6901 escapes, in its order', () => {
    expect(jsonPointer(['a/b', 'm~n', '~1', '', 0])).toBe('/a~1b/m~0n/~01//0');
  });

  it('leads along the path that it was made of', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.constantFrom('~', '/', '~0', '~1', '~01', ''))),
        (path) => {
          expect(pathOf(jsonPointer(path))).toEqual(path);
        },
      ),
    );
  });
});
