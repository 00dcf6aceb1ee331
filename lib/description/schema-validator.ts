import type { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { isObject, type DescriptionValue } from './description-value.js';
import type { Description } from './load-description.js';

/**
 * What a schema is used for. A request has no read-only properties, a response no write-only ones (OpenAPI 3.0.3
 * 4.7.24.2). A `sample` is a response, of which the target may promise more fields than the specification requires. What
 * was `received` is judged by everything that the schema says.
 */
export type Purpose = 'request' | 'sample' | 'received';

/** Why a value is refused: what is wrong with which part of it. */
export interface Refusal {
  readonly message: string;
  readonly path: string;
}

/** The schemas of a description, compiled for each purpose when they are needed. */
export class SchemaValidator {
  readonly #compilers = new Map<Purpose, Ajv>();

  constructor(private readonly description: Description) {}

  /**
   * Why a schema refuses a JSON value, in which integers are doubles; undefined if it accepts it. One that is not a JSON schema
   * refuses everything.
   */
  refusal(schema: DescriptionValue, purpose: Purpose, value: unknown): Refusal | undefined {
    if (!schema.exists) return undefined;
    const compiler = this.#compilers.get(purpose) ?? compilerOf(this.description, purpose);
    this.#compilers.set(purpose, compiler);
    try {
      const validate = compiler.getSchema(
        `description#${schema.pointer.split('/').map(encodeURIComponent).join('/')}`,
      );
      if (validate?.(value)) return undefined;
      const { instancePath: path = '', message = 'is no schema', params = {} } = validate?.errors?.[0] ?? {};
      const allowed: unknown = params['allowedValues'] ?? params['allowedValue'];
      return { path, message: allowed === undefined ? message : `${message}: ${JSON.stringify(allowed)}` };
    } catch (error) {
      // It nests too deep, which says nothing of what it accepts.
      if (error instanceof RangeError) throw error;
      return { path: '', message: `has an unusable schema: ${(error as Error).message}` };
    }
  }
}

function compilerOf(description: Description, purpose: Purpose): Ajv {
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    logger: false,
    ownProperties: true,
    inlineRefs: false,
    // Many a `pattern` is not one of Unicode: `[\w\-]`.
    unicodeRegExp: false,
  });
  formats.default(ajv);
  // A double next to the greatest int64 may stand for it.
  ajv.addFormat('int64', { type: 'number', validate: (value: number) => Math.abs(value) <= 2 ** 63 });
  return ajv.addSchema(jsonSchemas(description, purpose), 'description');
}

type Schema = Record<string, unknown>;

/** Members that hold schemas by their names, or values that are no schemas. The others may hold schemas. */
const maps = /^(properties|patternProperties|dependentSchemas|schemas|\$defs|definitions)$/;
const data = /^(enum|const|default)$/;
/** They say nothing of what is accepted; an asynchronous schema accepts everything. */
const ignored = /^(examples?|\$async)$/;
/** What the specification requires of a response body. */
const specified = /^(id|name|categoryId|code|message|status)$/;

/** A copy of a description in which each schema is one of JSON Schema 2020-12, for a purpose. */
function jsonSchemas({ root, version }: Description, purpose: Purpose): object {
  const copyOf = (value: unknown, isMap = false): unknown => {
    if (!isObject(value)) return value;
    if (Array.isArray(value)) return value.map((item) => copyOf(item));
    const schema: Schema = {};
    for (const [key, child] of Object.entries(value))
      if (isMap || !ignored.test(key))
        schema[key] = !isMap && data.test(key) ? child : copyOf(child, !isMap && maps.test(key));
    return isMap ? schema : adapted(schema, version, purpose);
  };
  return Object(copyOf(root.value)) as object;
}

/** The keywords of a schema, as JSON Schema 2020-12 means them. */
function adapted(written: Schema, version: Description['version'], purpose: Purpose): Schema {
  const { nullable, oneOf, ...schema } = written;
  const { $ref, allOf = [], properties, items, required } = schema;
  // OpenAPI 3.0 ignores all keywords beside a `$ref`.
  if (version === '3.0' && typeof $ref === 'string') return { $ref };
  const hidden = purpose === 'request' ? 'readOnly' : 'writeOnly';
  if (schema[hidden] === true) return { not: {}, [hidden]: true };
  // Branches often overlap: a union is what people mean.
  if (Array.isArray(oneOf)) schema['allOf'] = [allOf, { anyOf: oneOf as unknown[] }].flat();
  if (Array.isArray(required))
    schema['required'] = required.filter((name: unknown) => {
      if (purpose === 'sample') return specified.test(String(name));
      const property: unknown = isObject(properties) && Reflect.get(properties, String(name));
      return !isObject(property) || !(hidden in property);
    });
  // In OpenAPI 3.0 an exclusive bound is a boolean beside the bound.
  for (const bound of ['Minimum', 'Maximum']) {
    const exclusive = `exclusive${bound}`;
    if (typeof schema[exclusive] === 'boolean')
      schema[exclusive] = schema[exclusive] ? schema[bound.toLowerCase()] : undefined;
  }
  // Without a type, keywords that only make sense for one type stand for it.
  if (isObject(properties)) schema['type'] ??= 'object';
  if (isObject(items)) schema['type'] ??= 'array';
  // OpenAPI 3.0 adds null to `type`; people write `nullable` beside `allOf` and `enum` with the same intent.
  return nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema;
}
