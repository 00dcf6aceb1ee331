import { graphemesOf } from '../../lib/usage/clip.js';

/** A text cut in three: what both texts begin with, what only this one has, what both end with. */
export interface Difference {
  readonly before: string;
  readonly own: string;
  readonly after: string;
}

/** Longer texts are compared as a whole: no reader finds a mark in them. */
const longestCompared = 2_000;

function sharedLength<T>(one: ArrayLike<T>, other: ArrayLike<T>, limit: number): number {
  let length = 0;
  while (length < limit && one[length] === other[length]) length += 1;
  return length;
}

/** The value that a text begins with: its kind, and its length in the text. Undefined if it is a sentence. */
function valueIn(text: string): { readonly kind: string; readonly length: number } | undefined {
  const [quoted] = /^"(?:[^"\\]|\\.)*"/su.exec(text) ?? [];
  if (quoted !== undefined) return { kind: 'string', length: quoted.length };
  const { length } = text;
  // Two short numbers, such as statuses, are two values and not one that was changed.
  if (/^@?-?\d{5,}$/u.test(text)) return { kind: 'number', length };
  const [, header] = /^([\w-]+): /u.exec(text) ?? [];
  if (header !== undefined) return { kind: `header ${header.toLowerCase()}`, length };
  const isWhole = /^\{.*\}$|^\[.*\]$/su.test(text);
  return isWhole ? { kind: text.charAt(0), length } : undefined;
}

/**
 * The place at which two values differ, for marking: in characters as a reader sees them, never inside one. Undefined if
 * the values are not of one kind, are equal, or have so little in common that a mark would point nowhere.
 */
export function differenceBetween(
  expected: string,
  received: string,
): { expected: Difference; received: Difference } | undefined {
  if (Math.max(expected.length, received.length) > longestCompared) return undefined;
  const [wanted, got] = [valueIn(expected), valueIn(received)];
  if (!wanted || !got || wanted.kind !== got.kind) return undefined;
  const [left, right] = [
    graphemesOf(expected.slice(0, wanted.length)),
    graphemesOf(received.slice(0, got.length)),
  ];
  const shorter = Math.min(left.length, right.length);
  const start = sharedLength(left, right, shorter);
  const end = sharedLength(left.toReversed(), right.toReversed(), shorter - start);
  if (start + end === Math.max(left.length, right.length) || (start + end) * 2 < shorter) return undefined;
  const cut = (all: readonly string[], rest: string): Difference => ({
    before: all.slice(0, start).join(''),
    own: all.slice(start, all.length - end).join(''),
    after: all.slice(all.length - end).join('') + rest,
  });
  return {
    expected: cut(left, expected.slice(wanted.length)),
    received: cut(right, received.slice(got.length)),
  };
}

/** Characters that are kept before the difference, for the eye to find its place. */
const context = 20;

/** Two texts from shortly before their difference; unchanged if it is within the first `shown` characters. */
export function fromDifference(one: string, other: string, shown: number): [string, string] {
  const first = sharedLength(one, other, Math.max(one.length, other.length));
  if (first < shown - context || one === other) return [one, other];
  const start = first - context;
  const from = /[\uDC00-\uDFFF]/.test(one.charAt(start)) ? start - 1 : start;
  return [`…${one.slice(from)}`, `…${other.slice(from)}`];
}
