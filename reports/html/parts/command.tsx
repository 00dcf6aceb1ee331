import type { JSX } from 'preact';
import { count } from '../../text/quantity.js';
import { TargetText } from './text.js';

const longestCommand = 8_000;

/** A command with a button that copies it. A part of it would do something else: it is whole, or said to be too long. */
export function Command({ text }: { readonly text: string }): JSX.Element {
  if (text.length > longestCommand)
    return <p class="note">A command of {count(text.length, 'character')} is in report.json.</p>;
  return (
    <div class="command">
      <pre>
        <TargetText text={text} keepLayout longest={longestCommand} />
      </pre>
      <button type="button" hidden>
        Copy
      </button>
    </div>
  );
}
