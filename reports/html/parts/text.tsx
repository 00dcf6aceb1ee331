import type { JSX } from 'preact';
import { printable } from '../../../lib/explain/printable.js';
import { count } from '../../text/quantity.js';

/** Texts are shown up to this length, in UTF-16 units, unless their place says otherwise. */
const usualLength = 1_500;

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

/** Text from the target: escaped by preact, cut, and with hidden characters made visible. */
export function TargetText({ text, keepLayout = false, longest = usualLength }: TargetTextProperties) {
  const shown = cut(text, longest);
  return (
    <>
      {keepLayout ? shown.replaceAll(/[^\n\t]+/g, (line) => printable(line)) : printable(shown)}
      <LeftOut characters={text.length - shown.length} />
    </>
  );
}

/** A sentence of the suite, in which backquotes mark code. Whatever it quotes of the target is escaped and isolated. */
export function Prose({ text }: { readonly text: string }): JSX.Element {
  const shown = cut(text, usualLength);
  return (
    <>
      {shown.split(/`([^`\n]+)`/).map((part, index) => {
        const inner = printable(part);
        return index % 2 === 1 ? <code>{inner}</code> : inner && <bdi>{inner}</bdi>;
      })}
      <LeftOut characters={text.length - shown.length} />
    </>
  );
}
