import { isInt64, type BodyKind } from './body-schema.js';
import { describeValue } from './describe-value.js';
import { jsonPointer } from './json-value.js';
import { openApiDocument } from './openapi.js';
import { openApiProblems } from './response-validator.js';

export interface BodyProblem {
  /** A JSON pointer into the body (RFC 6901); empty for the body itself. */
  readonly pointer: string;
  /** The property with the problem; empty if it is the body or an item as a whole. */
  readonly property: string;
  readonly expected: string;
  readonly received: string;
  /** Where the published interface description says so: `openapi.json#/components/schemas/Error/required`. */
  readonly described: string;
}

/** What is read of a schema in the interface description. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly allOf?: readonly Schema[];
}

interface Place {
  readonly pointer: string;
  readonly schema: Schema;
}

interface Property extends Place {
  readonly name: string;
  /** Where it is said whether it must be there. */
  readonly requiredAt: string;
}

const published = 'openapi.json';
const components = '#/components/schemas/';
const schemas: Readonly<Record<string, Schema>> = openApiDocument.components.schemas;

/** The schema itself, or the one that it refers to. */
function resolved({ pointer, schema }: Place): Place {
  const { $ref = pointer } = schema;
  return { pointer: $ref, schema: schemas[$ref.replace(components, '')] ?? schema };
}

function placeOf(kind: BodyKind): Place {
  return resolved({ pointer: components + kind, schema: {} });
}

/** The properties of an object, in the order of the interface description. */
function propertiesOf(place: Place): Property[] {
  const { pointer, schema } = resolved(place);
  const inherited = (schema.allOf ?? []).flatMap((part, index) =>
    propertiesOf({ pointer: `${pointer}/allOf/${index}`, schema: part }),
  );
  const own = Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    ...resolved({ pointer: `${pointer}/properties/${name}`, schema: property }),
    name,
    requiredAt: `${pointer}/required`,
  }));
  return [...inherited, ...own];
}

const properties = {
  Pet: propertiesOf(placeOf('Pet')),
  Pets: [],
  Error: propertiesOf(placeOf('Error')),
} as const satisfies Record<BodyKind, readonly Property[]>;

/** What a schema asks for, in words. */
function describeSchema({ type, format, enum: values }: Schema): string {
  if (values) return `one of ${values.map((value) => `\`${value}\``).join(', ')}`;
  if (type === 'integer')
    return format === 'int64' ? 'an integer of 64 bits (-2^63 to 2^63 - 1)' : 'an integer';
  if (type === 'string') return 'a string';
  return type === 'array' ? 'a JSON array' : 'a JSON object';
}

/** Of a listing with more problems than this only the first ones are listed. */
const mostProblems = 20;
/** Several requirements judge the same body. */
const known = { Pet: new WeakMap(), Pets: new WeakMap(), Error: new WeakMap() } as const satisfies Record<
  BodyKind,
  WeakMap<object, readonly BodyProblem[]>
>;

/**
 * What is wrong with a body that `parseJson` read, in the order of the interface description; empty if the body is as
 * section 2 specifies it. Lists about twenty problems at most. Linear in the size of the body; never throws.
 */
export function bodyProblems(kind: BodyKind, value: unknown): readonly BodyProblem[] {
  if (typeof value !== 'object' || value === null) return problemsOf(kind, value);
  const problems = known[kind].get(value) ?? problemsIn(kind, value);
  known[kind].set(value, problems);
  return problems;
}

function problemsIn(kind: BodyKind, value: object): readonly BodyProblem[] {
  if (kind !== 'Pets' || !Array.isArray(value)) return problemsOf(kind, value);
  // Item by item, so that a million invalid animals do not become a million issues.
  const problems: BodyProblem[] = [];
  for (let index = 0; index < value.length && problems.length < mostProblems; index++)
    problems.push(...problemsOf('Pet', value[index], [index]));
  return problems;
}

function problemsOf(kind: BodyKind, value: unknown, within: readonly PropertyKey[] = []): BodyProblem[] {
  const found = openApiProblems(kind, value);
  const members = new Map<string, unknown>(Object.entries(Object(value)));
  const problem = ({ pointer, schema }: Place, name: string, received: unknown): BodyProblem => ({
    pointer: jsonPointer(name === '' ? within : [...within, name]),
    property: name,
    expected: describeSchema(schema),
    received: describeValue(received),
    described: published + pointer,
  });
  if (found.has('')) return [problem(placeOf(kind), '', value)];
  return properties[kind].flatMap((property) => {
    const { name, schema, requiredAt } = property;
    const own = members.get(name);
    const isBeyond = schema.format === 'int64' && own !== undefined && !isInt64(own);
    if (!isBeyond && !found.has(`/${name}`)) return [];
    return problem(own === undefined ? { pointer: requiredAt, schema } : property, name, own);
  });
}
