import type { JSX } from 'preact';
import { outcomeTexts, type Outcome } from '../../summary/requirement-outcome.js';

interface OutcomeProperties {
  readonly outcome: Outcome;
}

/** The mark of an outcome, and its word: nothing is told by colour alone. */
export function OutcomeMark({ outcome }: OutcomeProperties): JSX.Element {
  const { colour, mark, word } = outcomeTexts[outcome];
  return (
    <span class={`outcome ${colour}`}>
      <span aria-hidden="true">{mark}</span> <span>{word}</span>
    </span>
  );
}
