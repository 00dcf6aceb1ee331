import { describe, expect, it } from 'vitest';
import { faults } from '../reference/faults/faults.js';
import { proveAgainst } from './prove.js';

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
