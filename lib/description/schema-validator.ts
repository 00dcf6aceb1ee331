import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { isObject, placeOf, textOf, type Description, type Part } from './description.js';

/**
 * What a schema is used for. A request has no read-only properties, a response no write-only ones (OpenAPI 3.0.3 4.7.24.2).
 * A `sample` is a response that need not have all that the target promises; a response that was `received` must.
 */
type Purpose = 'request' | 'sample' | 'received';

/** Why a schema refuses a JSON value, in which integers are doubles; undefined if it accepts it, or is none. */
export type Validator = (schema: Part, value: unknown) => string | undefined;

/** What the specification requires in the body of a response. */
const specified = /^(id|name|categoryId|code|message|status)$/;

/** Validates by the schemas of a description, each compiled when it is needed. One that can't be compiled refuses everything. */
export function validatorOf({ root, document }: Description, purpose: Purpose): Validator {
  // Many a `pattern` is not one of Unicode: `[\w\-]`.
  const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false, unicodeRegExp: false });
  formats.default(ajv);
  // A double next to the greatest int64 may stand for it.
  ajv.addFormat('int64', { type: 'number', validate: (value: number) => Math.abs(value) <= 2 ** 63 });
  const isOld = textOf(root?.openapi).startsWith('3.0');
  const copyOf = (value: unknown): unknown => {
    if (!isObject(value)) return value;
    if (Array.isArray(value)) return value.map(copyOf);
    const copies = Object.entries(value).map(([key, child]) => [key, copyOf(child)]);
    return adapted(Object.fromEntries(copies) as Record<string, unknown>, isOld, purpose);
  };
  ajv.addSchema(Object(copyOf(document)) as object, 'description');
  return (schema, value) => {
    if (!isObject(schema)) return undefined;
    const place = placeOf(schema).split('/').map(encodeURIComponent).join('/');
    try {
      const validate = ajv.getSchema(`description#${place}`);
      if (validate?.(value)) return undefined;
      const { instancePath = '', message = 'is no schema', params = {} } = validate?.errors?.[0] ?? {};
      const allowed: unknown = params['allowedValues'] ?? params['allowedValue'];
      return `${instancePath || 'it'} ${message}${allowed === undefined ? '' : `: ${JSON.stringify(allowed)}`}`;
    } catch (error) {
      // It nests too deep, which says nothing of what it accepts.
      if (error instanceof RangeError) throw error;
      return `it has an unusable schema: ${(error as Error).message}`;
    }
  };
}

/** The keywords of a schema, as JSON Schema 2020-12 means them. Other parts of a description have none of them. */
function adapted(written: Record<string, unknown>, isOld: boolean, purpose: Purpose) {
  const { nullable, oneOf, ...schema } = written;
  const { $ref, properties, required } = schema;
  // OpenAPI 3.0 ignores all keywords beside a `$ref`.
  if (isOld && typeof $ref === 'string') return { $ref };
  const hidden = purpose === 'request' ? 'readOnly' : 'writeOnly';
  if (schema[hidden] === true) return { not: {}, [hidden]: true };
  // Branches often overlap: a union is what people mean.
  if (oneOf !== undefined) schema['anyOf'] ??= oneOf;
  const isHidden = (name: unknown): boolean =>
    Object.hasOwn(Object(Reflect.get(Object(properties), String(name))) as object, hidden);
  if (Array.isArray(required))
    schema['required'] = required.filter(
      (name) => !isHidden(name) && (purpose !== 'sample' || specified.test(String(name))),
    );
  // In OpenAPI 3.0 an exclusive bound is a boolean beside the bound.
  for (const bound of ['Minimum', 'Maximum']) {
    const exclusive = schema[`exclusive${bound}`];
    if (typeof exclusive === 'boolean')
      schema[`exclusive${bound}`] = exclusive ? schema[bound.toLowerCase()] : undefined;
  }
  // Without a type, what only makes sense for objects stands for it.
  if (isObject(properties)) schema['type'] ??= 'object';
  // OpenAPI 3.0 adds null to `type`; people write `nullable` beside `allOf` and `enum` with the same intent.
  return nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema;
}
