import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The characters of a text as a reader sees them. */
function graphemesOf(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** Characters that a text is made shorter by, at the most, to end with a whole word. */
const longestWord = 24;

/**
 * The text cut to so many terminal columns, with `…` at the cut, which is not inside a word if there is a space near. Never longer than four code units a column either:
 * a stack of combining marks has no width.
 */
export function clip(text: string, columns: number): string {
  if (text.length <= columns * 4 && stringWidth(text) <= columns) return text;
  let clipped = '';
  let width = 0;
  for (const character of graphemesOf(text.slice(0, columns * 4))) {
    width += stringWidth(character);
    if (width > columns - 1) break;
    clipped += character;
  }
  const end = clipped.lastIndexOf(' ');
  const word = clipped.length - end - 1;
  return `${end > 0 && word <= longestWord ? clipped.slice(0, end) : clipped}…`;
}
