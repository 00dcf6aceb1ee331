import type { JSX } from 'preact';
import { integer } from '../../text/quantity.js';
import { outcomes, outcomeTexts, type Outcome, type Tally } from '../../summary/requirement-outcome.js';

/** Each outcome's symbol: strokes in a box of 16, so that it looks the same on every system and on paper. */
const strokes = {
  pass: 'M3.2 8.6 6.6 12 12.8 4.6',
  fail: 'M4 4l8 8M12 4l-8 8',
  warn: 'M8 2.4 14.4 13.4H1.6zM8 6.2v3.4M8 11.4v.6',
  waived: 'M8 2a6 6 0 1 0 .01 0zM4 12 12 4',
  observed: 'M1.6 8C4.6 3.6 11.4 3.6 14.4 8 11.4 12.4 4.6 12.4 1.6 8zM8 6.4a1.6 1.6 0 1 0 .01 0z',
  inconclusive: 'M5.2 5.8a2.8 2.8 0 1 1 4.2 2.4c-1 .6-1.4 1-1.4 2M8 12.6v.6',
  'not-applicable': 'M3.5 8h9',
  'not-tested': 'M8 2.5a5.5 5.5 0 1 0 .01 0z',
} as const satisfies Record<Outcome, string>;

/** The symbols, defined once in the document. */
export function OutcomeSymbols(): JSX.Element {
  return (
    <svg class="symbols" aria-hidden="true" width="0" height="0">
      {outcomes.map((outcome) => (
        <symbol id={`symbol-${outcome}`} viewBox="0 0 16 16">
          <path d={strokes[outcome]} />
        </symbol>
      ))}
    </svg>
  );
}

/** The symbol alone, for use beside the word. */
export function OutcomeSymbol({ outcome }: { readonly outcome: Outcome }): JSX.Element {
  return (
    <svg class="symbol" aria-hidden="true">
      <use href={`#symbol-${outcome}`} />
    </svg>
  );
}

/** Symbol and word. */
export function OutcomeMark({
  outcome,
  word = outcomeTexts[outcome].word,
}: {
  readonly outcome: Outcome;
  readonly word?: string;
}): JSX.Element {
  return (
    <span class={`outcome is-${outcome}`}>
      <OutcomeSymbol outcome={outcome} />
      {word}
    </span>
  );
}

/** How many requirements have each outcome. */
export function Counts({ counts }: { readonly counts: Tally }): JSX.Element {
  return (
    <span class="counts">
      {outcomes
        .filter((outcome) => counts[outcome] > 0)
        .map((outcome) => (
          <OutcomeMark
            outcome={outcome}
            word={`${integer(counts[outcome])} ${outcomeTexts[outcome].word.toLowerCase()}`}
          />
        ))}
    </span>
  );
}
