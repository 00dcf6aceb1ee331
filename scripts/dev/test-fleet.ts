import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runRecordSchema } from '../../lib/record/record.js';
import { referenceKeys } from '../../lib/reference/keys.js';
import { serveReference } from '../../lib/reference/serve.js';

/**
 * `npm run test:fleet`: has a real engine, Artillery, start four workers, and merges their ledgers. Opt-in: the engine has a
 * lockfile of its own in `scripts/fleet-engine`, and takes 590 MB.
 */
const workers = 4;
const project = fileURLToPath(new URL('../..', import.meta.url));
const engine = join(project, 'scripts', 'fleet-engine');
const artillery = join(engine, 'node_modules', '.bin', 'artillery');
const program = join(project, 'dist', 'scripts', 'petstore-conformance.js');
const run = promisify(execFile);

const began = performance.now();
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const environment = {
  ...process.env,
  PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1',
  ARTILLERY_DISABLE_TELEMETRY: 'true',
  PETSTORE_API_KEY: referenceKeys.business.key,
};

execFileSync(process.execPath, [join(project, 'scripts', 'dev.mjs'), 'dev/build'], { stdio: 'inherit' });
if (!existsSync(artillery))
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: engine, env: environment, stdio: 'inherit' });
const installed = performance.now();

const service = await serveReference();
const folder = await mkdtemp(join(tmpdir(), 'petstore-fleet-'));
const start = async (file: string, args: readonly string[], cwd = folder): Promise<string> =>
  (await run(file, args, { cwd, env: environment, timeout: 300_000 })).stdout;
const petstore = async (...args: readonly string[]): Promise<string> =>
  start(process.execPath, [program, 'load', ...args]);

try {
  const load = ['--rate=40/s', '--duration=10s', '--volley=8', '--p50=2s', '--errors=0', '--start=grid:30s'];
  const target = [`--base-url=${service.baseUrl}`, '--plan=business', `--workers=${workers}`];
  await petstore('plan', ...target, ...load, '--launcher=artillery', '--output=fleet');
  say(await start(artillery, ['run', 'artillery.yml'], join(folder, 'fleet')));
  say(await petstore('merge', join('fleet', 'plan.json'), join('fleet', 'ledgers'), '--output=result'));
  const record = runRecordSchema.parse(
    JSON.parse(await readFile(join(folder, 'result', 'report.json'), 'utf8')),
  );
  const sent = record.load?.workers?.map((one) => one.sent) ?? [];
  if (sent.join() !== '102,102,102,102' || record.load?.good !== 408)
    throw new Error(`the workers sent ${sent.join()}`);
  const seconds = (from: number): string => `${((performance.now() - from) / 1_000).toFixed(1)} s`;
  say(
    `green: ${workers} workers, 408 requests, ${seconds(installed)} (${seconds(began)} with the build and the installation)`,
  );
} finally {
  await service.close();
  await rm(folder, { recursive: true, force: true });
}
