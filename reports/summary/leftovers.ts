import type { RunRecord } from '../../lib/evidence/record/record.js';
import { clip } from '../../lib/explain/clip.js';
import { count } from '../text/quantity.js';

const idsShown = 3;

/** `116 animals, most of them named pc1…: ids 1, 2, 3, …`. The word is the marker of the run, with which most names begin. */
export function leftoversText(leftovers: RunRecord['leftovers']): string {
  const [marker = ''] = (leftovers[0]?.name ?? '').trimStart().split(/\s/u);
  const marked = leftovers.filter(({ name }) => name.trimStart().startsWith(marker)).length;
  const isMarked = marker !== '' && marked * 2 > leftovers.length;
  const ids = leftovers
    .map(({ id }) => id)
    // As people count, also those that are not numbers or are longer than 64 bits.
    .toSorted((one, other) => one.length - other.length || (one < other ? -1 : 1))
    .slice(0, idsShown);
  const all = [...ids, ...(leftovers.length > idsShown ? ['…'] : [])].join(', ');
  const named = isMarked ? `, most of them named ${clip(marker, 40)}…` : '';
  return `${count(leftovers.length, 'animal')}${named}: ids ${all}`;
}
