import { jsonPointer } from '../../specification/json-value.js';
import { isObject } from './description-value.js';
import type { OpenApiVersion } from './load-description.js';

/**
 * What a schema is used for. A request has no read-only properties, a response no write-only ones (OpenAPI 3.0.3
 * 4.7.24.2). A `response` is a sample: the target may promise more fields than the specification requires. What was
 * `received` is judged by everything that the schema says.
 */
export type Purpose = 'request' | 'response' | 'received';

/** The keyword that holds the place of a schema in the description. */
export const placeKeyword = 'x-place';

type Kind = 'schema' | 'map' | 'data';

/** Members that hold schemas by their names, or values that are no schemas. The others may hold schemas. */
const kinds: ReadonlyMap<string, Kind> = new Map([
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions', 'schemas'].map(
    (key) => [key, 'map'] as const,
  ),
  ...['enum', 'const', 'default'].map((key) => [key, 'data'] as const),
]);
/** They say nothing of what is accepted; an asynchronous schema accepts everything. */
const ignored = new Set(['example', 'examples', '$async']);
/** What the specification requires of a response body. */
const specified = new Set<unknown>(['id', 'name', 'categoryId', 'code', 'message', 'status']);

type Schema = Record<string, unknown>;

/**
 * A copy of a file of a description in which each schema is one of JSON Schema 2020-12 for a purpose, and knows its
 * place.
 */
export function translated(
  file: object,
  version: OpenApiVersion,
  purpose: Purpose,
  placeOf: (pointer: string) => string,
): object {
  const copyOf = (value: object, pointer: string, kind: Kind): object => {
    const isWanted = (key: string): boolean => kind !== 'schema' || !ignored.has(key);
    const copies = Object.entries(value).flatMap(([key, child]: [string, unknown]) => {
      const own = kind === 'map' ? 'schema' : kind === 'data' ? 'data' : (kinds.get(key) ?? 'schema');
      const copy = isObject(child) ? copyOf(child, pointer + jsonPointer([key]), own) : child;
      return isWanted(key) ? [[key, copy] as const] : [];
    });
    if (Array.isArray(value)) return copies.map(([, copy]) => copy);
    const copy = Object.fromEntries(copies);
    return kind === 'schema'
      ? adapted({ ...copy, [placeKeyword]: placeOf(pointer) }, version, purpose)
      : copy;
  };
  return copyOf(file, '', 'schema');
}

/** The keywords of a schema, as JSON Schema 2020-12 means them. */
function adapted(written: Schema, version: OpenApiVersion, purpose: Purpose): Schema {
  // OpenAPI 3.0 ignores all keywords beside a `$ref`.
  const { $ref, nullable, oneOf, readOnly, writeOnly, [placeKeyword]: place } = written;
  if (version === '3.0' && typeof $ref === 'string') return { $ref, [placeKeyword]: place };
  const schema = { ...written };
  delete schema['nullable'];
  delete schema['oneOf'];
  // Branches often overlap: a union is what people mean.
  if (Array.isArray(oneOf)) schema['allOf'] = [...itemsOf(schema['allOf']), { anyOf: itemsOf(oneOf) }];
  if (Array.isArray(schema['required'])) schema['required'] = requiredFor(schema, purpose);
  for (const bound of ['Minimum', 'Maximum']) withExclusiveBound(schema, bound);
  // Without a type, keywords that only make sense for one type stand for it.
  if (schema['type'] === undefined && isObject(schema['properties'])) schema['type'] = 'object';
  if (schema['type'] === undefined && isObject(schema['items'])) schema['type'] = 'array';
  // OpenAPI 3.0 adds null to `type`; people write `nullable` beside `allOf` and `enum` with the same intent.
  return nullable === true
    ? { anyOf: [schema, { type: 'null' }], readOnly, writeOnly, [placeKeyword]: place }
    : schema;
}

function itemsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** A name that is required must be one that may be sent; of a sample, one that is specified. */
function requiredFor(schema: Schema, purpose: Purpose): unknown[] {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const names = itemsOf(schema['required']);
  if (purpose === 'response') return names.filter((name) => specified.has(name));
  return names.filter((name) => !isHidden(Reflect.get(properties, String(name)), purpose));
}

/** Whether a schema says that its value is not sent. */
export function isHidden(schema: unknown, purpose: Purpose): boolean {
  return isObject(schema) && Reflect.get(schema, purpose === 'request' ? 'readOnly' : 'writeOnly') === true;
}

/** In OpenAPI 3.0 an exclusive bound is a boolean beside the bound. */
function withExclusiveBound(schema: Schema, name: string): void {
  const bound = name.toLowerCase();
  const exclusive = `exclusive${name}`;
  if (schema[exclusive] === true) {
    schema[exclusive] = schema[bound];
    delete schema[bound];
  } else if (schema[exclusive] === false) delete schema[exclusive];
}
