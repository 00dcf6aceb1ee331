import type { JSX } from 'preact';
import { outcomeTexts, type Outcome } from '../../summary/requirement-outcome.js';

/** The mark of an outcome, and its word: beside the mark, or for screen readers alone. */
export function OutcomeMark({
  outcome,
  word = outcomeTexts[outcome].word,
  isShort = false,
}: {
  readonly outcome: Outcome;
  readonly word?: string;
  readonly isShort?: boolean;
}): JSX.Element {
  return (
    <span class={`outcome is-${outcome}`}>
      <span aria-hidden="true">{outcomeTexts[outcome].mark}</span>{' '}
      <span class={isShort ? 'hidden' : 'word'}>{word}</span>
    </span>
  );
}
