import { expect, it } from 'vitest';
import type { NewPet } from '../reference/operations/animal.js';
import { withBehaviour } from '../reference/changes.js';
import type { RunRecord } from '../evidence/record/record.js';
import { openIn, serveProof, turnedIn } from './prove.js';

const oldestFirst = withBehaviour(() => ({ order: (store) => store.oldestFirst() }));

/** The second of two runs in a row, which finds what the first has left, too. */
async function lastOfTwo(animals: readonly NewPet[]): Promise<RunRecord> {
  const served = await serveProof({ ...oldestFirst, animals });
  try {
    await served.run();
    return await served.run({ seed: 2 });
  } finally {
    await served.close();
  }
}

/** What so many runs with the standard profile leave, the oldest first. */
function leftBy(runs: number): NewPet[] {
  const ofOneRun = { sold: 2, pending: 2, available: 60 } as const;
  return Array.from({ length: runs }, (_run, index) =>
    (['sold', 'pending', 'available'] as const).flatMap((status) =>
      Array.from({ length: ofOneRun[status] }, (_animal, place): NewPet => ({
        name: `pc${index} control ${place}`,
        categoryId: 1n,
        status,
      })),
    ),
  ).flat();
}

it('gets the same verdicts from the forty-ninth run and the fiftieth if the oldest are listed first', async () => {
  const record = await lastOfTwo(leftBy(48));
  expect([turnedIn(record), openIn(record)]).toEqual([[], []]);
});

it('after a hundred runs, a service that lists the oldest first is told to empty the store', async () => {
  const record = await lastOfTwo(leftBy(100));
  expect(openIn(record)).toEqual(['AUTH-06', 'LIST-08', 'LIST-10', 'LIST-14', 'CREATE-11']);
  for (const id of ['AUTH-06', 'LIST-08', 'CREATE-11']) {
    const reason = record.requirements.find((row) => row.id === id)?.reason;
    expect(reason).toMatch(/[Ee]mpty the store, and run again/);
  }
});
