import type { JSX } from 'preact';
import { partsOf } from './unseen-characters.js';

export interface ForeignProperties {
  readonly text: string;
  /** The text stands in a `pre`: its line feeds are kept. */
  readonly keepLayout?: boolean;
}

/** Text that came from the target or is made of it: escaped by preact, and what can't be seen is named. */
export function Foreign({ text, keepLayout = false }: ForeignProperties): JSX.Element {
  return (
    <>
      {partsOf(text, { keepLayout }).map((part) =>
        'text' in part ? part.text : <b class="unseen">{part.codePoint}</b>,
      )}
    </>
  );
}
