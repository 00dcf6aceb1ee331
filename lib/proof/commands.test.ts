import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { faults } from '../reference/faults/faults.js';
import { referenceKeys } from '../reference/keys.js';
import type { ReferenceOptions } from '../reference/options.js';
import { serveReference } from '../reference/serve.js';
import { variants } from '../reference/variants/variants.js';
import { openIn } from './matrix.js';
import { proveAgainst, turnedIn } from './prove.js';

/** What a command gets from a service of its own: the statuses. */
async function statusesOf(options: ReferenceOptions, command: string): Promise<string[]> {
  const service = await serveReference(options);
  const script = command.replaceAll(/http:\/\/127\.0\.0\.1:\d+\/v1/gu, service.baseUrl);
  const env = { PATH: process.env['PATH'], PETSTORE_API_KEY: referenceKeys.business.key };
  const { stdout } = await promisify(execFile)('sh', ['-c', script], { env });
  await service.close();
  return Array.from(stdout.matchAll(/HTTP\/1\.1 (\d+)/gu), ([, status = '']) => status);
}

it.each([
  [
    'unknown-animal-remembered',
    'GET-01' as const,
    /createPet[^;]*; getPet of the next identifier; createPet[^;]*; getPet of the animal created last$/,
  ],
  ['listing-kept-past-a-creation', 'LIST-08' as const, /: listPets[^;]*; createPet[^;]*; listPets[^;]*$/],
])('the counterexample of %s is made as small as the fault allows', async (name, id, requests) => {
  const { options = {} } = faults.find((one) => one.name === name) ?? {};
  const record = await proveAgainst(options, { settings: { profile: 'thorough', only: [id] } });
  const findings = record.requirements.find((row) => row.id === id)?.findings ?? [];
  const finding = findings.find(({ message }) => message.includes('after these requests'));
  expect(finding?.message).toMatch(requests);
  const sent = finding?.message.split('; ').length ?? 0;
  expect(finding?.exchanges.length).toBe(sent);
  expect(finding?.reproduce?.match(/curl /g)?.length).toBe(sent);
  expect((await statusesOf(options, finding?.reproduce ?? '')).length).toBe(sent);
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
