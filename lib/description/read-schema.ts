import { isObject, type DescriptionValue } from './document/description-value.js';
import { anything, both, either, jsonTypes, withNull, type JsonType, type Schema } from './schema.js';

/** A composition within compositions that is deeper than this admits everything. */
const deepestComposition = 100;

/** Each schema is read once, so that shared and circular schemas cost no more than their length. */
const known = new WeakMap<object, Schema>();

/** Reads a schema of either version (OpenAPI 3.0.3 4.7.24, JSON Schema 2020-12). */
export function readSchema(node: DescriptionValue, depth = 0): Schema {
  const { value, pointer } = node;
  if (value === false) return { ...anything(pointer), types: new Set() };
  if (!isObject(value) || depth > deepestComposition) return anything(pointer);
  const schema = known.get(value);
  if (schema) return schema;
  // A composition that contains itself adds nothing to itself.
  known.set(value, anything(pointer));
  const read = readComposed(node, depth);
  known.set(value, read);
  return read;
}

function readComposed(node: DescriptionValue, depth: number): Schema {
  let schema = readKeywords(node);
  for (const part of node.at('allOf').items()) schema = both(schema, readSchema(part, depth + 1));
  for (const keyword of ['oneOf', 'anyOf']) {
    const branches = node.at(keyword).items();
    const [first, ...rest] = branches.map((branch) => readSchema(branch, depth + 1));
    if (first) schema = both(schema, rest.reduce(either, first));
  }
  // OpenAPI 3.0 adds null to `type`; people write `nullable` beside `allOf` with the same intent.
  return node.at('nullable').value === true ? { ...schema, types: withNull(schema) } : schema;
}

function readKeywords(node: DescriptionValue): Schema {
  const { value: constant } = node.at('const');
  const { value: enumeration } = node.at('enum');
  const values =
    constant === undefined
      ? Array.isArray(enumeration)
        ? new Set<unknown>(enumeration)
        : undefined
      : new Set([constant]);
  const { value: multipleOf } = node.at('multipleOf');
  const { value: format } = node.at('format');
  const properties = node.at('properties').members();
  const items = node.at('items');
  const required = node
    .at('required')
    .items()
    .map(({ value }) => value);
  return {
    pointer: node.pointer,
    types: typesOf(node, values),
    values,
    format: typeof format === 'string' ? format : undefined,
    minimum: boundOf(node, 'Minimum', 1),
    maximum: boundOf(node, 'Maximum', -1),
    multipleOf: typeof multipleOf === 'number' ? multipleOf : undefined,
    default: node.at('default').value,
    required: new Set(required.filter((name) => typeof name === 'string')),
    properties: new Map(properties.map(([name, property]) => [name, () => readSchema(property)])),
    closedTo:
      node.at('additionalProperties').value === false ? new Set(properties.map(([name]) => name)) : undefined,
    items: items.exists ? () => readSchema(items) : undefined,
    readOnly: node.at('readOnly').value === true,
    writeOnly: node.at('writeOnly').value === true,
  };
}

/**
 * The least (`sign` 1) or greatest (`sign` -1) integer that the bounds admit. OpenAPI 3.0 makes a bound exclusive by a
 * boolean beside it; 3.1 has `exclusiveMinimum` and `exclusiveMaximum` as numbers (JSON Schema 2020-12 validation 6.2).
 */
function boundOf(node: DescriptionValue, name: 'Minimum' | 'Maximum', sign: 1 | -1): number {
  const bound = (keyword: string): number => {
    const { value } = node.at(keyword);
    return typeof value === 'number' || typeof value === 'bigint' ? sign * Number(value) : -Infinity;
  };
  const inclusive = bound(name.toLowerCase());
  const isExclusive = node.at(`exclusive${name}`).value === true;
  const exclusive = isExclusive ? inclusive : bound(`exclusive${name}`);
  return sign * Math.max(Math.ceil(inclusive), Math.floor(exclusive) + 1);
}

/** From `type`; without it, from the values or the keywords that only make sense for one type. */
function typesOf(node: DescriptionValue, values: Schema['values']): Schema['types'] {
  const { value } = node.at('type');
  if (value !== undefined) {
    const written: unknown[] = Array.isArray(value) ? value : [value];
    const types = jsonTypes.filter((type) => written.includes(type));
    return new Set(types.flatMap((type) => (type === 'number' ? numberTypes(node) : [type])));
  }
  if (values) return new Set([...values].map(typeOfValue));
  if (node.at('properties').exists) return new Set(['object']);
  return new Set(node.at('items').exists ? ['array'] : jsonTypes);
}

/** A multiple of an integer is an integer. */
function numberTypes(node: DescriptionValue): JsonType[] {
  return Number.isInteger(node.at('multipleOf').value) ? ['integer'] : ['integer', 'number'];
}

function typeOfValue(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint' || Number.isInteger(value)) return 'integer';
  const type = typeof value;
  return type === 'string' || type === 'boolean' || type === 'number' ? type : 'object';
}
