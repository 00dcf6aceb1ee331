import type { JSX } from 'preact';
import { outcomeTexts, type Outcome } from '../../summary/requirement-outcome.js';
import { Facts } from './table.js';

/** The mark of an outcome, and its word, if short for screen readers alone: nothing is told by colour alone. */
export function OutcomeMark({
  outcome,
  isShort = false,
}: {
  outcome: Outcome;
  isShort?: boolean;
}): JSX.Element {
  const texts = outcomeTexts[outcome];
  return (
    <span class={`outcome ${texts.colour}`}>
      <span aria-hidden="true">{texts.mark}</span>{' '}
      <span class={isShort ? 'hidden' : undefined}>{texts.word}</span>
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
