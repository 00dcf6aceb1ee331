import { createRequire } from 'node:module';
import type responseValidatorModule from 'openapi-response-validator';
import { isLosslessNumber } from 'lossless-json';
import { z } from 'zod';
import { openApiDocument } from '../openapi.js';
import { jsonPointer } from '../json-value.js';
import type { BodyKind } from '../body-schema.js';

// Node and Vitest disagree on the default import of a CommonJS module that marks itself as transpiled.
const { default: ResponseValidator } = createRequire(import.meta.url)(
  'openapi-response-validator',
) as typeof responseValidatorModule;

/**
 * openapi-response-validator on the project's OpenAPI document, wrapped for its peculiarities:
 * - it writes defaults into the body, so it gets a copy
 * - it refuses a bigint as an integer, so the copy holds doubles; it never checks the range of an int64
 * - it accepts Infinity as an integer; a number beyond a double is null in the copy, which no schema accepts
 * - it reads a `$ref` in place of a response as "no body", so the responses are written out here
 */
const kinds = { Pet: 200, Pets: 201, Error: 202 } as const satisfies Record<BodyKind, number>;

const validator = new ResponseValidator({
  components: structuredClone({ schemas: openApiDocument.components.schemas }) as never,
  responses: Object.fromEntries(
    Object.entries(kinds).map(([kind, status]) => [
      status,
      { schema: { $ref: `#/components/schemas/${kind}` } },
    ]),
  ),
  errorTransformer: (_error, ajvError) => ajvError,
});

/** An error as Ajv reports it; `params` names a missing property, for which the path is the parent's. */
const ajvErrors = z.array(
  z.object({
    instancePath: z.string(),
    params: z.object({ missingProperty: z.string().optional() }),
  }),
);

/** The JSON pointers at which a parsed body does not match the OpenAPI document; none if it matches. */
export function openApiProblems(kind: BodyKind, value: unknown): string[] {
  const result = validator.validateResponse(String(kinds[kind]), doubles(value));
  return ajvErrors.parse(result?.errors ?? []).map(({ instancePath, params: { missingProperty } }) => {
    const missing = missingProperty === undefined ? '' : jsonPointer([missingProperty]);
    return (instancePath + missing).replace(/^\/response/, '');
  });
}

/** A copy with doubles in place of bigints. `Object.fromEntries` keeps a `__proto__` key an ordinary one. */
function doubles(value: unknown): unknown {
  if (typeof value === 'bigint') return doubles(Number(value));
  if (typeof value === 'number' && !Number.isFinite(value)) return null;
  if (typeof value !== 'object' || value === null || isLosslessNumber(value)) return value;
  if (Array.isArray(value)) return value.map(doubles);
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, doubles(child)]));
}
