import { expect, it } from 'vitest';
import type { RunRecord } from '../evidence/record/record.js';
import { withResponses } from '../reference/changes.js';
import type { ReferenceOptions } from '../reference/options.js';
import { proveAgainst } from './prove.js';

/** Without a key of its own, the usual one. */
async function quickly(options: ReferenceOptions, key?: string): Promise<RunRecord> {
  return proveAgainst(options, { settings: { profile: 'quick' }, ...(key !== undefined && { key }) });
}

const verdictsOf = ({ requirements }: RunRecord): string[] =>
  requirements.map(({ id, verdict }) => `${id} ${verdict}`);

it('a key that other text may hold by chance changes no verdict', async () => {
  const usual = verdictsOf(await quickly({}));
  for (const key of ['available', 'application', '922337203685', 'unauthorized', 'PETSTORE_API_KEY']) {
    const record = await quickly({}, key);
    expect([key, verdictsOf(record)]).toEqual([key, usual]);
    expect(record.target.keyMayBeWord).toBe(true);
  }
});

it('such a key is still found if the target repeats it behind the name of a scheme', async () => {
  const repeating = withResponses((response) =>
    response.status < 400
      ? response
      : { ...response, headers: [...response.headers, ['X-Caller', 'Bearer available']] },
  );
  const { requirements } = await quickly(repeating, 'available');
  const found = requirements.find(({ id }) => id === 'ERR-04');
  expect(found?.verdict).toBe('warn');
  expect(JSON.stringify(found)).not.toContain('Bearer available');
});
