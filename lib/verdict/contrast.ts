/** What a reader does not see: format characters and variation selectors. */
const unseen = /[\p{Cf}\p{Variation_Selector}]/gu;

/** How a text looks: composed or not, what can't be seen left out, and every space alike. */
function looks(text: string): string {
  return text.normalize('NFKC').replace(unseen, '').replace(/\s+/gu, ' ');
}

/** Every character beyond ASCII, and each space of several, by its code units: `e\u0301`. */
function escaped(text: string): string {
  return text.replace(
    /[^\u0020-\u007e]| (?= )|(?<= ) /g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** What was expected and what came; escaped as JSON does it if the two differ and look the same. */
export function contrasted<Expected extends string | undefined>(
  expected: Expected,
  received: string,
): readonly [Expected | string, string] {
  const isAlike = expected !== undefined && expected !== received && looks(expected) === looks(received);
  return isAlike ? [escaped(expected), escaped(received)] : [expected, received];
}
