import { describe, expect, it } from 'vitest';
import { catalogue, classOf, type RequirementId } from '../specification/catalogue.js';
import { proveAgainst } from './prove.js';

const functional = catalogue.filter(({ id }) => classOf(id) === 'functional').map(({ id }) => id);

/** The result of a requirement that was selected alone, against an empty store. */
async function alone(id: RequirementId) {
  const { requirements } = await proveAgainst({}, { settings: { only: [id] } });
  return requirements.find((row) => row.id === id);
}

describe('selected alone, against an empty store', () => {
  it.each(functional.filter((id) => id !== 'GET-05'))('%s is judged', async (id) => {
    const row = await alone(id);
    expect([row?.verdict, row?.reason]).toEqual([expect.stringMatching(/^(?:pass|observed)$/), undefined]);
    expect(row?.checks).toBeGreaterThan(0);
  });

  it('GET-05 is not applicable before its date', async () => {
    expect((await alone('GET-05'))?.verdict).toBe('not-applicable');
  });
});
