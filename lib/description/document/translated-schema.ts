import { TooLarge } from '../bounded.js';
import { jsonPointer } from '../../specification/json-value.js';
import { isObject } from './description-value.js';
import type { OpenApiVersion } from './load-description.js';

/**
 * What a schema is used for. A request has no read-only properties, a response no write-only ones (OpenAPI 3.0.3
 * 4.7.24.2). A `response` and an `error` are samples: the target may promise more than the specification requires. What
 * was `received` is judged by everything that the schema says.
 */
export type Purpose = 'request' | 'response' | 'error' | 'received';

/** The keyword that holds the place of a schema in the description. */
export const placeKeyword = 'x-place';

/** Objects of one file: YAML aliases may repeat a few without end. */
const mostObjects = 1_000_000;

const maps = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
  'schemas',
]);
const data = new Set(['enum', 'const', 'default']);
/** They say nothing of what is accepted; an asynchronous schema accepts everything. */
const ignored = new Set(['example', 'examples', '$async']);
/** What the specification requires of a response body. */
const specified = new Set<unknown>(['id', 'name', 'categoryId', 'code', 'message', 'status']);

type Schema = Record<string, unknown>;

export interface Translation {
  readonly version: OpenApiVersion;
  readonly purpose: Purpose;
  /** The place of a pointer, as findings show it. */
  readonly placeOf: (pointer: string) => string;
}

/**
 * A copy of a file of a description in which each schema is one of JSON Schema 2020-12 for a purpose, and knows its
 * place.
 *
 * @throws TooLarge if the copy would be too large.
 */
export function translated(file: object, { version, purpose, placeOf }: Translation): object {
  let objects = 0;
  const copyOf = (value: unknown, pointer: string, kind: 'schema' | 'map' | 'data'): unknown => {
    if (!isObject(value)) return value;
    objects += 1;
    if (objects > mostObjects) throw new TooLarge(`it unfolds to more than ${mostObjects} objects`);
    if (Array.isArray(value))
      return value.map((item, index) =>
        copyOf(item, `${pointer}/${index}`, kind === 'data' ? 'data' : 'schema'),
      );
    const members = Object.entries(value).filter(([key]) => kind !== 'schema' || !ignored.has(key));
    const copy = Object.fromEntries(
      members.map(([key, child]) => {
        const kindOfChild = kind !== 'schema' ? (kind === 'map' ? 'schema' : 'data') : kindOf(key);
        return [key, copyOf(child, pointer + jsonPointer([key]), kindOfChild)];
      }),
    );
    if (kind !== 'schema') return copy;
    return adapted({ ...copy, [placeKeyword]: placeOf(pointer) }, version, purpose);
  };
  return copyOf(file, '', 'schema') as object;
}

function kindOf(key: string): 'schema' | 'map' | 'data' {
  return maps.has(key) ? 'map' : data.has(key) ? 'data' : 'schema';
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
  if (purpose === 'error') allowAnyText(schema);
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
  if (purpose === 'response' || purpose === 'error') return names.filter((name) => specified.has(name));
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

/** The target may say which texts its errors have. */
function allowAnyText(schema: Schema): void {
  const values = 'const' in schema ? [schema['const']] : itemsOf(schema['enum']);
  if (values.length > 0 && values.every((value) => typeof value === 'string')) {
    schema['type'] = 'string';
    delete schema['enum'];
    delete schema['const'];
  }
  for (const restriction of ['pattern', 'format', 'minLength', 'maxLength']) {
    if (schema['type'] === 'string') delete schema[restriction];
  }
}
