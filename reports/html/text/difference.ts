/** A text cut in three: what both texts begin with, what is this one's own, what both end with. */
export interface Difference {
  readonly before: string;
  readonly own: string;
  readonly after: string;
}

/** Longer texts are compared as a whole: no reader finds a mark in them. */
const longestCompared = 2_000;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

function letters(text: string): string[] {
  return [...graphemes.segment(text)].map(({ segment }) => segment);
}

function sharedLength(one: readonly string[], other: readonly string[], limit: number): number {
  let length = 0;
  while (length < limit && one[length] === other[length]) length++;
  return length;
}

/**
 * Where two texts differ, for marking: in characters as a reader sees them, never inside one. `undefined` where they
 * have so little in common that a mark would point nowhere, and where they are equal.
 */
export function differenceBetween(
  expected: string,
  received: string,
): { expected: Difference; received: Difference } | undefined {
  if (expected === received) return undefined;
  if (Math.max(expected.length, received.length) > longestCompared) return undefined;
  const [left, right] = [letters(expected), letters(received)];
  const shorter = Math.min(left.length, right.length);
  const start = sharedLength(left, right, shorter);
  const end = sharedLength([...left].reverse(), [...right].reverse(), shorter - start);
  if ((start + end) * 2 < shorter) return undefined;
  const cut = (all: readonly string[]): Difference => ({
    before: all.slice(0, start).join(''),
    own: all.slice(start, all.length - end).join(''),
    after: all.slice(all.length - end).join(''),
  });
  return { expected: cut(left), received: cut(right) };
}
