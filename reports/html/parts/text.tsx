import type { JSX } from 'preact';
import { printable } from '../../../lib/explain/printable.js';
import { count } from '../../text/quantity.js';

/** Texts are shown up to this length, in UTF-16 units, unless their place says otherwise. */
const usualLength = 1_500;

/** A text cut to a length, never inside a character, and how much of it is left out. */
function cut(text: string, longest: number): [shown: string, leftOut: JSX.Element | undefined] {
  if (text.length <= longest) return [text, undefined];
  const shown = text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '');
  return [shown, <i> … {count(text.length - shown.length, 'character')} left out …</i>];
}

export interface TargetTextProperties {
  readonly text: string;
  /** The text stands in a `pre`: its line feeds and tabs are kept. */
  readonly keepLayout?: boolean;
  /** How much of it is shown, in UTF-16 units. */
  readonly longest?: number;
}

/** Text from the target: escaped by preact, cut, and with hidden characters made visible. */
export function TargetText({ text, keepLayout = false, longest = usualLength }: TargetTextProperties) {
  const [shown, leftOut] = cut(text, longest);
  const told = keepLayout ? shown.replaceAll(/[^\n\t]+/g, (line) => printable(line)) : printable(shown);
  return <>{[told, leftOut]}</>;
}

/** A sentence of the suite, in which backquotes mark code. Whatever it quotes of the target is escaped and isolated. */
export function Prose({ text }: { readonly text: string }): JSX.Element {
  const [shown, leftOut] = cut(text, usualLength);
  const parts = shown.split(/`([^`\n]+)`/).map((part, index) => {
    const inner = printable(part);
    return index % 2 === 1 ? <code>{inner}</code> : inner && <bdi>{inner}</bdi>;
  });
  return <>{[...parts, leftOut]}</>;
}
