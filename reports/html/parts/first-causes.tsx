import type { JSX } from 'preact';
import { requirementRanges } from '../../text/requirement-id.js';
import { count } from '../../text/quantity.js';
import type { CauseGroup } from '../evidence/shown-findings.js';

/** As on the terminal: the most fundamental ones. */
const shownAtOnce = 8;

/** The first causes; those after them are folded under a line that names their requirements. */
export function FirstCauses({
  groups,
  list,
}: {
  readonly groups: readonly CauseGroup[];
  readonly list: (groups: readonly CauseGroup[]) => JSX.Element;
}): JSX.Element {
  // A line for one is no shorter than the one.
  const rest = groups.slice(groups.length > shownAtOnce + 1 ? shownAtOnce : groups.length);
  const ids = new Set(rest.flatMap(({ cause }) => cause.named.map(({ id }) => id)));
  return (
    <>
      {list(groups.slice(0, groups.length - rest.length))}
      {rest.length > 0 && (
        <details>
          <summary>
            {count(rest.length, 'more cause')}: {requirementRanges([...ids])}
          </summary>
          {list(rest)}
        </details>
      )}
    </>
  );
}
