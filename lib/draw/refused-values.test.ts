import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson, writeJson } from '../specification/json-value.js';
import { bodySchemas } from '../specification/testing/body-schema.js';
import { notAnInt64, notAnObject, notAPetStatus, notAString, type InvalidValues } from './values.js';

const accepted = { id: 1, name: 'Rex', categoryId: 7, status: 'sold' };

/** A body with this value in a field, as it comes over the wire. */
function parsedWith(field: string, value: unknown): unknown {
  const parsed = parseJson(writeJson({ ...accepted, [field]: value }));
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.value;
}

describe.each<[string, InvalidValues]>([
  ['name', notAString],
  ['categoryId', notAnInt64(7n)],
  ['status', notAPetStatus],
])('what is wrong for `%s`', (field, invalidValues) => {
  it.each([...invalidValues.entries()])('is each (%i) a defect in this field alone', (_, values) => {
    fc.assert(
      fc.property(values, (value) => {
        const result = bodySchemas.Pet.safeParse(parsedWith(field, value));
        const faulty = result.success ? [] : result.error.issues.map(({ path }) => path[0]);
        expect(new Set(faulty)).toEqual(new Set([field]));
      }),
      { numRuns: 50 },
    );
  });
});

it('the body without any of these defects is none', () => {
  expect(bodySchemas.Pet.safeParse(accepted).success).toBe(true);
});

describe('what is not a JSON object', () => {
  it.each(notAnObject)('is each', (textOf) => {
    const text = textOf(writeJson(accepted)) ?? '';
    const parsed = parseJson(text);
    const isObject =
      parsed.ok && typeof parsed.value === 'object' && parsed.value !== null && !Array.isArray(parsed.value);
    expect(isObject).toBe(false);
  });
});
