import { describe, expect, it } from 'vitest';
import { clusterCells } from '../reference/cluster/cells.js';
import { clusterCases } from './cluster-case.js';
import { differences, prove } from './matrix.js';

/** One of each verdict: all of them are tried by CI's proof. */
const isSampled = ({ name }: { readonly name: string }): boolean =>
  name.startsWith('source-address/per-node');

describe('against a cluster, exactly the ids turn that it breaks', () => {
  it.each(
    clusterCases()
      .filter(isSampled)
      .map((one) => [one.name, one] as const),
  )('%s', async (_name, one) => {
    expect(differences(await prove(one))).toEqual([]);
  });
});

it('there are at least 15 clusters, and some of them conform', () => {
  expect(clusterCells.length).toBeGreaterThanOrEqual(15);
  expect(clusterCells.filter(({ fromFour }) => fromFour.length === 0).length).toBeGreaterThanOrEqual(5);
});
