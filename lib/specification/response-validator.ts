import { createRequire } from 'node:module';
import { isLosslessNumber } from 'lossless-json';
import type responseValidatorModule from 'openapi-response-validator';
import type { BodyKind } from './body-schema.js';
import { jsonPointer } from './json-value.js';
import { openApiDocument } from './openapi.js';

/**
 * openapi-response-validator on the project's OpenAPI document, wrapped for its peculiarities:
 * - it writes defaults into the body, so it gets a copy
 * - it refuses a bigint as an integer, so the copy holds doubles; it never checks the range of an int64
 * - it accepts Infinity as an integer; a number beyond a double is null in the copy, which no schema accepts
 * - it reads a `$ref` in place of a response as "no body", so the responses are written out here
 */
const statuses = { Pet: 200, Pets: 201, Error: 202 } as const satisfies Record<BodyKind, number>;

/** An error as Ajv reports it. A missing property has the path of its parent. */
interface AjvError {
  readonly instancePath: string;
  readonly params: { readonly missingProperty?: string };
}

type Validate = (status: string, body: unknown) => { readonly errors: readonly AjvError[] } | undefined;

let validate: Validate | undefined;

/** Loading it and compiling the schemas takes longer than judging a run: it waits until a body is judged. */
function loaded(): Validate {
  // What is published has it in its own code, where a bundler finds it by this call; Node's own `require` is for sources.
  const { default: ResponseValidator } = (
    typeof require === 'function'
      ? require('openapi-response-validator')
      : createRequire(import.meta.url)('openapi-response-validator')
  ) as typeof responseValidatorModule;
  const validator = new ResponseValidator({
    components: structuredClone({ schemas: openApiDocument.components.schemas }) as never,
    responses: Object.fromEntries(
      Object.entries(statuses).map(([kind, status]) => [
        status,
        { schema: { $ref: `#/components/schemas/${kind}` } },
      ]),
    ),
    errorTransformer: (_error, ajvError) => ajvError,
  });
  return (status, body) => validator.validateResponse(status, body);
}

/** The JSON pointers at which a parsed body does not match the OpenAPI document, each once; none if it matches. */
export function openApiProblems(kind: BodyKind, value: unknown): ReadonlySet<string> {
  validate ??= loaded();
  const { errors = [] } = validate(String(statuses[kind]), doubles(value)) ?? {};
  return new Set(
    errors.map(({ instancePath, params: { missingProperty } }) => {
      const missing = missingProperty === undefined ? '' : jsonPointer([missingProperty]);
      return (instancePath + missing).replace(/^\/response/, '');
    }),
  );
}

/** A copy with doubles in place of bigints. `Object.fromEntries` keeps a `__proto__` key an ordinary one. */
function doubles(value: unknown): unknown {
  if (typeof value === 'bigint') return doubles(Number(value));
  if (typeof value === 'number' && !Number.isFinite(value)) return null;
  if (typeof value !== 'object' || value === null || isLosslessNumber(value)) return value;
  if (Array.isArray(value)) return value.map(doubles);
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, doubles(child)]));
}
