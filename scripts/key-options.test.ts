import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveReference, type ReferenceService } from '../lib/reference/serve.js';
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

describe('a key', () => {
  it('of fewer than eight characters is refused, or accepted if the user says so', async () => {
    const environment = { PETSTORE_API_KEY: shortKey };
    const [refused, accepted] = await Promise.all([
      conformance([], environment).ended,
      conformance(['--accept-short-key', '--output=short'], environment).ended,
    ]);
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('PETSTORE_API_KEY has 4 characters'),
    });
    expect(refused.stderr).toContain('add --accept-short-key');
    expect(accepted.code).toBe(0);
  });
});
