import { tighter } from './integer-bounds.js';

export const jsonTypes = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const;
export type JsonType = (typeof jsonTypes)[number];

/**
 * What a schema says, however it is put together: `allOf` is taken together (`both`), `oneOf` and `anyOf` as whatever
 * one of them lets through (`either`). Undefined means: says nothing of it.
 */
export interface SchemaView {
  /** Where the schema stands. */
  readonly pointer: string;
  readonly types: ReadonlySet<JsonType> | undefined;
  /** `enum` and `const`. */
  readonly values: ReadonlySet<unknown> | undefined;
  readonly format: string | undefined;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly multipleOf: number | undefined;
  /** `default`; undefined where there is none. */
  readonly preset: unknown;
  readonly required: ReadonlySet<string>;
  /** Looked at only when asked for, since schemas may be circular. */
  readonly properties: ReadonlyMap<string, () => SchemaView>;
  /** The only property names that `additionalProperties: false` leaves; undefined where any may be there. */
  readonly closedTo: ReadonlySet<string> | undefined;
  readonly items: (() => SchemaView) | undefined;
  readonly readOnly: boolean;
  readonly writeOnly: boolean;
}

/** The schema that lets everything through: `{}` or `true`. */
export function anything(pointer: string): SchemaView {
  return {
    pointer,
    types: undefined,
    values: undefined,
    format: undefined,
    minimum: undefined,
    maximum: undefined,
    multipleOf: undefined,
    preset: undefined,
    required: new Set(),
    properties: new Map(),
    closedTo: undefined,
    items: undefined,
    readOnly: false,
    writeOnly: false,
  };
}

/** The schema that lets nothing through: `false`. */
export function nothing(pointer: string): SchemaView {
  return { ...anything(pointer), types: new Set() };
}

type Combine = (one: SchemaView, other: SchemaView) => SchemaView;

/** What both schemas let through (`allOf`). */
export function both(one: SchemaView, other: SchemaView): SchemaView {
  return {
    pointer: one.pointer,
    types: inBoth(one.types, other.types, narrowerType),
    values: inBoth(one.values, other.values, (value, others) => (others.has(value) ? value : undefined)),
    format: one.format ?? other.format,
    minimum: tighter(Math.max, one.minimum, other.minimum),
    maximum: tighter(Math.min, one.maximum, other.maximum),
    multipleOf: one.multipleOf ?? other.multipleOf,
    preset: one.preset ?? other.preset,
    required: new Set([...one.required, ...other.required]),
    properties: allProperties(one, other, both),
    closedTo: inBoth(one.closedTo, other.closedTo, (name, others) => (others.has(name) ? name : undefined)),
    items: one.items && other.items ? combined(one.items, other.items, both) : (one.items ?? other.items),
    readOnly: one.readOnly || other.readOnly,
    writeOnly: one.writeOnly || other.writeOnly,
  };
}

/** What either schema lets through (`oneOf`, `anyOf`). A branch that is but `null` adds the type and changes nothing else. */
export function either(one: SchemaView, other: SchemaView): SchemaView {
  if (isNull(one)) return { ...other, types: withNull(other.types) };
  if (isNull(other)) return { ...one, types: withNull(one.types) };
  return {
    pointer: one.pointer,
    types: one.types && other.types && new Set([...one.types, ...other.types]),
    values: one.values && other.values && new Set([...one.values, ...other.values]),
    format: one.format === other.format ? one.format : undefined,
    minimum: looser(Math.min, one.minimum, other.minimum),
    maximum: looser(Math.max, one.maximum, other.maximum),
    multipleOf: one.multipleOf === other.multipleOf ? one.multipleOf : undefined,
    preset: one.preset ?? other.preset,
    required: new Set([...one.required].filter((name) => other.required.has(name))),
    properties: allProperties(one, other, either),
    closedTo: one.closedTo && other.closedTo && new Set([...one.closedTo, ...other.closedTo]),
    items: one.items && other.items && combined(one.items, other.items, either),
    readOnly: one.readOnly && other.readOnly,
    writeOnly: one.writeOnly && other.writeOnly,
  };
}

export function withNull(types: ReadonlySet<JsonType> | undefined): ReadonlySet<JsonType> | undefined {
  return types && new Set([...types, 'null']);
}

function isNull({ types, values }: SchemaView): boolean {
  return (types?.size === 1 && types.has('null')) || (values?.size === 1 && values.has(null));
}

/** An integer is a number too: of the two, both let integers through. */
function narrowerType(type: JsonType, others: ReadonlySet<JsonType>): JsonType | undefined {
  if (others.has(type)) return type;
  if (type === 'number' && others.has('integer')) return 'integer';
  return type === 'integer' && others.has('number') ? 'integer' : undefined;
}

function inBoth<Member>(
  one: ReadonlySet<Member> | undefined,
  other: ReadonlySet<Member> | undefined,
  common: (member: Member, others: ReadonlySet<Member>) => Member | undefined,
): ReadonlySet<Member> | undefined {
  if (!one || !other) return one ?? other;
  return new Set([...one].map((member) => common(member, other)).filter((member) => member !== undefined));
}

function looser(
  choose: (one: number, other: number) => number,
  one: number | undefined,
  other: number | undefined,
): number | undefined {
  return one === undefined || other === undefined ? undefined : choose(one, other);
}

function allProperties(one: SchemaView, other: SchemaView, combine: Combine): SchemaView['properties'] {
  const properties = new Map(one.properties);
  for (const [name, property] of other.properties) {
    const known = properties.get(name);
    properties.set(name, known ? combined(known, property, combine) : property);
  }
  return properties;
}

/** Worked out once: schemas that are composed of each other ask for the same property again and again. */
function combined(one: () => SchemaView, other: () => SchemaView, combine: Combine): () => SchemaView {
  let known: SchemaView | undefined;
  return () => (known ??= combine(one(), other()));
}
