import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';
import { serveReference } from '../lib/reference/serve.js';
import { runRecordSchema } from '../lib/evidence/record/record.js';

const published = fileURLToPath(new URL('../dist/scripts/petstore-conformance.js', import.meta.url));
/** For what never comes. */
const waiting = { timeout: 120_000 };
const key = { key: 'key-of-a-slow-plan-1', perMinute: 5, perDay: 1_000 };

it('a run ends with its record once the shell has ended that npm has started it in, as after SIGTERM', async () => {
  const service = await serveReference({ keys: [key] });
  const output = mkdtempSync(join(tmpdir(), 'petstore-starter-'));
  const run = `"${process.execPath}" "${published}" --base-url=${service.baseUrl} --plan=free --report=none --output=${output}`;
  try {
    const shell = spawn('sh', ['-c', `${run}; :`], {
      env: { PATH: process.env['PATH'], npm_command: 'test', PETSTORE_API_KEY: key.key },
      stdio: 'ignore',
    });
    // The requests of a window are used up: the run waits.
    await vi.waitUntil(() => service.requestCount() >= 5, waiting);
    shell.kill();
    await vi.waitUntil(() => existsSync(join(output, 'manifest.json')), waiting);
    const record = runRecordSchema.parse(JSON.parse(readFileSync(join(output, 'report.json'), 'utf8')));
    expect(record.run).toMatchObject({ complete: false, stopped: 'the run was interrupted' });
  } finally {
    await service.close();
    rmSync(output, { recursive: true, force: true });
  }
});

it('a machine that has too few file descriptors ends the run, and accuses nobody', async () => {
  const service = await serveReference({ keys: [{ key: key.key, perMinute: 1_000, perDay: 100_000 }] });
  const folder = mkdtempSync(join(tmpdir(), 'petstore-descriptors-'));
  const run = `ulimit -n 26; "${process.execPath}" "${published}" --base-url=${service.baseUrl} --plan=business --report=none --output=${folder}`;
  try {
    const env = { PATH: process.env['PATH'], PETSTORE_API_KEY: key.key };
    const { code, stdout } = await new Promise<{ code: unknown; stdout: string }>((resolve) => {
      execFile('sh', ['-c', run], { env }, (error, stdout) => resolve({ code: error?.code, stdout }));
    });
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('lets no more files be opened: raise ulimit -n');
    expect(stdout).not.toContain('✗');
    expect(code).toBe(3);
  } finally {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

it.each([
  ['has no room for what is printed', 'list > /dev/full', 3, 'what it printed could not be written (ENOSPC)'],
  ['has lost the working directory', '--only=AUTH-01', 2, 'the working directory does not exist any more'],
])('a machine that %s ends a command with one line', async (_, args, expected, line) => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-surroundings-'));
  const run = `rmdir "${folder}"; exec "${process.execPath}" "${published}" ${args}`;
  const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
    execFile('sh', ['-c', run], { cwd: folder }, (error, _stdout, stderr) =>
      resolve({ code: error?.code, stderr }),
    );
  });
  expect({ code, stderr }).toEqual({ code: expected, stderr: `petstore-conformance: ${line}\n` });
});
