import truncatedWidth from 'fast-string-truncated-width';

/** Characters that a text is made shorter by, at the most, to end with a whole word. */
const longestWord = 24;

/**
 * The text cut to so many terminal columns, with `…` at the cut, which is not inside a word if there is a space near. Never
 * longer than four code units a column either: a stack of combining marks has no width.
 */
export function clip(text: string, columns: number): string {
  const begun = text.slice(0, columns * 4);
  // What is left out needs room for the ellipsis.
  const measured = begun === text ? text : `${begun}${'x'.repeat(columns)}`;
  const { index, truncated } = truncatedWidth(measured, { limit: columns, ellipsis: '…' });
  if (!truncated) return text;
  const clipped = begun.slice(0, index);
  const end = clipped.lastIndexOf(' ');
  const word = clipped.length - end - 1;
  return `${end > 0 && word <= longestWord ? clipped.slice(0, end) : clipped}…`;
}
