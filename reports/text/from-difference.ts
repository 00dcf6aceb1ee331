/** Characters that are kept before the first one that differs, for the eye to find its place. */
const context = 20;

/**
 * Two long texts from shortly before the first character in which they differ, an ellipsis in place of what they share;
 * unchanged where the difference lies within the first characters, of which so many can be shown.
 */
export function fromDifference(one: string, other: string, shown: number): [string, string] {
  let first = 0;
  while (first < one.length && first < other.length && one[first] === other[first]) first += 1;
  if (first < shown - context || one === other) return [one, other];
  const start = first - context;
  const from = isLowSurrogate(one.charCodeAt(start)) ? start - 1 : start;
  return [`…${one.slice(from)}`, `…${other.slice(from)}`];
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
