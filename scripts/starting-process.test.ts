import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { serveReference, type ReferenceService } from '../lib/reference/serve.js';
import { runRecordSchema } from '../lib/record/record.js';

const published = fileURLToPath(new URL('../dist/scripts/petstore-conformance.js', import.meta.url));
/** For what never comes. */
const waiting = { timeout: 120_000 };
const key = { key: 'key-of-a-slow-plan-1', perMinute: 60, perDay: 1_000 };
let service: ReferenceService;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-starter-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(async () => {
  service = await serveReference({ keys: [key] });
});
afterEach(async () => service.close());

/** Starts a run as npm does, through a shell: `npm` is a process that does nothing but start the shell. */
function startAsNpm(output: string) {
  const run = `"${process.execPath}" "${published}" --base-url=${service.baseUrl} --plan=free --report=none --output=${output}`;
  const npm = `require('node:child_process').spawn('sh', ['-c', ${JSON.stringify(`echo $$; ${run}; :`)}], { stdio: 'inherit' })`;
  return spawn(process.execPath, ['-e', npm], {
    env: { PATH: process.env['PATH'], npm_command: 'test', PETSTORE_API_KEY: key.key },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

const recordIn = (output: string) =>
  runRecordSchema.parse(JSON.parse(readFileSync(join(output, 'report.json'), 'utf8')));

describe('a run that npm has started', () => {
  it.each([
    ['npm has ended, as after SIGHUP', 'npm'],
    ['the shell in between has ended, as after SIGTERM', 'shell'],
  ])('ends with its record once %s', async (_, which) => {
    const output = join(folder, which);
    const npm = startAsNpm(output);
    let said = '';
    npm.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    // The requests of a window are used up: the run waits.
    await vi.waitUntil(() => service.requestCount() >= 40, waiting);
    process.kill(which === 'npm' ? (npm.pid ?? 0) : Number.parseInt(said, 10), 'SIGKILL');
    await vi.waitUntil(() => existsSync(join(output, 'manifest.json')), waiting);
    const sent = service.requestCount();
    expect(recordIn(output).run).toMatchObject({ complete: false, stopped: 'the run was interrupted' });
    await vi.waitUntil(() => !existsSync(join(output, 'run.lock')), waiting);
    expect(service.requestCount()).toBe(sent);
  });
});
