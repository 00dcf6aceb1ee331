import type { JSX } from 'preact';
import { hiddenCharacter } from '../../../lib/explain/printable.js';
import { count } from '../../text/quantity.js';

/** Texts are shown up to this length, in UTF-16 units, unless their place says otherwise. */
const usualLength = 1_500;
/** Each takes thirty characters of the page: the text ends at the one after these. */
const mostNamed = 200;

/** Every second part is one hidden character. */
const hiddenParts = new RegExp(`(${hiddenCharacter.source})`, 'u');

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A text cut to a length, never inside a character. */
function cut(text: string, longest: number): string {
  return text.length <= longest ? text : text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '');
}

function LeftOut({ characters }: { readonly characters: number }): JSX.Element | null {
  return characters > 0 ? <i> … {count(characters, 'character')} left out …</i> : null;
}

export interface TargetTextProperties {
  readonly text: string;
  /** The text stands in a `pre`: its line feeds and tabs are kept. */
  readonly keepLayout?: boolean;
  /** How much of it is shown, in UTF-16 units; what is left out is counted. */
  readonly longest?: number;
}

/** Text from the target: escaped by preact, cut, and with hidden characters shown by name. */
export function TargetText({ text, keepLayout = false, longest = usualLength }: TargetTextProperties) {
  const isKept = (part: string): boolean => keepLayout && (part === '\n' || part === '\t');
  const all = cut(text, longest).split(hiddenParts);
  const isNamed = (part: string, index: number): boolean => index % 2 === 1 && !isKept(part);
  const end = all.flatMap((part, index) => (isNamed(part, index) ? [index] : []))[mostNamed] ?? all.length;
  const parts = all.slice(0, end);
  return (
    <>
      {parts.map((part, index) => (isNamed(part, index) ? <b class="unseen">{codePoint(part)}</b> : part))}
      <LeftOut characters={text.length - parts.join('').length} />
    </>
  );
}

/** A sentence of the suite, in which backquotes mark code. Whatever it quotes of the target is escaped and isolated. */
export function Prose({ text }: { readonly text: string }): JSX.Element {
  const shown = cut(text, usualLength);
  return (
    <>
      {shown.split(/`([^`\n]+)`/).map((part, index) => {
        if (part === '') return null;
        const inner = <TargetText text={part} />;
        return index % 2 === 1 ? <code>{inner}</code> : <bdi>{inner}</bdi>;
      })}
      <LeftOut characters={text.length - shown.length} />
    </>
  );
}
