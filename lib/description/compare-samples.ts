import openApiDocument from '../specification/openapi.json' with { type: 'json' };
import { nameExamples } from '../draw/name-values.js';
import { jsonPointer } from '../specification/json-value.js';
import type { Check } from '../verdict/check.js';
import { DescriptionValue, isObject } from './description-value.js';
import { SchemaValidator, type Purpose, type Refusal } from './schema-validator.js';

/** What schemas are tried by. */
export interface Samples {
  readonly purpose: Purpose;
  /** A value that both accept; the others are made from it. */
  readonly valid: unknown;
  /** What the target may not exclude; undefined stands for a member that is left out. */
  readonly usual: readonly unknown[];
}

/** Two schemas that must accept and refuse the same. */
interface SchemaPair extends Samples {
  /** What the schemas describe; a finding begins with it. */
  readonly subject: string;
  readonly specified: DescriptionValue;
  readonly described: DescriptionValue;
}

/** Samples that differ in one part of a value, and are judged wrongly; what is told is that of the first. */
interface Misjudged {
  readonly names: string[];
  readonly expected: string;
  readonly received: string;
}

const mostShown = 3;
const longestJson = 160;
/** What a target may list: the codes of its own errors, and their messages. */
const free = /^\/(?:code|message)$/;
const specification = new SchemaValidator({ version: '3.0', root: DescriptionValue.of(openApiDocument) });

/** Tries two schemas by the same samples. What the described one judges wrongly of one part of a value is one finding. */
export function compareSamples(target: SchemaValidator, pair: SchemaPair): Check[] {
  const { subject, specified, described, purpose, valid, usual: usualHere } = pair;
  const misjudged = new Map<string, Misjudged>();
  let held = 0;
  for (const { what, value, path, other } of samplesOf(valid, enumeratedIn(described))) {
    // A parameter can't be null: a schema that accepts it only says that the parameter is optional.
    if (value === null && !isObject(valid)) continue;
    const wanted = specification.refusal(specified, purpose, value);
    // Of what is unusual, a target may accept less.
    if (!wanted && value !== valid && !usualHere.includes(other)) continue;
    const found = target.refusal(described, purpose, value);
    held += 1;
    if (!wanted === !found || (found && free.test(found.path))) continue;
    const part = `${wanted ? 'accepts' : 'refuses'} ${path}`;
    const received = `${treatment(found)}: ${jsonText(value).slice(0, longestJson)}`;
    const first = misjudged.get(part) ?? { names: [], expected: treatment(wanted), received };
    first.names.push(what);
    misjudged.set(part, first);
    // What refuses a valid value says nothing by refusing others.
    if (value === valid) break;
  }
  const findings = Array.from(misjudged, ([part, { names, expected, received }]) => {
    const more = names.length > mostShown ? ` and ${names.length - mostShown} more` : '';
    const message = `${subject} ${part.replace(/ .*/, '')} ${names.slice(0, mostShown).join(', ')}${more}`;
    return { finding: { message, expected, received, exchanges: [], pointer: described.pointer } };
  });
  return [{ held }, ...findings];
}

function treatment(refusal: Refusal | undefined): string {
  return refusal ? `refused, because ${refusal.path || 'it'} ${refusal.message}` : 'accepted';
}

/** What a schema and those below it enumerate: the specification may know less. */
function enumeratedIn(schema: DescriptionValue, seen = new Set<unknown>()): unknown[] {
  if (seen.has(schema.value)) return [];
  seen.add(schema.value);
  const own = [schema.at('enum').value ?? schema.at('const').value ?? []].flat();
  return [...own, ...schema.items().flatMap((child) => enumeratedIn(child, seen))];
}

/** The double next to the end of int64, for which it stands here; the next ones beyond it are 2,048 apart. */
const greatInt64 = 2 ** 63 - 1_024;
const numbers = [0, -1, 101, 1_000, 1.5, 2 ** 63 + 2_048, -(2 ** 63) - 2_048];
const texts = ['', '7', 'sleeping', 'Available', 'available ', ' sold', 'sold\n'];

/** Values that no target may exclude, and others. Which of them a field accepts, the specification says. */
export const usual = [7, 1, 20, 100, greatInt64, 'Luna', ...nameExamples, 'available', 'pending', 'sold', []];
const unusual = [null, true, false, ...numbers, ...texts, ['available'], {}, { id: 7 }];

/**
 * A valid value; and the same with another value at each of its places, and without each of its members. Each has a name, and
 * the place that is changed as a JSON pointer. @param others what else to try at each place
 */
function samplesOf(valid: unknown, others: readonly unknown[]) {
  const tried = new Set([...usual, ...unusual, ...others]);
  const changed = placesIn(valid).flatMap((keys) => {
    const path = jsonPointer(keys);
    const isMember = /[a-z]$/i.test(path);
    return [...tried, ...(isMember ? [undefined] : [])].map((other) => {
      const value = withChange(valid, keys, other);
      const named = `\`${keys.at(-1)}\``;
      const ofMember = other === undefined ? `no ${named}` : `${named}: ${jsonText(other)}`;
      return { what: isMember ? ofMember : jsonText(value), value, path, other };
    });
  });
  return [{ what: jsonText(valid), value: valid, path: '', other: valid }, ...changed];
}

/** The places in a value, by the keys that lead there: the whole first. */
function placesIn(value: unknown): string[][] {
  const members = isObject(value) ? Object.entries(value) : [];
  return [[], ...members.flatMap(([key, member]) => placesIn(member).map((keys) => [key, ...keys]))];
}

function withChange(value: unknown, [key, ...keys]: readonly string[], other: unknown): unknown {
  if (key === undefined) return other;
  const member = withChange(Reflect.get(Object(value), key), keys, other);
  return Array.isArray(value) ? value.with(Number(key), member) : { ...Object(value), [key]: member };
}

/** A sample as JSON, with the digits of its integers. */
function jsonText(value: unknown): string {
  return JSON.stringify(value).replaceAll(/\b\d{17,}\b/g, (digits) => String(BigInt(Number(digits))));
}
