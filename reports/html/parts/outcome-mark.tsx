import type { JSX } from 'preact';
import { outcomeTexts, type Outcome } from '../../summary/requirement-outcome.js';
import { Facts } from './table.js';

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

/** What each of them means. */
export function OutcomeMeanings(): JSX.Element {
  const texts = Object.values(outcomeTexts);
  return <Facts facts={texts.map(({ word, mark, meaning }) => [`${mark} ${word}`, meaning])} />;
}
