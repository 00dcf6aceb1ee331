import { isObject, type DescriptionNode } from './description-node.js';
import { integerBounds } from './integer-bounds.js';
import {
  anything,
  both,
  either,
  jsonTypes,
  nothing,
  withNull,
  type JsonType,
  type SchemaView,
} from './schema-view.js';

/** `allOf` within `allOf` deeper than this is taken to say nothing more. */
const deepestComposition = 100;

/**
 * Reads a schema (OpenAPI 3.0.3 4.7.24, JSON Schema 2020-12) in either version's spelling. Each schema is read once,
 * so that shared and circular ones cost no more than they are long.
 */
export function schemaReader(): (schema: DescriptionNode) => SchemaView {
  const known = new WeakMap<object, SchemaView>();

  const read = (schema: DescriptionNode, depth: number): SchemaView => {
    const { value } = schema;
    if (value === false) return nothing(schema.pointer);
    if (!isObject(value) || depth > deepestComposition) return anything(schema.pointer);
    const seen = known.get(value);
    if (seen) return seen;
    // What a circular composition says of itself is nothing new.
    known.set(value, anything(schema.pointer));
    const view = readComposed(schema, depth);
    known.set(value, view);
    return view;
  };

  const readComposed = (schema: DescriptionNode, depth: number): SchemaView => {
    let view = readKeywords(schema, (child) => () => read(child, 0));
    for (const part of schema.at('allOf').items()) view = both(view, read(part, depth + 1));
    for (const keyword of ['oneOf', 'anyOf']) {
      const [first, ...rest] = schema
        .at(keyword)
        .items()
        .map((part) => read(part, depth + 1));
      if (first) view = both(view, rest.reduce(either, first));
    }
    // In 3.0 it adds null to the type; people write it beside `allOf` and mean the same.
    return schema.at('nullable').value === true ? { ...view, types: withNull(view.types) } : view;
  };

  return (schema) => read(schema, 0);
}

type Deferred = (schema: DescriptionNode) => () => SchemaView;

function readKeywords(schema: DescriptionNode, deferred: Deferred): SchemaView {
  const values = valuesOf(schema);
  const { value: multipleOf } = schema.at('multipleOf');
  const properties = schema.at('properties').members();
  const items = schema.at('items');
  const { value: format } = schema.at('format');
  return {
    ...anything(schema.pointer),
    ...integerBounds(schema),
    types: typesOf(schema, values),
    values,
    format: typeof format === 'string' ? format : undefined,
    multipleOf: typeof multipleOf === 'number' ? multipleOf : undefined,
    preset: schema.at('default').value,
    required: new Set(
      schema
        .at('required')
        .items()
        .map(({ value }) => value)
        .filter((value) => typeof value === 'string'),
    ),
    properties: new Map(properties.map(([name, property]) => [name, deferred(property)])),
    closedTo:
      schema.at('additionalProperties').value === false
        ? new Set(properties.map(([name]) => name))
        : undefined,
    items: items.exists ? deferred(items) : undefined,
    readOnly: schema.at('readOnly').value === true,
    writeOnly: schema.at('writeOnly').value === true,
  };
}

function valuesOf(schema: DescriptionNode): ReadonlySet<unknown> | undefined {
  const constant = schema.at('const');
  if (constant.exists) return new Set([constant.value]);
  const { value } = schema.at('enum');
  return Array.isArray(value) ? new Set<unknown>(value) : undefined;
}

/** From `type`, one or (3.1) several; where there is none, from what `enum` or other keywords leave. */
function typesOf(schema: DescriptionNode, values: ReadonlySet<unknown> | undefined): SchemaView['types'] {
  const { value } = schema.at('type');
  const written = Array.isArray(value) ? (value as unknown[]) : value === undefined ? undefined : [value];
  if (written) {
    const types = jsonTypes.filter((type) => written.includes(type));
    // A number of whole steps is an integer.
    const whole = Number.isInteger(schema.at('multipleOf').value);
    return new Set(types.map((type) => (type === 'number' && whole ? 'integer' : type)));
  }
  if (values) return new Set([...values].map(typeOfValue));
  // Strictly, these keywords let other types through; nobody who writes them means to.
  if (schema.at('properties').exists) return new Set(['object']);
  return schema.at('items').exists ? new Set(['array']) : undefined;
}

function typeOfValue(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint' || Number.isInteger(value)) return 'integer';
  const type = typeof value;
  return type === 'string' || type === 'boolean' || type === 'number' ? type : 'object';
}
