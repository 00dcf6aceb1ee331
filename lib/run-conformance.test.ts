import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  catalogue,
  exitCode,
  OutputProblem,
  runConformance,
  runRecordSchema,
  UsageProblem,
  type RunConformanceOptions,
} from './index.js';
import { serveReference, type ReferenceService } from './reference/serve.js';
import { referenceKeys } from './reference/keys.js';

const apiKey = referenceKeys.business.key;
let service: ReferenceService;
let folder: string;

beforeAll(async () => {
  service = await serveReference();
});
afterAll(async () => service.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-program-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function given(options: RunConformanceOptions): RunConformanceOptions {
  return { baseUrl: service.baseUrl, apiKey, plan: 'business', ...options };
}

describe('runConformance', () => {
  test('without options judges the embedded reference service, and it conforms', async () => {
    const record = await runConformance();
    expect(record.verdict).toBe('conformant');
    expect(record.target.name).toBe('reference');
    expect(record.requirements.map(({ id }) => id)).toEqual(catalogue.map(({ id }) => id));
    expect(runRecordSchema.parse(record)).toEqual(record);
    expect(exitCode(record)).toBe(0);
  });

  test('judges what it is asked to, and tells the command that asks the same, without the key', async () => {
    const record = await runConformance(
      given({ only: ['AUTH-01', 'PET'], seed: 7, profile: 'quick', strict: true }),
    );
    const judged = record.requirements.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
    expect(judged).toEqual(['AUTH-01', 'PET-01', 'PET-02']);
    expect(record).toMatchObject({
      verdict: 'partial',
      run: { seed: 7, profile: 'quick', strict: true, complete: true },
    });
    expect(record.run.command).toBe(
      `npx petstore-conformance --base-url=${service.baseUrl} --api-key=*** --plan=business --profile=quick --only=AUTH-01,PET --strict --seed=7`,
    );
    expect(JSON.stringify(record)).not.toContain(apiKey);
  });

  test('writes files only to the output that it is given', async () => {
    const output = join(folder, 'run');
    const record = await runConformance(given({ only: ['GET-02'], output }));
    expect(JSON.parse(readFileSync(join(output, 'report.json'), 'utf8'))).toEqual(record);
    expect(existsSync(join(output, 'exchanges.jsonl'))).toBe(true);
  });

  test('creates nothing read-only, and keeps within its requests', async () => {
    const before = service.animals().length;
    const record = await runConformance(given({ readOnly: true, maxRequests: 9 }));
    expect(service.animals()).toHaveLength(before);
    expect(record.requests.sent).toBeLessThanOrEqual(9);
    expect(record.target.readOnly).toBe(true);
  });

  test('uses the category that a service accepts', async () => {
    const record = await runConformance(
      given({ only: ['CREATE-02'], categoryId: 9007199254740993n, output: folder }),
    );
    expect(record.requirements.find(({ id }) => id === 'CREATE-02')?.verdict).toBe('pass');
    expect(readFileSync(join(folder, 'exchanges.jsonl'), 'utf8')).toContain('9007199254740993');
  });

  test('ends at its signal, with the record of what was done', async () => {
    const small = await serveReference({ keys: [{ key: apiKey, perMinute: 3, perDay: 100_000 }] });
    const controller = new AbortController();
    // It waits for the next minute by then.
    setTimeout(() => controller.abort(), 300);
    const record = await runConformance({ baseUrl: small.baseUrl, apiKey, signal: controller.signal });
    await small.close();
    expect(record.run).toMatchObject({ complete: false, stopped: 'the run was interrupted' });
    expect(exitCode(record)).toBe(3);
  });

  test('may run twice at the same time', async () => {
    const options = given({ only: ['GET', 'LIST-01'], seed: 3 });
    const records = await Promise.all([runConformance(options), runConformance(options)]);
    expect(records.map(({ verdict }) => verdict)).toEqual(['partial', 'partial']);
  });
});

describe('an option that can not be', () => {
  const nowhere = { baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'key-of-nobody' };
  const wrong: ReadonlyArray<readonly [options: object, message: string]> = [
    [{ baseURL: 'http://127.0.0.1/v1' }, 'unknown option baseURL. Did you mean baseUrl?'],
    [{ seed: 'seven' }, 'seed must be a whole number from 0 to 2147483647; got "seven"'],
    [{ baseUrl: 'http://127.0.0.1:9/v1' }, 'baseUrl needs a key: set apiKey'],
    [{ ...nowhere, plan: 'enterprise' }, 'no limits of its own: set perMinute and perDay'],
    [{ only: ['AUHT'] }, 'Did you mean AUTH?'],
    [{ ...nowhere, observeBanKey: 'b' }, 'observeBanKey needs limits: minute or day'],
    [
      { ...nowhere, otherApiKey: 'key-of-nobody' },
      'otherApiKey and apiKey hold the same key: otherApiKey needs a key of its own',
    ],
    [
      { ...nowhere, limits: 'minute', otherApiKey: 'of-two-callers', observeBanKey: 'of-two-callers' },
      'otherApiKey and observeBanKey hold the same key',
    ],
    [
      { ...nowhere, limits: 'day', resume: '/nowhere' },
      "--resume: /nowhere/report.json can't be read as a run's record",
    ],
  ];

  test.each(wrong)('%j is a usage problem of one line: %s', async (options, message) => {
    const problem: unknown = await runConformance(options).catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(UsageProblem);
    expect(String(problem)).toContain(message);
    expect(String(problem)).not.toContain('\n');
  });

  test('an output that is no folder is an output problem, and nothing is sent', async () => {
    const before = service.requestCount();
    writeFileSync(join(folder, 'file'), '');
    const problem = runConformance(given({ output: join(folder, 'file', 'run') }));
    await expect(problem).rejects.toBeInstanceOf(OutputProblem);
    expect(service.requestCount()).toBe(before);
  });
});
