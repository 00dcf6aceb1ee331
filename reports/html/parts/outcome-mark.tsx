import type { JSX } from 'preact';
import { outcomeTexts, type Outcome } from '../../summary/requirement-outcome.js';
import { Facts } from './table.js';

export interface OutcomeMarkProperties {
  readonly outcome: Outcome;
  readonly word?: string;
  /** The word is for screen readers alone. */
  readonly isShort?: boolean;
}

/** The mark of an outcome, and its word: nothing is told by colour alone. */
export function OutcomeMark({ outcome, word, isShort = false }: OutcomeMarkProperties): JSX.Element {
  const texts = outcomeTexts[outcome];
  return (
    <span class={`outcome ${texts.colour}`}>
      <span aria-hidden="true">{texts.mark}</span>{' '}
      <span class={isShort ? 'hidden' : undefined}>{word ?? texts.word}</span>
    </span>
  );
}

/** What each of them means. */
export function OutcomeMeanings(): JSX.Element {
  return (
    <Facts
      facts={Object.values(outcomeTexts).map(({ word, mark, meaning }) => [`${mark} ${word}`, meaning])}
    />
  );
}
