import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveReference, type ReferenceService } from '../lib/reference/serve.js';
import { runRecordSchema } from '../lib/record/record.js';
import { start } from './testing/program.js';

const key = 'marked-key-of-the-test-7';
const shortKey = 'rex7';
let folder: string;
let service: ReferenceService;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-keys-'));
  const limits = { perMinute: 100_000, perDay: 1_000_000 };
  service = await serveReference({ keys: [key, shortKey].map((one) => ({ key: one, ...limits })) });
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

function conformance(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const all = [`--base-url=${service.baseUrl}`, '--only=AUTH-04', '--report=none', ...args];
  return start('conformance', all, { folder, environment });
}

it('a key is read from standard input', async () => {
  const started = conformance(['--api-key-file=-', '--output=input']);
  started.process.stdin.end(`${key}\n`);
  expect(await started.ended).toMatchObject({ code: 0, stderr: '' });
});

it('a key of fewer than eight characters is refused, or accepted with a note in the record', async () => {
  const refused = await conformance([], { PETSTORE_API_KEY: shortKey }).ended;
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(/PETSTORE_API_KEY has 4 characters.*add --accept-short-key/);

  const given = [`--api-key=${shortKey}`, '--accept-short-key', '--output=short'];
  const accepted = await conformance(given, { npm_lifecycle_event: 'test' }).ended;
  expect(accepted.code).toBe(0);
  const record = runRecordSchema.parse(
    JSON.parse(readFileSync(join(folder, 'short', 'report.json'), 'utf8')),
  );
  expect(record.notes).toEqual([expect.stringContaining('The key has 4 characters')]);
  // npm has printed the command line.
  expect(accepted.stderr).toContain('use PETSTORE_API_KEY or --api-key-file');
});
