import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import '../suites/all.js';
import { proveAgainst } from '../lib/proof/prove.js';
import { faults } from '../lib/reference/faults/faults.js';
import { combineOptions } from '../lib/reference/options.js';
import { serveReference, type ReferenceService } from '../lib/reference/serve.js';
import { packageFile } from '../lib/run/suite-name.js';
import { readFinishedRun, type FinishedRun } from './finished-run.js';
import { isLoad } from './summary/measurements.js';
import { regressionTest, type TestKind } from './regression.js';

/** Findings that a test of its own can show: another status. */
const found = {
  'fraction-of-an-id-ignored': 'GET-03',
  'name-optional': 'CREATE-05',
  'unknown-animal-is-null': 'GET-02',
} as const;

/** Findings that only the rule can judge. */
const ofSeveral = {
  'limit-ignored': 'LIST-02',
  'category-in-32-bits': 'CREATE-12',
  'no-rate-headers-on-401': 'RATE-01',
} as const;

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'regression-'));
const keys = [{ key: 'pets_proof_5hVq2TzR8wLx', perMinute: 1_000, perDay: 100_000 }];
const runs = new Map<string, FinishedRun>();
let healthy: ReferenceService;

function optionsOf(name: string) {
  return faults.find((fault) => fault.name === name)?.options ?? {};
}

async function test(name: string, kind: TestKind, id?: string): Promise<string> {
  const finished = runs.get(name);
  if (!finished || isLoad(finished.record)) throw new Error(name);
  return regressionTest(finished, kind, id);
}

beforeAll(async () => {
  for (const [name, id] of Object.entries({ ...found, ...ofSeveral })) {
    const directory = join(folder, name);
    await proveAgainst(optionsOf(name), { settings: { directory, only: [id] } });
    runs.set(name, await readFinishedRun(directory));
  }
  healthy = await serveReference({ keys });
}, 60_000);
afterAll(async () => {
  await healthy.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Whether a command that runs a test ends well against a service with a fault, or against the healthy one. */
async function passes(command: readonly string[], fault?: string): Promise<boolean> {
  const service =
    fault === undefined ? healthy : await serveReference(combineOptions(optionsOf(fault), { keys }));
  const env = { ...process.env, PETSTORE_BASE_URL: service.baseUrl, PETSTORE_API_KEY: keys[0]?.key };
  const [program = '', ...args] = command;
  const ended = await run(program, args, { cwd: folder, env }).then(
    () => true,
    () => false,
  );
  if (service !== healthy) await service.close();
  return ended;
}

describe('a finding as a test', () => {
  it('of pytest fails while the fault is there, and passes without it', async () => {
    for (const [name, id] of Object.entries(found)) {
      const module = `test_${name.replaceAll('-', '_')}`;
      writeFileSync(join(folder, `${module}.py`), await test(name, 'pytest', id));
      const call = `import ${module} as m; m.test_${id.toLowerCase().replace('-', '_')}()`;
      expect([name, await passes(['python3', '-c', call], name)]).toEqual([name, false]);
      expect([name, await passes(['python3', '-c', call])]).toEqual([name, true]);
    }
  }, 60_000);

  it('of Vitest fails while the fault is there, and passes without it', async () => {
    for (const name of ['name-optional', 'unknown-animal-is-null'] as const) {
      // It stands beside the project's own libraries, as a user's would.
      const libraries = fileURLToPath(packageFile('node_modules'));
      if (!existsSync(join(folder, 'node_modules'))) symlinkSync(libraries, join(folder, 'node_modules'));
      writeFileSync(join(folder, 'kept.test.mjs'), await test(name, 'vitest', found[name]));
      const program = fileURLToPath(packageFile('node_modules/vitest/vitest.mjs'));
      const command = [process.execPath, program, 'run', '--root', folder] as const;
      expect([name, await passes(command, name)]).toEqual([name, false]);
      expect([name, await passes(command)]).toEqual([name, true]);
    }
  }, 60_000);

  it('of an HTTP client creates the animal that it needs, and asserts', async () => {
    const file = await test('fraction-of-an-id-ignored', 'http', 'GET-03');
    expect(file).toMatch(/POST \{\{base\}\}\/pets\n/);
    expect(file).toMatch(/client\.global\.set\("id", /);
    expect(file).toMatch(/GET \{\{base\}\}\/pets\/\{\{id\}\}/);
    expect(file.replaceAll(/\s/g, '')).toContain('client.assert([400,404].includes(response.status))');
    expect(file).not.toMatch(/<\w+>/);
  });

  it.each(['vitest', 'pytest'] as const)(
    'of %s runs the suite where a header, a body or several responses show it',
    async (kind) => {
      for (const [name, id] of Object.entries(ofSeveral)) {
        // What was sent to show it is sent again.
        const only = id === 'RATE-01' ? 'RATE-01,AUTH-01' : id;
        const suite = `npx --yes petstore-conformance --only=${only} --plan=business --report=none`;
        expect(await test(name, kind, id)).toContain(suite);
      }
    },
  );

  it('of an HTTP client is none where no status shows it', async () => {
    await expect(test('limit-ignored', 'http', 'LIST-02')).rejects.toThrow('no status shows LIST-02');
  });

  it('of k6 is a script for the limits alone', async () => {
    const script = join(folder, 'limit.mjs');
    writeFileSync(script, await test('no-rate-headers-on-401', 'k6', 'RATE-01'));
    await expect(run(process.execPath, ['--check', script])).resolves.toMatchObject({ stderr: '' });
    await expect(test('name-optional', 'k6', 'CREATE-05')).rejects.toThrow('CREATE-05 is no matter of load');
  });

  it('is that of the first failure unless one is named, which must have a finding', async () => {
    expect(await test('name-optional', 'vitest')).toContain('CREATE-05');
    await expect(test('name-optional', 'vitest', 'LIST-01')).rejects.toThrow(
      'LIST-01 has no finding in this run; there are CREATE-05',
    );
  });
});
