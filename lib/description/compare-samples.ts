import openApiDocument from '../specification/openapi.json' with { type: 'json' };
import { nameExamples } from '../draw/name-values.js';
import { jsonPointer } from '../specification/json-value.js';
import type { Comparison } from './comparison.js';
import { DescriptionValue, isObject } from './description-value.js';
import { SchemaValidator, type Purpose, type Refusal } from './schema-validator.js';

/** What schemas are tried by. */
export interface Samples {
  readonly purpose: Purpose;
  /** A value that both accept; the others are made from it. */
  readonly valid: unknown;
  /** What the target may not exclude. */
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
  readonly names: readonly string[];
  readonly expected: string;
  readonly received: string;
}

const mostShown = 3;
const longestJson = 160;
/** What a target may list: the codes of its own errors, and their messages. */
const free = /^\/(?:code|message)$/;
const specification = new SchemaValidator({ version: '3.0', root: DescriptionValue.of(openApiDocument) });

/** Tries two schemas by the same samples. What the described one judges wrongly of one part of a value is one finding. */
export function compareSamples(result: Comparison, target: SchemaValidator, pair: SchemaPair): void {
  const { subject, specified, described, purpose, valid, usual } = pair;
  result.within(subject, described, () => {
    const misjudged = new Map<string, Misjudged>();
    for (const { what, value, path, isUsual } of samplesOf(valid, usual, enumeratedIn(described))) {
      // A parameter can't be null: a schema that accepts it only says that the parameter is optional.
      if (value === null && typeof valid !== 'object') continue;
      const wanted = specification.refusal(specified, purpose, value);
      if (!wanted && !isUsual) continue;
      result.checks += 1;
      const found = target.refusal(described, purpose, value);
      if (!wanted === !found || (found && free.test(found.path))) continue;
      const part = `${wanted ? 'accepts' : 'refuses'} ${path}`;
      const received = `${treatment(found)}: ${jsonText(value).slice(0, longestJson)}`;
      const first = misjudged.get(part) ?? { names: [], expected: treatment(wanted), received };
      misjudged.set(part, { ...first, names: [...first.names, what] });
    }
    for (const [part, { names, expected, received }] of misjudged) {
      const more = names.length > mostShown ? ` and ${names.length - mostShown} more` : '';
      const samples = `${names.slice(0, mostShown).join(', ')}${more}`;
      const message = `${subject} ${part.replace(/ .*/, '')} ${samples}`;
      result.fail(described, { message, expected, received }, part);
    }
  });
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

/** A value by which schemas are tried. Integers are doubles, as a schema's validator has them. */
interface Sample {
  /** What it is, in a few words. */
  readonly what: string;
  readonly value: unknown;
  /** The part that is other than in a valid value, as a JSON pointer. */
  readonly path: string;
  /** If the specification accepts it, so must the target's description; otherwise that may be narrower. */
  readonly isUsual: boolean;
}

/** The double next to the end of int64; the next ones beyond it are 2,048 apart. */
const greatInt64 = 2 ** 63 - 1_024;
const numbers = [0, -1, 101, 1_000, 1.5, 2 ** 63 + 2_048, -(2 ** 63) - 2_048];
const texts = ['', '7', 'sleeping', 'Available', 'available ', ' sold', 'sold\n'];

/** Values that no target may exclude, and others. Which of them a field accepts, the specification says. */
export const usual = [7, 1, 20, 100, greatInt64, 'Luna', ...nameExamples, 'available', 'pending', 'sold', []];
const unusual = [null, true, false, ...numbers, ...texts, ['available'], {}, { id: 7 }];

/**
 * A valid value; and the same with another value at each of its places, and without each of its members.
 * @param usualHere values that are usual in it; undefined stands for a member that is left out
 * @param others what else to try at each place
 */
function samplesOf(valid: unknown, usualHere: readonly unknown[], others: readonly unknown[]): Sample[] {
  const tried = new Set([...usual, ...unusual, ...others]);
  const changed = placesIn(valid).flatMap((keys) => {
    const path = jsonPointer(keys);
    const isMember = /[a-z]$/i.test(path);
    return [...tried, ...(isMember ? [undefined] : [])].map((other) => {
      const value = withChange(valid, keys, other);
      const named = `\`${keys.at(-1)}\``;
      const ofMember = other === undefined ? `no ${named}` : `${named}: ${jsonText(other)}`;
      const what = isMember ? ofMember : jsonText(value);
      return { what, value, path, isUsual: usualHere.includes(other) };
    });
  });
  return [{ what: jsonText(valid), value: valid, path: '', isUsual: true }, ...changed];
}

/** The places in a value, by the keys that lead there: the whole first. */
function placesIn(value: unknown): string[][] {
  const members = isObject(value) ? Object.entries(value) : [];
  return [[], ...members.flatMap(([key, member]) => placesIn(member).map((keys) => [key, ...keys]))];
}

function withChange(value: unknown, [key, ...keys]: readonly string[], other: unknown): unknown {
  if (key === undefined) return other;
  const member = withChange(Reflect.get(Object(value), key), keys, other);
  if (Array.isArray(value)) return value.with(Number(key), member);
  return { ...Object(value), [key]: member };
}

/** A sample as JSON, with the digits of its integers. */
function jsonText(value: unknown): string {
  return JSON.stringify(value).replaceAll(/\b\d{17,}\b/g, (digits) => String(BigInt(Number(digits))));
}
