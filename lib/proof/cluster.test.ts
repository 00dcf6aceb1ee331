import { expect, it } from 'vitest';
import { parts } from './cases.js';
import { differences, prove } from './matrix.js';

// One of each verdict: all of them are tried by CI's proof.
const sampled = parts.cluster().filter(({ name }) => name.startsWith('source-address/per-node'));

it.each(sampled.map((one) => [one.name, one] as const))(
  'exactly the ids turn that a cluster breaks: %s',
  async (_name, one) => {
    expect(differences(await prove(one))).toEqual([]);
  },
);
