import type { JSX } from 'preact';
import { counted } from '../../text/quantity.js';
import { cutText } from './cut-text.js';
import { TargetText } from '../parts/target-text.js';

/** Sentences are shown to this length, in UTF-16 units. */
const longestSentence = 1_000;

/** A sentence of the suite, in which backticks mark code. Whatever it quotes of the target is escaped and isolated. */
export function Prose({ text }: { readonly text: string }): JSX.Element {
  const { shown, leftOut } = cutText(text, longestSentence);
  return (
    <>
      {shown.split(/`([^`\n]+)`/).map((part, index) =>
        index % 2 === 1 ? (
          <code>
            <TargetText text={part} />
          </code>
        ) : (
          part !== '' && (
            <bdi>
              <TargetText text={part} />
            </bdi>
          )
        ),
      )}
      {leftOut > 0 && <i class="left-out"> … {counted(leftOut, 'character')} left out …</i>}
    </>
  );
}
