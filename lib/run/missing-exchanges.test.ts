import { expect, it } from 'vitest';
import { proveAgainst } from '../proof/prove.js';
import { kinds } from '../verdict/requirement.js';

it.each(['ERR-01', 'MEDIA-01', 'AUTH-07'] as const)('%s alone is judged on what it needs', async (id) => {
  const record = await proveAgainst({}, { settings: { only: [id] } });
  expect(record.requirements.find((row) => row.id === id)?.verdict).toBe('pass');
  expect(record.requests.sent).toBeLessThanOrEqual(kinds.length + 2);
});
