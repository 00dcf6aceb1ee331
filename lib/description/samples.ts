import { nameExamples } from '../draw/name-values.js';
import { jsonPointer } from '../specification/json-value.js';
import { isObject } from './description-value.js';

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
export function samplesOf(
  valid: unknown,
  usualHere: readonly unknown[],
  others: readonly unknown[],
): Sample[] {
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
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replaceAll(/\b\d{17,}\b/g, (digits) => String(BigInt(Number(digits))));
}
