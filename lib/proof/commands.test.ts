import { expect, it } from 'vitest';
import { faults } from '../reference/faults/faults.js';
import { variants } from '../reference/variants/variants.js';
import { openIn, proveAgainst, turnedIn } from './prove.js';

it.each([
  ['unknown-animal-remembered', 'GET-01' as const],
  ['listing-kept-past-a-creation', 'LIST-08' as const],
])('sequences of commands make %s show', async (name, id) => {
  const { options = {} } = faults.find((one) => one.name === name) ?? {};
  const record = await proveAgainst(options, { settings: { profile: 'thorough', only: [id] } });
  expect(turnedIn(record)).toEqual([id]);
});

// The other variants are run by `npm run proof -- --profile=thorough`.
it('sequences of commands find nothing in a service where others create animals', async () => {
  const ids = ['CREATE-01', 'CREATE-04', 'GET-01', 'LIST-02', 'LIST-06', 'LIST-08'] as const;
  const variant = variants.find(({ name }) => name === 'others-create-animals');
  const record = await proveAgainst(variant?.options ?? {}, {
    settings: { profile: 'thorough', only: ids },
  });
  expect([turnedIn(record), openIn(record).filter((id) => ids.some((one) => one === id))]).toEqual([[], []]);
});
