import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { runRecordSchema } from '../lib/evidence/record/record.js';
import { referenceKeys } from '../lib/reference/keys.js';
import { serveReference } from '../lib/reference/serve.js';
import { start } from './testing/program.js';

/**
 * `npm run test:fleet`: a real engine, Artillery, starts the shares of a load with the files of `docs/fleet`. Opt-in: the
 * engine has a lockfile of its own in `scripts/fleet-engine`, and takes 590 MB.
 */
const project = fileURLToPath(new URL('..', import.meta.url));
const engine = join(project, 'scripts', 'fleet-engine');
const artillery = join(engine, 'node_modules', '.bin', 'artillery');
const program = join(project, 'dist', 'scripts', 'petstore-conformance.js');

it.runIf(process.env['TEST_FLEET'])('Artillery starts four shares, whose merged load verifies', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-fleet-'));
  const service = await serveReference();
  onTestFinished(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const environment = {
    // Instead of the published package, its `npx` starts the one that was just built.
    PATH: `${folder}:${process.env['PATH']}`,
    PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1',
    ARTILLERY_DISABLE_TELEMETRY: 'true',
    PETSTORE_API_KEY: referenceKeys.business.key,
    BEGIN: new Date(Date.now() + 45_000).toISOString(),
  };
  const run = { cwd: folder, env: { ...process.env, ...environment }, timeout: 200_000 };
  if (!existsSync(artillery)) execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { ...run, cwd: engine });
  cpSync(join(project, 'docs', 'fleet'), folder, { recursive: true });
  const npx = `#!/bin/sh\nshift 2\nexec "${process.execPath}" "${program}" "$@"\n`;
  writeFileSync(join(folder, 'npx'), npx, { mode: 0o755 });
  execFileSync(artillery, ['run', '--target', service.baseUrl, 'artillery.yml'], run);
  const shares = [1, 2, 3, 4].map((share) => `share-${share}`);
  const merged = await start('load', ['merge', ...shares, '--output=whole'], { folder }).ended;
  expect(merged.code).toBe(0);
  expect((await start('report', ['verify', 'whole'], { folder }).ended).code).toBe(0);
  const record = JSON.parse(readFileSync(join(folder, 'whole', 'report.json'), 'utf8'));
  const { load } = runRecordSchema.parse(record);
  expect(load?.shares?.map(({ sent }) => sent)).toEqual([100, 100, 100, 100]);
  expect(load?.good).toBe(400);
});
