import type { RunRecord } from '../../lib/evidence/record/record.js';
import { clip } from '../../lib/explain/clip.js';
import { count } from '../text/quantity.js';

const idsShown = 3;

/** `116 animals, most of them named pc1…: ids 1, 2, 3, …`. The word is the marker of the run, with which most names begin. */
export function leftoversText(leftovers: RunRecord['leftovers']): string {
  const [marker = ''] = (leftovers[0]?.name ?? '').trimStart().split(/\s/u);
  const marked = leftovers.filter(({ name }) => name.trimStart().startsWith(marker)).length;
  const isMarked = marker !== '' && marked * 2 > leftovers.length;
  const ids = leftovers.slice(0, idsShown).map(({ id }) => id);
  const all = [...ids, ...(leftovers.length > idsShown ? ['…'] : [])].join(', ');
  const named = isMarked ? `, most of them named ${clip(marker, 40)}…` : '';
  return `${count(leftovers.length, 'animal')}${named}: ids ${all}`;
}
