import type { JSX } from 'preact';
import { count } from '../../text/quantity.js';

interface TextProperties {
  readonly text: string;
}

/** A sentence of the suite, in which backquotes mark code. Whatever it quotes of the target is isolated. */
export function Prose({ text }: TextProperties): JSX.Element {
  const parts = text
    .split(/`([^`\n]+)`/)
    .map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part && <bdi>{part}</bdi>));
  return <>{parts}</>;
}

const longestCommand = 8_000;

/** A command with a button that copies it. A part of it would do something else: it is whole, or said to be too long. */
export function Command({ text }: TextProperties): JSX.Element {
  if (text.length > longestCommand)
    return <p class="note">A command of {count(text.length, 'character')} is in report.json.</p>;
  return (
    <div class="command">
      <pre>{text}</pre>
      <button type="button" hidden>
        Copy
      </button>
    </div>
  );
}
