import { describe, expect, it } from 'vitest';
import { withBehaviour } from '../reference/changes.js';
import { faults } from '../reference/faults/faults.js';
import { Refusal } from '../reference/operations/refused-request.js';
import { proveAgainst, turnedIn } from './prove.js';

/** Faults that show in every creation or refusal, and leave everything else to be judged. */
const everywhere = ['created-with-200', 'missing-fields-answered-422', 'empty-401'];

describe('a mistake in every answer of a kind hides no other row', () => {
  it.each(everywhere.flatMap((name) => [[name, 'standard'] as const, [name, 'quick'] as const]))(
    '%s, %s profile',
    async (name, profile) => {
      const fault = faults.find((one) => one.name === name);
      if (!fault) throw new Error(`there is no fault ${name}`);
      const record = await proveAgainst(fault.options, { settings: { profile } });
      const unjudged = record.requirements.filter(({ verdict }) => verdict === 'inconclusive');
      expect(unjudged.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
    },
  );
});

describe('a service that refuses every creation with 400', () => {
  const refusing = withBehaviour(() => ({
    checkName() {
      throw new Refusal('invalid-body', 'The field "name" is not good enough.', 'name');
    },
  }));

  it('may not know the categories that were tried, and nothing fails', async () => {
    const record = await proveAgainst(refusing);
    expect(turnedIn(record)).toEqual([]);
    expect(record.verdict).toBe('incomplete');
  });

  it('fails CREATE-01 if a category that it knows is configured', async () => {
    const record = await proveAgainst(refusing, { target: { categoryId: 7n } });
    expect(turnedIn(record)).toEqual(['CREATE-01']);
    expect(record.requirements.find(({ id }) => id === 'CREATE-01')?.findings[0]?.message).toContain(
      'the configured category',
    );
  });
});
