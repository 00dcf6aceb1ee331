import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseJson } from '../specification/json-value.js';
import { spellings } from './values.js';

it.each(spellings)(
  'a body in another spelling is the same to a reader of JSON, and another text',
  (write) => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.maxSafeInteger(), (name, categoryId) => {
        const body = { name, categoryId, status: 'sold' };
        expect(parseJson(write(body))).toEqual({ ok: true, value: body });
        expect(write(body)).not.toBe(JSON.stringify(body));
      }),
    );
  },
);

it('keeps every digit of an int64', () => {
  for (const write of spellings)
    expect(write({ categoryId: 2n ** 63n - 1n })).toContain('9223372036854775807');
});
