import { expect, it } from 'vitest';
import '../../suites/all.js';
import { proveAgainst } from '../proof/prove.js';
import type { RequirementId } from '../specification/catalogue.js';
import { declaredRequirements } from '../verdict/requirement.js';

const needing = declaredRequirements().flatMap(({ id, kinds }) => (kinds.length > 0 ? id : []));

it.each(needing)('%s alone is judged on what the probes of others get', async (id: RequirementId) => {
  const { requirements, requests } = await proveAgainst({}, { settings: { only: [id], profile: 'quick' } });
  expect(['pass', 'observed']).toContain(requirements.find((row) => row.id === id)?.verdict);
  expect(requests.sent).toBeLessThanOrEqual(20);
});
