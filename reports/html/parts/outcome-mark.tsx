import type { JSX } from 'preact';
import { outcomeTexts, type Outcome } from '../../summary/requirement-outcome.js';

interface OutcomeProperties {
  readonly outcome: Outcome;
  /** The word is for screen readers alone. */
  readonly isShort?: boolean;
}

/** The mark of an outcome, and its word: nothing is told by colour alone. */
export function OutcomeMark({ outcome, isShort = false }: OutcomeProperties): JSX.Element {
  const { colour, mark, word } = outcomeTexts[outcome];
  return (
    <span class={`outcome ${colour}`}>
      <span aria-hidden="true">{mark}</span> <span class={isShort ? 'hidden' : undefined}>{word}</span>
    </span>
  );
}
