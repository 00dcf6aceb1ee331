import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runRecordSchema } from '../../lib/evidence/record/record.js';
import { referenceKeys } from '../../lib/reference/keys.js';
import { serveReference } from '../../lib/reference/serve.js';

/**
 * `npm run test:fleet`: has a real engine, Artillery, start the shares of a load with the files of `docs/fleet`, and merges
 * them. Opt-in: the engine has a lockfile of its own in `scripts/fleet-engine`, and takes 590 MB.
 */
const project = fileURLToPath(new URL('../..', import.meta.url));
const engine = join(project, 'scripts', 'fleet-engine');
const artillery = join(engine, 'node_modules', '.bin', 'artillery');
const program = join(project, 'dist', 'scripts', 'petstore-conformance.js');
const run = promisify(execFile);
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const folder = await mkdtemp(join(tmpdir(), 'petstore-fleet-'));
const environment = {
  ...process.env,
  // Instead of the published package, its `npx` starts the one that was just built.
  PATH: `${folder}:${process.env['PATH']}`,
  PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1',
  ARTILLERY_DISABLE_TELEMETRY: 'true',
  PETSTORE_API_KEY: referenceKeys.business.key,
};

execFileSync(process.execPath, [join(project, 'scripts', 'dev.mjs'), 'dev/build'], { stdio: 'inherit' });
if (!existsSync(artillery))
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: engine, env: environment, stdio: 'inherit' });

const service = await serveReference();
const start = async (file: string, args: readonly string[], variables = {}): Promise<void> => {
  const options = { cwd: folder, env: { ...environment, ...variables }, timeout: 300_000 };
  say((await run(file, args, options)).stdout);
};

try {
  await cp(join(project, 'docs', 'fleet'), folder, { recursive: true });
  await writeFile(join(folder, 'npx'), `#!/bin/sh\nshift 2\nexec "${process.execPath}" "${program}" "$@"\n`, {
    mode: 0o755,
  });
  const begin = new Date(Date.now() + 45_000).toISOString();
  await start(artillery, ['run', '--target', service.baseUrl, 'artillery.yml'], { BEGIN: begin });
  const shares = [1, 2, 3, 4].map((share) => `share-${share}`);
  await start('npx', ['--yes', 'petstore-conformance', 'load', 'merge', ...shares, '--output=whole']);
  await start('npx', ['--yes', 'petstore-conformance', 'report', 'verify', 'whole']);
  const { load } = runRecordSchema.parse(
    JSON.parse(await readFile(join(folder, 'whole', 'report.json'), 'utf8')),
  );
  const sent = load?.shares?.map((share) => share.sent).join();
  if (sent !== '100,100,100,100' || load?.good !== 400) throw new Error(`the shares sent ${sent}`);
  say('green: Artillery started 4 shares, 400 requests');
} finally {
  await service.close();
  await rm(folder, { recursive: true, force: true });
}
