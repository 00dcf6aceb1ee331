import { cutText } from './cut-text.js';

const entity = /["&<]/g;
const named = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u200B\uFEFF\u{E0000}-\u{E007F}]/gu;

/** What escaping adds to a character, and what naming an unseen one does, in characters of the document. */
const addedByEscaping = 5;
const addedByNaming = 30;

function occurrences(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** About how many characters of the document a text takes when it is cut to `longest` and escaped. */
export function renderedLength(text: string | undefined, longest: number): number {
  if (text === undefined) return 0;
  const { shown } = cutText(text, longest);
  return (
    shown.length + occurrences(shown, entity) * addedByEscaping + occurrences(shown, named) * addedByNaming
  );
}
