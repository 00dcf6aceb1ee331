/**
 * What a reader can't see, or what changes how the text around it reads: control characters, direction overrides,
 * invisible and unpaired code points, and those that are no characters. Joiners and variation selectors stay: scripts and emoji need them.
 */
const unseen =
  /[\p{Cc}\p{Cs}\p{Bidi_Control}\u00AD\u200B\u2028\u2029\u2060-\u2064\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}\p{Noncharacter_Code_Point}]/u;

export type Part = { readonly text: string } | { readonly codePoint: string };

export interface PartOptions {
  /** Line feeds and tabs stay as they are, for text that is set in a `pre`. */
  readonly keepLayout?: boolean;
}

function named(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0;
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Splits a text into what can be shown as it is and single unseen characters by the name of their code point. */
export function partsOf(text: string, { keepLayout = false }: PartOptions = {}): Part[] {
  if (!unseen.test(text)) return text === '' ? [] : [{ text }];
  const parts: Part[] = [];
  let plain = '';
  for (const character of text) {
    const stays = keepLayout && (character === '\n' || character === '\t');
    if (stays || !unseen.test(character)) {
      plain += character;
      continue;
    }
    if (plain !== '') parts.push({ text: plain });
    plain = '';
    parts.push({ codePoint: named(character) });
  }
  if (plain !== '') parts.push({ text: plain });
  return parts;
}

/** The text as one string, unseen characters by name in brackets: for attributes and titles. */
export function visibleText(text: string): string {
  return partsOf(text)
    .map((part) => ('text' in part ? part.text : `⟨${part.codePoint}⟩`))
    .join('');
}
