import type { JSX } from 'preact';
import { Foreign } from './foreign.js';

/** A sentence of the suite, in which backticks mark code. Whatever it quotes of the target is escaped and isolated. */
export function Prose({ text }: { readonly text: string }): JSX.Element {
  return (
    <>
      {text.split(/`([^`\n]+)`/).map((part, index) =>
        index % 2 === 1 ? (
          <code>
            <Foreign text={part} />
          </code>
        ) : (
          <bdi>
            <Foreign text={part} />
          </bdi>
        ),
      )}
    </>
  );
}
