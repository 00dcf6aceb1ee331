import type { RunRecord } from '../../lib/record/record.js';

/** By what most of the animals that a run left behind are found, and how many are not found by it. */
export interface LeftoverMarker {
  /** The word that most names begin with: the run's marker. */
  readonly marker: string;
  /** Animals whose names begin otherwise: a run asks what becomes of an empty name, too. */
  readonly others: number;
}

/** Undefined where no word begins the names of most. */
export function leftoverMarker(leftovers: RunRecord['leftovers']): LeftoverMarker | undefined {
  const counts = new Map<string, number>();
  for (const { name } of leftovers) {
    const [word = ''] = name.trimStart().split(/\s/u);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const [marker = '', found = 0] = [...counts].toSorted(([, one], [, other]) => other - one)[0] ?? [];
  return marker === '' || found * 2 <= leftovers.length
    ? undefined
    : { marker, others: leftovers.length - found };
}

/** Identifiers as people count; those that are no numbers, and those beyond 64 bits, too. */
const byNumber = new Intl.Collator('en', { numeric: true });

/** What a run left behind, in the order of its identifiers. */
export function inOrder(leftovers: RunRecord['leftovers']): RunRecord['leftovers'] {
  return leftovers.toSorted((one, other) => byNumber.compare(one.id, other.id));
}
