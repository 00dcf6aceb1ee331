import { hiddenCharacter } from '../../../lib/usage/printable.js';
import { cut } from '../parts/text.js';

/** What escaping adds to a character, and what naming a hidden one does, in characters of the document. */
const addedByEscaping = 5;
const addedByNaming = 30;
const hidden = new RegExp(hiddenCharacter, 'gu');

/** A text with the length to which it is shown, in UTF-16 units. */
type Sized = readonly [text: string | undefined, longest: number];

/**
 * Room in the document, in characters. The function returned takes room for texts (cut and escaped) and their markup, and
 * says whether there was as much.
 */
export function roomOf(characters: number): (markup: number, texts: readonly Sized[]) => boolean {
  let left = characters;
  return (markup, texts) => {
    left -= markup;
    for (const [text = '', longest] of texts) {
      const shown = cut(text, longest);
      const escaped = shown.match(/["&<]/g)?.length ?? 0;
      const named = shown.match(hidden)?.length ?? 0;
      left -= shown.length + escaped * addedByEscaping + named * addedByNaming;
    }
    return left >= 0;
  };
}
