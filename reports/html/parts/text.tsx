import type { JSX } from 'preact';
import { hiddenCharacter } from '../../../lib/usage/printable.js';
import { count } from '../../text/quantity.js';

/** Texts are shown up to this length, in UTF-16 units, unless their place says otherwise. */
const usualLength = 2_000;
const longestSentence = 1_000;

/** Every second part is one hidden character. */
const hiddenParts = new RegExp(`(${hiddenCharacter.source})`, 'u');

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A text cut to a length, never inside a character. */
export function cut(text: string, longest: number): string {
  return text.length <= longest ? text : text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '');
}

function LeftOut({ text, longest }: { text: string; longest: number }): JSX.Element | null {
  const characters = text.length - cut(text, longest).length;
  return characters === 0 ? null : <i class="left-out"> … {count(characters, 'character')} left out …</i>;
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
  return (
    <>
      {cut(text, longest)
        .split(hiddenParts)
        .map((part, index) =>
          index % 2 === 0 || (keepLayout && (part === '\n' || part === '\t')) ? (
            part
          ) : (
            <b class="unseen">{codePoint(part)}</b>
          ),
        )}
      <LeftOut text={text} longest={longest} />
    </>
  );
}

/** A sentence of the suite, in which backquotes mark code. Whatever it quotes of the target is escaped and isolated. */
export function Prose({ text }: { readonly text: string }): JSX.Element {
  return (
    <>
      {cut(text, longestSentence)
        .split(/`([^`\n]+)`/)
        .map((part, index) => {
          if (part === '') return null;
          const inner = <TargetText text={part} />;
          return index % 2 === 1 ? <code>{inner}</code> : <bdi>{inner}</bdi>;
        })}
      <LeftOut text={text} longest={longestSentence} />
    </>
  );
}
