import { createRequire } from 'node:module';
import * as fc from 'fast-check';
import type responseValidatorModule from 'openapi-response-validator';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openApiDocument } from './openapi.js';
import { bodySchemas, int64, integer, type BodyKind } from './body-schema.js';
import { openApiProblems } from './testing/openapi-problem.js';

const { default: ResponseValidator } = createRequire(import.meta.url)(
  'openapi-response-validator',
) as typeof responseValidatorModule;

/** The JSON Schema that zod itself derives from the judge's schema, compiled by the document's validator. */
function derivedValidator(kind: BodyKind) {
  const schema = z.toJSONSchema(bodySchemas[kind], {
    target: 'draft-7',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema !== int64 && zodSchema !== integer) return;
      delete jsonSchema.anyOf;
      Object.assign(jsonSchema, { type: 'integer' });
    },
  });
  return new ResponseValidator({ responses: { 200: { schema: schema as never } } });
}

describe('the OpenAPI document and the schemas', () => {
  const animal = fc.record({
    id: fc.maxSafeInteger(),
    name: fc.string(),
    categoryId: fc.maxSafeInteger(),
    status: fc.constantFrom('available', 'pending', 'sold'),
  });
  const errorBody = fc.record({ code: fc.string(), message: fc.string(), status: fc.integer() });
  const valid = { Pet: animal, Pets: fc.array(animal, { maxLength: 3 }), Error: errorBody } as const;

  /** A body with one property left out or replaced by anything, so that some stay valid and most do not. */
  const mutated = (bodies: fc.Arbitrary<object>) =>
    fc
      .tuple(bodies, fc.nat(), fc.option(fc.oneof(fc.jsonValue(), fc.constantFrom('sold', 'Sold', 1.5))))
      .map(([body, choice, replacement]): unknown => {
        const target: unknown = Array.isArray(body) ? body[0] : body;
        if (typeof target !== 'object' || target === null) return replacement;
        const entries = Object.entries(target);
        const at = choice % entries.length;
        const changed = Object.fromEntries(
          entries.flatMap(([key, value], index) =>
            index !== at ? [[key, value]] : replacement === null ? [] : [[key, replacement]],
          ),
        );
        return Array.isArray(body) ? [changed, ...(body.slice(1) as unknown[])] : changed;
      });

  it.each(['Pet', 'Pets', 'Error'] as const)('agree on every drawn %s, valid or mutated', (kind) => {
    const derived = derivedValidator(kind);
    fc.assert(
      fc.property(fc.oneof(valid[kind], mutated(valid[kind])), (body) => {
        const byDocument = openApiProblems(kind, body).length === 0;
        const bySchemas = derived.validateResponse('200', structuredClone(body)) === undefined;
        expect(bySchemas).toBe(byDocument);
      }),
      { numRuns: 500 },
    );
  });

  it.each(['Pet', 'Pets', 'Error'] as const)('accept every valid %s', (kind) => {
    fc.assert(
      fc.property(valid[kind], (body) => {
        expect(openApiProblems(kind, body)).toEqual([]);
      }),
    );
  });
});

describe('the OpenAPI document', () => {
  it('refers only to components that it has', () => {
    const text = JSON.stringify(openApiDocument);
    const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g)];
    expect(references.length).toBe(text.split('"$ref"').length - 1);
    for (const [, folder = '', name = ''] of references) {
      expect(openApiDocument.components).toHaveProperty([folder, name]);
    }
  });

  it('uses every component that it has', () => {
    const text = JSON.stringify(openApiDocument);
    for (const folder of ['schemas', 'headers', 'responses'] as const) {
      for (const name of Object.keys(openApiDocument.components[folder])) {
        expect(text).toContain(`"#/components/${folder}/${name}"`);
      }
    }
  });
});
