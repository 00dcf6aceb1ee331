import { beforeAll, describe, expect, it } from 'vitest';
import type { RunRecord } from '../record/record.js';
import { withResponses } from '../reference/changes.js';
import { proveAgainst } from './prove.js';

const verdictsOf = ({ requirements }: RunRecord): string[] =>
  requirements.map(({ id, verdict }) => `${id} ${verdict}`);

describe('a key that other text may hold by chance', () => {
  let usual: RunRecord;
  beforeAll(async () => {
    usual = await proveAgainst({});
  });

  it.each(['available', 'application', '922337203685', 'unauthorized', 'categoryId', 'PETSTORE_API_KEY'])(
    'changes no verdict (%s)',
    async (apiKey) => {
      const record = await proveAgainst({}, { key: apiKey });
      expect(verdictsOf(record)).toEqual(verdictsOf(usual));
      expect(record.target.keyMayBeWord).toBe(true);
    },
  );

  it('is still found if the target repeats it behind the name of a scheme', async () => {
    const repeating = withResponses((response) =>
      response.status < 400
        ? response
        : { ...response, headers: [...response.headers, ['X-Caller', 'Bearer available']] },
    );
    const record = await proveAgainst(repeating, { key: 'available' });
    const found = record.requirements.find(({ id }) => id === 'ERR-04');
    expect(found?.verdict).toBe('warn');
    expect(JSON.stringify(found)).not.toContain('Bearer available');
  });
});
