import { isObject } from './description-value.js';
import type { Description } from './load-description.js';

/**
 * What a schema is used for. A request has no read-only properties, a response no write-only ones (OpenAPI 3.0.3
 * 4.7.24.2). A `sample` is a response, of which the target may promise more fields than the specification requires. What
 * was `received` is judged by everything that the schema says.
 */
export type Purpose = 'request' | 'sample' | 'received';

type Schema = Record<string, unknown>;

/** Members that hold schemas by their names, or values that are no schemas. The others may hold schemas. */
const maps = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'schemas',
  '$defs',
  'definitions',
]);
const data = new Set(['enum', 'const', 'default']);
/** They say nothing of what is accepted; an asynchronous schema accepts everything. */
const ignored = new Set(['example', 'examples', '$async']);
/** What the specification requires of a response body. */
const specified = new Set<unknown>(['id', 'name', 'categoryId', 'code', 'message', 'status']);

/** A copy of a description in which each schema is one of JSON Schema 2020-12, for a purpose. */
export function jsonSchemas({ root, version }: Description, purpose: Purpose): object {
  const copyOf = (value: unknown, isMap = false): unknown => {
    if (!isObject(value)) return value;
    if (Array.isArray(value)) return value.map((item) => copyOf(item));
    const members = Object.entries(value).filter(([key]) => isMap || !ignored.has(key));
    const copy = members.map(([key, child]) => [
      key,
      !isMap && data.has(key) ? child : copyOf(child, !isMap && maps.has(key)),
    ]);
    const schema = Object.fromEntries(copy) as Schema;
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
      if (purpose === 'sample') return specified.has(name);
      const property: unknown = isObject(properties) && Reflect.get(properties, String(name));
      return !isObject(property) || !(hidden in property);
    });
  for (const bound of ['Minimum', 'Maximum']) withExclusiveBound(schema, bound);
  // Without a type, keywords that only make sense for one type stand for it.
  if (isObject(properties)) schema['type'] ??= 'object';
  if (isObject(items)) schema['type'] ??= 'array';
  // OpenAPI 3.0 adds null to `type`; people write `nullable` beside `allOf` and `enum` with the same intent.
  return nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema;
}

/** In OpenAPI 3.0 an exclusive bound is a boolean beside the bound. */
function withExclusiveBound(schema: Schema, name: string): void {
  const [bound, exclusive] = [name.toLowerCase(), `exclusive${name}`];
  if (typeof schema[exclusive] !== 'boolean') return;
  const { [bound]: value, [exclusive]: isExclusive } = schema;
  delete schema[exclusive];
  if (isExclusive) delete schema[bound];
  if (isExclusive) schema[exclusive] = value;
}
