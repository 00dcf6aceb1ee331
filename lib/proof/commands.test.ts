import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { faults } from '../reference/faults/faults.js';
import { referenceKeys } from '../reference/keys.js';
import { serveReference } from '../reference/serve.js';
import { variants } from '../reference/variants/variants.js';
import type { RunRecord } from '../record/record.js';
import { openIn } from './matrix.js';
import { shells } from '../testing/shells.js';
import { proveAgainst, turnedIn } from './prove.js';

const ids = ['CREATE-01', 'CREATE-04', 'GET-01', 'LIST-02', 'LIST-06', 'LIST-08'] as const;

/** What a command gets from a service of its own in each shell: the statuses. */
async function statusesInShells(name: string, command: string): Promise<string[][]> {
  const options = [...faults, ...variants].find((one) => one.name === name)?.options ?? {};
  const statuses: string[][] = [];
  for (const shell of shells) {
    const service = await serveReference(options);
    const script = command.replaceAll(/http:\/\/127\.0\.0\.1:\d+\/v1/gu, service.baseUrl);
    const env = { PATH: process.env['PATH'], PETSTORE_API_KEY: referenceKeys.business.key };
    const { stdout } = await promisify(execFile)(shell, ['-c', script], { env });
    statuses.push(Array.from(stdout.matchAll(/HTTP\/1\.1 (\d+)/gu), ([, status = '']) => status));
    await service.close();
  }
  return statuses;
}

/** A run with the thorough profile of requirements that sequences of commands judge. */
async function thorough(name: string, only: ReadonlyArray<(typeof ids)[number]>): Promise<RunRecord> {
  const service = [...faults, ...variants].find((one) => one.name === name);
  expect(service).toBeDefined();
  return proveAgainst(service?.options ?? {}, { settings: { profile: 'thorough', only: [...only] } });
}

describe('a counterexample', () => {
  it.each([
    [
      'unknown-animal-remembered',
      'GET-01' as const,
      /createPet[^;]*; getPet of the next identifier; createPet[^;]*; getPet of the animal created last$/,
    ],
    ['listing-kept-past-a-creation', 'LIST-08' as const, /: listPets[^;]*; createPet[^;]*; listPets[^;]*$/],
  ])('of %s is made as small as the fault allows', async (name, id, requests) => {
    const record = await thorough(name, [id]);
    const findings = record.requirements.find((row) => row.id === id)?.findings ?? [];
    const finding = findings.find(({ message }) => message.includes('after these requests'));
    expect(finding?.message).toMatch(requests);
    const sent = finding?.message.split('; ').length ?? 0;
    expect(finding?.exchanges.length).toBe(sent);
    expect(finding?.reproduce?.match(/curl /g)?.length).toBe(sent);
    const statuses = await statusesInShells(name, finding?.reproduce ?? '');
    expect(statuses.map((all) => all.length)).toEqual(shells.map(() => sent));
    expect(new Set(statuses.map(String)).size).toBeLessThanOrEqual(1);
  });
});

// The other variants are run by `npm run proof -- --profile=thorough`.
it('sequences of commands find nothing in a service where others create animals', async () => {
  const record = await thorough('others-create-animals', ids);
  const judged = (id: string): boolean => ids.some((one) => one === id);
  expect([turnedIn(record), openIn(record).filter(judged)]).toEqual([[], []]);
});
