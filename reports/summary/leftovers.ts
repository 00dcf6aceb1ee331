import type { RunRecord } from '../../lib/evidence/record/record.js';
import { clip } from '../../lib/explain/clip.js';
import { count, integer } from '../text/quantity.js';

type Leftovers = RunRecord['leftovers'];

const idsShown = 3;

/** `116 animals (112 named pc1…): ids 1, 2, 3 and 113 more`. */
export function leftoversText(leftovers: Leftovers): string {
  // The marker of the run, with which most names begin.
  const [marker = ''] = (leftovers[0]?.name ?? '').trimStart().split(/\s/u);
  const marked = leftovers.filter(({ name }) => name.trimStart().startsWith(marker)).length;
  const all = marked === leftovers.length ? '' : `${integer(marked)} `;
  const isMarked = marker !== '' && marked * 2 > leftovers.length;
  const named = isMarked ? ` (${all}named ${clip(marker, 40)}…)` : '';
  const ids = leftovers
    .map(({ id }) => id)
    // As people count, also those that are not numbers or are longer than 64 bits.
    .toSorted((one, other) => one.length - other.length || (one < other ? -1 : 1))
    .slice(0, idsShown);
  const rest = leftovers.length - ids.length;
  const more = rest > 0 ? ` and ${integer(rest)} more` : '';
  return `${count(leftovers.length, 'animal')}${named}: ${ids.length === 1 ? 'id' : 'ids'} ${ids.join(', ')}${more}`;
}
