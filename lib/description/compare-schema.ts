import { listed, type Comparison } from './comparison.js';
import type { JsonType, Schema } from './schema.js';

/** A schema of the target's description beside the specified one. */
export interface SchemaPair {
  readonly expected: Schema;
  readonly actual: Schema;
  /** What the schema describes; the finding begins with it. */
  readonly subject: string;
  /** A request has no read-only properties, a response no write-only ones (OpenAPI 3.0.3 4.7.24.2). */
  readonly direction: 'request' | 'response';
  /** The target may promise more than is specified: which error codes there are, for example. */
  readonly mayNarrow?: boolean;
}

const smallestInt64 = -(2 ** 63);
/** The double nearest to 2^63 - 1, which is how a YAML or JSON parser may read that bound. */
const largestInt64 = 2 ** 63;

/** DESC-03: the schema says what the specified one says. Additional properties are allowed, but a request must not require them. */
export function compareSchema(result: Comparison, pair: SchemaPair): void {
  const { expected, actual, mayNarrow } = pair;
  if (!compareType(result, pair)) return;
  if (expected.items) compareItems(result, pair, expected.items());
  if (expected.types.has('object')) compareObject(result, pair);
  if (expected.format === 'int64') compareInt64(result, pair);
  else compareBounds(result, pair);
  if (expected.values) compareValues(result, pair, expected.values);
  else if (!mayNarrow && (actual.types.has('string') || actual.types.has('integer')))
    compareFreedom(result, pair);
}

/** Exactly the specified type; a value that may also be null is a different type. */
function compareType(result: Comparison, { expected, actual, subject }: SchemaPair): boolean {
  const [type = 'object'] = expected.types;
  const { types } = actual;
  return result.expect(types.size === 1 && types.has(type), actual, () => ({
    message:
      types.has(type) && types.has('null') && types.size === 2
        ? `${subject} may be null`
        : `${subject} is not ${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`,
    expected: `type: ${type}`,
    received: `type: ${namesOf(types)}`,
  }));
}

function namesOf(types: ReadonlySet<JsonType>): string {
  if (types.has('object') && types.has('string')) return 'any';
  return [...types].filter((type) => type !== 'integer' || !types.has('number')).join(', ') || 'none';
}

function compareItems(result: Comparison, pair: SchemaPair, expected: Schema): void {
  const { actual, subject } = pair;
  const items = actual.items?.();
  const name = nameOf(expected);
  result.expect(items !== undefined, actual, () => ({
    message: `${subject} does not describe its items`,
    expected: `items: ${name}`,
    received: 'no `items`',
  }));
  if (items) compareSchema(result, { ...pair, expected, actual: items, subject: `An item of ${subject}` });
}

function compareObject(result: Comparison, pair: SchemaPair): void {
  const { expected, actual, direction } = pair;
  for (const [name, property] of expected.properties) compareProperty(result, pair, name, property());
  if (direction === 'response') return;
  const optional = [...actual.required].filter(
    (name) => !expected.required.has(name) && actual.properties.get(name)?.().readOnly !== true,
  );
  result.expect(optional.length === 0, actual, () => ({
    message: `${nameOf(expected)} requires ${listed(optional)}, which the specification does not require`,
    expected: `required: ${listed(expected.required)}`,
    received: `required: ${listed(actual.required)}`,
  }));
}

function compareProperty(result: Comparison, pair: SchemaPair, name: string, expected: Schema): void {
  const object = nameOf(pair.expected);
  const actual = pair.actual.properties.get(name)?.();
  const absence = absenceOf(pair, actual, name);
  const exists = result.expect(absence === undefined, actual ?? pair.actual, () => ({
    message: `${object} has no \`${name}\` in a ${pair.direction}`,
    expected: `a property \`${name}\`, type ${namesOf(expected.types)}`,
    received: absence ?? '',
  }));
  if (!exists || !actual) return;
  compareSchema(result, { ...pair, expected, actual, subject: `\`${name}\` of ${object}` });
  if (!pair.expected.required.has(name)) return;
  result.expect(pair.actual.required.has(name), pair.actual, () => ({
    message: `${object} does not require \`${name}\``,
    expected: `required: ${listed(pair.expected.required)}`,
    received: `required: ${listed(pair.actual.required)}`,
  }));
}

function absenceOf(
  { actual, direction }: SchemaPair,
  property: Schema | undefined,
  name: string,
): string | undefined {
  if (!property) return 'absent';
  if (actual.closedTo && !actual.closedTo.has(name)) return 'excluded by `additionalProperties: false`';
  if (direction === 'request' && property.readOnly) return 'readOnly: true';
  if (direction === 'response' && property.writeOnly) return 'writeOnly: true';
  return undefined;
}

/** The name of one of the specification's own schemas. */
function nameOf({ pointer }: Schema): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1);
}

/** By `format`, or by bounds that say the same. Which identifiers exist is unspecified, so they may begin at 0 or 1. */
function compareInt64(result: Comparison, { actual, subject }: SchemaPair): void {
  const { format, minimum, maximum } = actual;
  const byBounds = minimum === smallestInt64 && maximum !== Infinity && maximum >= largestInt64;
  result.expect(format === 'int64' || (format === undefined && byBounds), actual, () => ({
    message: `${subject} is not a 64-bit integer`,
    expected: 'format: int64',
    received: `format: ${format ?? 'absent'}`,
  }));
  result.expect(minimum <= 1 && maximum >= largestInt64, actual, () => ({
    message: `${subject} is limited to a part of int64`,
    expected: 'every int64',
    received: `minimum: ${boundText(minimum)}, maximum: ${boundText(maximum)}`,
  }));
}

/** The bounds that are specified; both are themselves admitted (section 8). */
function compareBounds(result: Comparison, { expected, actual, subject }: SchemaPair): void {
  for (const bound of ['minimum', 'maximum'] as const) {
    if (!Number.isFinite(expected[bound])) continue;
    result.expect(actual[bound] === expected[bound], actual, () => ({
      message: `${subject} has a different ${bound}`,
      expected: `${bound}: ${expected[bound]}`,
      received: `${bound}: ${boundText(actual[bound])}`,
    }));
  }
}

function boundText(bound: number): string {
  return Number.isFinite(bound) ? String(bound) : 'absent';
}

/** Exactly the specified values, in any order. */
function compareValues(
  result: Comparison,
  { actual, subject }: SchemaPair,
  expected: ReadonlySet<unknown>,
): void {
  const { values } = actual;
  const same = values?.size === expected.size && [...expected].every((value) => values.has(value));
  result.expect(same, actual, () => ({
    message: `${subject} has a different enumeration`,
    expected: `enum: ${listed(expected)}`,
    received: `enum: ${values ? listed(values) : 'absent'}`,
  }));
}

/** No restriction to some texts or some integers. */
function compareFreedom(result: Comparison, { actual, subject }: SchemaPair): void {
  const { values, multipleOf = 1, format, types } = actual;
  result.expect(values === undefined && multipleOf === 1, actual, () => ({
    message: `${subject} is restricted to some values`,
    expected: 'no `enum`, no `multipleOf`',
    received: values ? `enum: ${listed(values)}` : `multipleOf: ${multipleOf}`,
  }));
  if (!types.has('string')) return;
  result.expect(format === undefined, actual, () => ({
    message: `${subject} is restricted to a format`,
    expected: 'no `format`',
    received: `format: ${format}`,
  }));
}
