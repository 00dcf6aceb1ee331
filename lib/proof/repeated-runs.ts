import { withBehaviour } from '../reference/changes.js';
import { combineOptions, type ReferenceOptions } from '../reference/options.js';
import { shuffled } from '../reference/variants/listing-variants.js';
import type { RunRecord } from '../evidence/record/record.js';
import type { Profile } from '../verdict/profile.js';
import { openIn } from './matrix.js';
import type { ProofCase } from './proof-case.js';
import { serveProof, turnedIn } from './prove.js';

/** The order of listings decides what a run sees of a store that earlier runs have filled. */
export const listingOrders: Readonly<Record<string, ReferenceOptions>> = {
  'newest-first': {},
  'oldest-first': withBehaviour(() => ({ order: (store) => store.oldestFirst() })),
  'in-random-order': withBehaviour(() => ({ order: (store) => shuffled([...store.oldestFirst()]) })),
};

/**
 * Runs the suite several times in a row against one service, each with a seed of its own. Each run finds what those
 * before have left.
 * @returns the record of the first run that came to other verdicts than the first, otherwise of the last one
 */
export async function runRepeatedly(
  options: ReferenceOptions,
  runs: number,
  profile: Profile = 'standard',
): Promise<RunRecord> {
  const served = await serveProof(options);
  try {
    const first = await served.run({ profile });
    for (let seed = 2; ; seed += 1) {
      const record = await served.run({ profile, seed });
      if (seed === runs || verdictsOf(record) !== verdictsOf(first)) return record;
    }
  } finally {
    await served.close();
  }
}

function verdictsOf(record: RunRecord): string {
  return JSON.stringify([turnedIn(record), openIn(record)]);
}

/** Fifty runs in a row against a service of each order: none comes to another verdict than the first. */
export function repeatedCases(): ProofCase[] {
  return Object.entries(listingOrders).map(([order, options]) => ({
    kind: 'variant',
    name: `${order} + fifty-runs`,
    title: `Fifty runs in a row against one service that lists ${order.replaceAll('-', ' ')}`,
    breaks: [],
    leavesOpen: [],
    run: (profile) => runRepeatedly(combineOptions(options), 50, profile),
  }));
}
