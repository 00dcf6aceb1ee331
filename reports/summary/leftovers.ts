import type { RunRecord } from '../../lib/evidence/record/record.js';
import { clip } from '../../lib/explain/clip.js';
import { count, integer } from '../text/quantity.js';

type Leftovers = RunRecord['leftovers'];

/** The word with which most names of the animals that a run left behind begin, and the number of these animals. */
export function leftoverMarker(leftovers: Leftovers): { marker: string; named: number } | undefined {
  const counts = new Map<string, number>();
  for (const { name } of leftovers) {
    const [word = ''] = name.trimStart().split(/\s/u);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const [marker = '', named = 0] = [...counts].toSorted(([, one], [, other]) => other - one)[0] ?? [];
  return marker === '' || named * 2 <= leftovers.length ? undefined : { marker, named };
}

const idsShown = 3;

/** `116 animals (112 named pc1…): ids 1, 2, 3 and 113 more`. */
export function leftoversText(leftovers: Leftovers): string {
  const marked = leftoverMarker(leftovers);
  const all = marked?.named === leftovers.length;
  const named = marked ? ` (${all ? '' : `${integer(marked.named)} `}named ${clip(marked.marker, 40)}…)` : '';
  const ids = leftovers
    .map(({ id }) => id)
    // As people count, also those that are not numbers or are longer than 64 bits.
    .toSorted((one, other) => one.length - other.length || (one < other ? -1 : 1))
    .slice(0, idsShown);
  const rest = leftovers.length - ids.length;
  const more = rest > 0 ? ` and ${integer(rest)} more` : '';
  return `${count(leftovers.length, 'animal')}${named}: ${ids.length === 1 ? 'id' : 'ids'} ${ids.join(', ')}${more}`;
}
