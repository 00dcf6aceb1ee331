import type { JSX } from 'preact';
import { count } from '../../text/quantity.js';

const shownAtOnce = 20;

/** The first items of a list; those after them are folded under a line. */
export function FirstOf({
  items,
  name,
  list,
}: {
  readonly items: readonly JSX.Element[];
  readonly name: string;
  readonly list: (items: readonly JSX.Element[]) => JSX.Element;
}): JSX.Element {
  const rest = items.slice(shownAtOnce);
  return (
    <>
      {list(items.slice(0, shownAtOnce))}
      {rest.length > 0 && (
        <details>
          <summary>{count(rest.length, `more ${name}`)}</summary>
          {list(rest)}
        </details>
      )}
    </>
  );
}
