export const jsonTypes = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const;
export type JsonType = (typeof jsonTypes)[number];

/**
 * What a schema admits, however it is composed: `allOf` is the intersection of its parts (`both`), `oneOf` and `anyOf`
 * their union (`either`). A keyword that is absent admits everything.
 */
export interface Schema {
  /** The place of the schema in its file. */
  readonly pointer: string;
  /** A number that need not be an integer has both `number` and `integer`. */
  readonly types: ReadonlySet<JsonType>;
  /** `enum` and `const`. */
  readonly values: ReadonlySet<unknown> | undefined;
  readonly format: string | undefined;
  /** The least and greatest integer; infinite without a bound. */
  readonly minimum: number;
  readonly maximum: number;
  readonly multipleOf: number | undefined;
  readonly default: unknown;
  readonly required: ReadonlySet<string>;
  /** Read on demand, since schemas may be circular. */
  readonly properties: ReadonlyMap<string, () => Schema>;
  /** The only property names that `additionalProperties: false` admits. */
  readonly closedTo: ReadonlySet<string> | undefined;
  readonly items: (() => Schema) | undefined;
  readonly readOnly: boolean;
  readonly writeOnly: boolean;
}

/** The schema `{}` or `true`, which admits everything. */
export function anything(pointer: string): Schema {
  return {
    pointer,
    types: new Set(jsonTypes),
    values: undefined,
    format: undefined,
    minimum: -Infinity,
    maximum: Infinity,
    multipleOf: undefined,
    default: undefined,
    required: new Set(),
    properties: new Map(),
    closedTo: undefined,
    items: undefined,
    readOnly: false,
    writeOnly: false,
  };
}

type Combine = (one: Schema, other: Schema) => Schema;

/** What both schemas admit (`allOf`). */
export function both(one: Schema, other: Schema): Schema {
  return {
    pointer: one.pointer,
    types: intersection(one.types, other.types),
    values:
      one.values && other.values ? intersection(one.values, other.values) : (one.values ?? other.values),
    format: one.format ?? other.format,
    minimum: Math.max(one.minimum, other.minimum),
    maximum: Math.min(one.maximum, other.maximum),
    multipleOf: one.multipleOf ?? other.multipleOf,
    default: one.default ?? other.default,
    required: union(one.required, other.required),
    properties: allProperties(one, other, both),
    closedTo:
      one.closedTo && other.closedTo
        ? intersection(one.closedTo, other.closedTo)
        : (one.closedTo ?? other.closedTo),
    items: one.items && other.items ? combined(one.items, other.items, both) : (one.items ?? other.items),
    readOnly: one.readOnly || other.readOnly,
    writeOnly: one.writeOnly || other.writeOnly,
  };
}

/** What either schema admits (`oneOf`, `anyOf`). A branch that admits only null adds that type and nothing else. */
export function either(one: Schema, other: Schema): Schema {
  if (isNull(one)) return { ...other, types: withNull(other) };
  if (isNull(other)) return { ...one, types: withNull(one) };
  return {
    pointer: one.pointer,
    types: union(one.types, other.types),
    values: one.values && other.values && union(one.values, other.values),
    format: one.format === other.format ? one.format : undefined,
    minimum: Math.min(one.minimum, other.minimum),
    maximum: Math.max(one.maximum, other.maximum),
    multipleOf: one.multipleOf === other.multipleOf ? one.multipleOf : undefined,
    default: one.default ?? other.default,
    required: intersection(one.required, other.required),
    properties: allProperties(one, other, either),
    closedTo: one.closedTo && other.closedTo && union(one.closedTo, other.closedTo),
    items: one.items && other.items && combined(one.items, other.items, either),
    readOnly: one.readOnly && other.readOnly,
    writeOnly: one.writeOnly && other.writeOnly,
  };
}

export function withNull({ types }: Schema): ReadonlySet<JsonType> {
  return new Set([...types, 'null']);
}

function isNull({ types, values }: Schema): boolean {
  return (types.size === 1 && types.has('null')) || (values?.size === 1 && values.has(null));
}

function intersection<Member>(one: ReadonlySet<Member>, other: ReadonlySet<Member>): ReadonlySet<Member> {
  return new Set([...one].filter((member) => other.has(member)));
}

function union<Member>(one: ReadonlySet<Member>, other: ReadonlySet<Member>): ReadonlySet<Member> {
  return new Set([...one, ...other]);
}

function allProperties(one: Schema, other: Schema, combine: Combine): Schema['properties'] {
  const properties = new Map(one.properties);
  for (const [name, property] of other.properties) {
    const known = properties.get(name);
    properties.set(name, known ? combined(known, property, combine) : property);
  }
  return properties;
}

/** Combined once: schemas that are composed of each other need the same property again and again. */
function combined(one: () => Schema, other: () => Schema, combine: Combine): () => Schema {
  let known: Schema | undefined;
  return () => (known ??= combine(one(), other()));
}
