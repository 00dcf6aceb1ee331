/** What a reader does not see, or takes for a space: format characters, variation selectors, and spaces but the plain one. */
const unseen = /[\p{Cf}\p{Variation_Selector}]/gu;
const spaces = /\s+/gu;

/** How a text looks: composed or not, with what can't be seen left out. */
function looks(text: string): string {
  return text.normalize('NFKC').replace(unseen, '').replace(spaces, ' ');
}

/** Every character beyond ASCII, and each space of several, by its code units: `e\u0301`. */
function escaped(text: string): string {
  return text
    .replace(/[^\u0020-\u007e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replace(/ {2,}/g, (run) => '\\u0020'.repeat(run.length));
}

/**
 * What was expected and what came, distinguishable for a reader: if the two differ but look the same, with
 * what makes the difference escaped, as JSON writes it.
 */
export function contrasted(
  expected: string,
  received: string,
): readonly [expected: string, received: string] {
  if (expected === received || looks(expected) !== looks(received)) return [expected, received];
  return [escaped(expected), escaped(received)];
}
