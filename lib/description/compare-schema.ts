import type { Comparison } from './comparison.js';
import type { JsonType, SchemaView } from './schema-view.js';
import type { FieldRule, ObjectRule } from './specified.js';
import { named, told } from './told.js';

/** A request has no read-only properties, a response no write-only ones (OpenAPI 3.0.3 4.7.24.2). */
export type Direction = 'request' | 'response';

const smallestInt64 = -(2 ** 63);
/** The nearest double to 2^63 - 1, which is how a YAML or JSON reader may hand the bound over. */
const largestInt64 = 2 ** 63;

/** DESC-03: an array of Pet, bare (sections 2 and 4.1). `subject` begins the sentences. */
export function compareListing(
  result: Comparison,
  view: SchemaView,
  rule: ObjectRule,
  subject: string,
): void {
  if (!compareType(result, view, 'array', subject, '4.1')) return;
  const items = view.items?.();
  result.expect(items !== undefined, () => ({
    message: `${subject} does not say what its items are`,
    section: '2, 4.1',
    expected: `items: ${rule.name}`,
    received: 'absent',
    pointer: view.pointer,
  }));
  if (items) compareObject(result, items, rule, 'response', `An item of ${subject}`);
}

/** DESC-03: an object with the fields of section 2. More properties are fine; more that a request requires are not. */
export function compareObject(
  result: Comparison,
  view: SchemaView,
  rule: ObjectRule,
  direction: Direction,
  subject: string,
): void {
  if (!compareType(result, view, 'object', subject, '2')) return;
  for (const [name, field] of Object.entries(rule.fields)) {
    compareProperty(result, view, { object: rule.name, name, field, direction });
  }
  if (direction === 'request') compareDemands(result, view, rule);
}

interface PropertyRule {
  readonly object: ObjectRule['name'];
  readonly name: string;
  readonly field: FieldRule;
  readonly direction: Direction;
}

function compareProperty(result: Comparison, view: SchemaView, rule: PropertyRule): void {
  const { object, name, field, direction } = rule;
  const property = view.properties.get(name)?.();
  const absence = absenceOf(view, property, name, direction);
  const there = result.expect(absence === undefined, () => ({
    message: `${object} has no \`${name}\` in a ${direction}`,
    section: '2',
    expected: `a property \`${name}\`, ${field.type}${field.format ? ` (${field.format})` : ''}`,
    received: absence ?? '',
    pointer: property?.pointer ?? view.pointer,
  }));
  if (!there || !property) return;
  compareField(result, property, field, `\`${name}\` of ${object}`);
  if (!field.required) return;
  result.expect(view.required.has(name), () => ({
    message: `${object} does not require \`${name}\``,
    section: '2',
    expected: `required: \`${name}\` among them`,
    received: `required: ${named(view.required)}`,
    pointer: view.pointer,
  }));
}

function absenceOf(
  view: SchemaView,
  property: SchemaView | undefined,
  name: string,
  direction: Direction,
): string | undefined {
  if (!property) return 'absent';
  if (view.closedTo && !view.closedTo.has(name)) return 'excluded by `additionalProperties: false`';
  if (direction === 'request' && property.readOnly) return 'readOnly: true';
  if (direction === 'response' && property.writeOnly) return 'writeOnly: true';
  return undefined;
}

/** A request that has to bring more than is specified refuses bodies that are valid. */
function compareDemands(result: Comparison, view: SchemaView, rule: ObjectRule): void {
  const demanded = [...view.required].filter(
    (name) => rule.fields[name]?.required !== true && view.properties.get(name)?.().readOnly !== true,
  );
  result.expect(demanded.length === 0, () => ({
    message: `${rule.name} requires ${named(demanded)}, which may be left out`,
    section: '2',
    expected: `required: ${named(Object.keys(rule.fields).filter((name) => rule.fields[name]?.required))}`,
    received: `required: ${named(view.required)}`,
    pointer: view.pointer,
  }));
}

/** DESC-03: one field's type, format and enumeration. */
function compareField(result: Comparison, view: SchemaView, rule: FieldRule, subject: string): void {
  if (!compareType(result, view, rule.type, subject, '2')) return;
  if (rule.format === 'int64') compareInt64(result, view, subject);
  if (rule.values) compareValues(result, view, rule.values, subject);
  else if (!rule.narrowable) compareFreedom(result, view, subject);
}

/** Whether a schema lets through exactly one type; `null` beside it is another thing than specified. */
export function compareType(
  result: Comparison,
  view: SchemaView,
  type: JsonType,
  subject: string,
  section: string,
): boolean {
  return result.expect(view.types?.size === 1 && view.types.has(type), () => ({
    message:
      view.types?.has('null') && view.types.has(type)
        ? `${subject} may be null`
        : `${subject} is not ${aType(type)}`,
    section,
    expected: `type: ${type}`,
    received: `type: ${view.types ? [...view.types].join(', ') || 'none' : 'absent'}`,
    pointer: view.pointer,
  }));
}

function aType(type: JsonType): string {
  return /^[aio]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** By its format, or by bounds that say the same. Which identifiers exist is left open, so they may begin at 0 or 1. */
export function compareInt64(result: Comparison, view: SchemaView, subject: string): void {
  const { format, minimum, maximum } = view;
  const byBounds = minimum === smallestInt64 && maximum !== undefined && maximum >= largestInt64;
  result.expect(format === 'int64' || (format === undefined && byBounds), () => ({
    message: `${subject} is not an integer of 64 bits`,
    section: '2',
    expected: 'format: int64',
    received: `format: ${format ?? 'absent'}`,
    pointer: view.pointer,
  }));
  const reaches = (minimum ?? smallestInt64) <= 1 && (maximum ?? largestInt64) >= largestInt64;
  result.expect(reaches && (view.multipleOf ?? 1) === 1, () => ({
    message: `${subject} is bounded within the 64 bits`,
    section: '2',
    expected: 'every int64',
    received: `from ${minimum ?? '-2^63'} to ${maximum ?? '2^63 - 1'}${view.multipleOf ? `, multiples of ${view.multipleOf}` : ''}`,
    pointer: view.pointer,
  }));
}

/** Exactly the values of an enumeration, in any order. */
export function compareValues(
  result: Comparison,
  view: SchemaView,
  values: readonly string[],
  subject: string,
): void {
  const { values: described } = view;
  const same = described?.size === values.length && values.every((value) => described.has(value));
  result.expect(same, () => ({
    message: `${subject} has another enumeration`,
    section: '2, 3',
    expected: `enum: ${named(values)}`,
    received: `enum: ${described ? named(described) : 'absent'}`,
    pointer: view.pointer,
  }));
}

/** No enumeration where none is specified; of a text no format either. */
function compareFreedom(result: Comparison, view: SchemaView, subject: string): void {
  result.expect(view.values === undefined, () => ({
    message: `${subject} is restricted to an enumeration`,
    section: '2',
    expected: 'no enumeration',
    received: `enum: ${told([...(view.values ?? [])])}`,
    pointer: view.pointer,
  }));
  if (!view.types?.has('string')) return;
  result.expect(view.format === undefined, () => ({
    message: `${subject} is restricted to a format`,
    section: '2',
    expected: 'no format',
    received: `format: ${view.format}`,
    pointer: view.pointer,
  }));
}
