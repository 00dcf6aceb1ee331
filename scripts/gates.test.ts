import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runRecordSchema } from '../lib/evidence/record/record.js';
import { faults } from '../lib/reference/faults/faults.js';
import { referenceKeys } from '../lib/reference/keys.js';
import { combineOptions } from '../lib/reference/options.js';
import { serveReference, type ReferenceService } from '../lib/reference/serve.js';
import { start, type Ended } from './testing/program.js';

/**
 * What a pipeline stands on, from the command line to the exit code: waivers, and GitHub's page of a job. A start takes
 * a second: each run asks for three requirements alone.
 */

/** The first breaks ERR-01, the second AUTH-07. */
const broken: ReadonlySet<string> = new Set(['empty-401', '401-without-challenge']);

let folder: string;
let service: ReferenceService;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-gates-'));
  const options = faults.filter(({ name }) => broken.has(name)).map((fault) => fault.options);
  service = await serveReference(combineOptions(...options));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

const path = (...names: string[]): string => join(folder, ...names);
const text = async (...names: string[]): Promise<string> => readFile(path(...names), 'utf8');

async function judge(
  output: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<Ended> {
  const target = [`--base-url=${service.baseUrl}`, '--plan=business', '--only=ERR-01,AUTH-01,AUTH-07'];
  return start('conformance', [...target, '--seed=1', `--output=${path(output)}`, ...args], {
    folder,
    environment: { PETSTORE_API_KEY: referenceKeys.business.key, ...environment },
  }).ended;
}

it('a run on GitHub annotates the job, and adds its summary to what the page has', async () => {
  await writeFile(path('step.md'), 'What came before.\n');
  const github = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: path('step.md') };
  const failing = await judge('failing', ['--report=none'], github);
  expect(failing.code).toBe(1);
  expect(failing.stdout).toMatch(
    /^::error title=ERR-01%3A listPets's 401 body is not an Error object::✗ ERR-01 {2}MUST [^\n]*%0A/m,
  );
  expect(failing.stdout).toMatch(
    /^::warning title=AUTH-07%3A a 401 of listPets does not name the Bearer scheme::/m,
  );
  expect(await text('step.md')).toMatch(/^What came before\.\n[^]*non-conformant[^]*ERR-01/);
});

it('waivers make the same failures fail no more', async () => {
  const file = path('waivers.yaml');
  const { requirements } = runRecordSchema.parse(JSON.parse(await text('failing', 'report.json')));
  const failed = requirements.filter(({ verdict }) => verdict === 'fail');
  const filled = failed
    .map(({ id }) => `- { id: ${id}, until: 2999-12-31, reason: known since March, owner: platform }\n`)
    .join('');
  await writeFile(file, filled);

  const waived = await judge('waived', [`--waivers=${file}`, '--report=html,junit,markdown']);
  expect(waived.code).toBe(0);
  expect(waived.stdout).toMatch(/^ERR-01 +Waived until [\d-]+ by platform: known since March/m);
  expect(waived.stdout).toMatch(/ PARTIAL [^]*1 known failure waived/);
  expect(waived.stdout).not.toContain('::');
  for (const report of ['report.html', 'junit.xml', 'summary.md'])
    expect(await text('waived', report)).toContain('known since March');

  // One of what passes: nothing else is wrong with the run.
  await writeFile(file, `${filled}- { id: AUTH-01, until: 2999-12-31, reason: known, owner: platform }\n`);
  const stale = await judge('stale', [`--waivers=${file}`, '--report=none']);
  expect(stale.code).toBe(1);
  expect(stale.stdout.replaceAll(/\n */g, ' ')).toContain(
    'Waiver: AUTH-01: matches no finding of this run, the verdict is pass',
  );
});
