import type { JSX } from 'preact';
import { counted } from '../../text/quantity.js';
import { cutText } from '../text/cut-text.js';
import { partsOf } from '../text/unseen-characters.js';

/** Texts are shown to this length unless their place says otherwise. */
const usualLength = 2_000;

export interface TargetTextProperties {
  readonly text: string;
  /** The text stands in a `pre`: its line feeds are kept. */
  readonly keepLayout?: boolean;
  /** How much of it is shown, in UTF-16 units; what is left out is counted. */
  readonly longest?: number;
}

/** Text that came from the target or is made of it: escaped by preact, cut, and what can't be seen is named. */
export function TargetText({
  text,
  keepLayout = false,
  longest = usualLength,
}: TargetTextProperties): JSX.Element {
  const { shown, leftOut } = cutText(text, longest);
  return (
    <>
      {partsOf(shown, { keepLayout }).map((part) =>
        'text' in part ? part.text : <b class="unseen">{part.codePoint}</b>,
      )}
      {leftOut > 0 && <i class="left-out"> … {counted(leftOut, 'character')} left out …</i>}
    </>
  );
}
