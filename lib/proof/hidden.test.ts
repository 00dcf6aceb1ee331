import { expect, it } from 'vitest';
import { withBehaviour } from '../reference/changes.js';
import { faults } from '../reference/faults/faults.js';
import { Refusal } from '../reference/operations/refused-request.js';
import { proveAgainst, turnedIn } from './prove.js';

// Faults that show in every creation or refusal, and leave everything else to be judged.
it.each([
  ['created-with-200', 'standard'],
  ['created-with-200', 'quick'],
  ['missing-fields-answered-422', 'quick'],
  ['empty-401', 'quick'],
] as const)(
  'a mistake in every answer of a kind hides no other row: %s, %s profile',
  async (name, profile) => {
    const fault = faults.find((one) => one.name === name);
    const record = await proveAgainst(fault?.options ?? {}, { settings: { profile } });
    expect(turnedIn(record)).not.toEqual([]);
    const unjudged = record.requirements.filter(({ verdict }) => verdict === 'inconclusive');
    expect(unjudged.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
  },
);

it('a service that refuses every creation fails only if a category that it knows is configured', async () => {
  const refusing = withBehaviour(() => ({
    checkName() {
      throw new Refusal('invalid-body', 'The field "name" is not good enough.', 'name');
    },
  }));
  const unknown = await proveAgainst(refusing);
  expect([turnedIn(unknown), unknown.verdict]).toEqual([[], 'incomplete']);
  const known = await proveAgainst(refusing, { target: { categoryId: 7n } });
  expect(turnedIn(known)).toEqual(['CREATE-01']);
  const { findings } = known.requirements.find(({ id }) => id === 'CREATE-01') ?? {};
  expect(findings?.[0]?.message).toContain('the configured category');
});
