/** Characters that are kept before the difference, for the eye to find its place. */
const context = 20;

/** Two texts from shortly before their difference; unchanged if it is within the first `shown` characters. */
export function fromDifference(one: string, other: string, shown: number): [string, string] {
  let first = 0;
  while (first < Math.max(one.length, other.length) && one[first] === other[first]) first += 1;
  if (first < shown - context || one === other) return [one, other];
  const start = first - context;
  const from = /[\uDC00-\uDFFF]/.test(one.charAt(start)) ? start - 1 : start;
  return [`…${one.slice(from)}`, `…${other.slice(from)}`];
}
