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
  type RunProgress,
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

  test('calls onProgress for each verdict and each request', async () => {
    const events: RunProgress[] = [];
    const record = await runConformance(
      given({ only: ['AUTH-01', 'ERR'], onProgress: (progress) => events.push(progress) }),
    );
    expect(events.filter(({ kind }) => kind === 'judged')).toHaveLength(6);
    expect(events.filter(({ kind }) => kind === 'sent')).toHaveLength(record.requests.sent);
  });

  test('calls onProgress when it waits for the limit', async () => {
    const small = await serveReference({ keys: [{ key: apiKey, perMinute: 3, perDay: 100_000 }] });
    const controller = new AbortController();
    const waits: RunProgress[] = [];
    try {
      const record = await runConformance({
        baseUrl: small.baseUrl,
        apiKey,
        signal: controller.signal,
        onProgress: (progress) => {
          if (progress.kind !== 'waiting') return;
          waits.push(progress);
          controller.abort();
        },
      });
      expect(record.run.complete).toBe(false);
    } finally {
      await small.close();
    }
    expect(waits[0]).toMatchObject({
      kind: 'waiting',
      until: expect.any(Number),
      reason: expect.stringMatching(/./),
    });
  });

  test('ends at its signal, with the record of what was done', async () => {
    const controller = new AbortController();
    const record = await runConformance(
      given({
        signal: controller.signal,
        onProgress: (progress) => {
          if (progress.kind === 'judged') controller.abort();
        },
      }),
    );
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
  const wrong: ReadonlyArray<readonly [what: string, options: object, message: string]> = [
    ['an unknown one', { baseURL: 'http://127.0.0.1/v1' }, 'unknown option baseURL. Did you mean baseUrl?'],
    ['one of another type', { seed: '7' }, 'seed must be a whole number'],
    ['no object at all', [], 'the options must be an object'],
    ['an address that is none', { baseUrl: 'petstore', apiKey: 'x' }, 'baseUrl is not a valid URL'],
    ['an address without a key', { baseUrl: 'http://127.0.0.1:9/v1' }, 'baseUrl needs a key: set apiKey'],
    ['a key without an address', { apiKey: 'x' }, 'apiKey needs baseUrl'],
    ['an unknown plan', { plan: 'gold' }, 'plan must be one of free, pro, business, enterprise; got "gold"'],
    [
      'Enterprise without its figures',
      { baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'x', plan: 'enterprise' },
      'the enterprise plan has no limits of its own: set perMinute and perDay',
    ],
    ['an unknown requirement', { only: ['AUHT'] }, 'Did you mean AUTH?'],
    ['a seed below zero', { seed: -1 }, 'seed must be a whole number from 0 to 2147483647; got -1'],
    [
      'a fraction of a request',
      { maxRequests: 1.5 },
      'maxRequests must be a whole number from 1 to 10000000; got 1.5',
    ],
    ['a category beyond int64', { categoryId: 2n ** 63n }, 'categoryId must be a 64-bit integer'],
    [
      'any certificate of another host',
      { baseUrl: 'https://example.org/v1', apiKey: 'x', insecure: true },
      'insecure is for loopback targets only: set ca instead',
    ],
    [
      'keys of plans without limits',
      { ...nowhere, planKeys: { free: { apiKey: 'f' } } },
      'planKeys needs limits: minute or day',
    ],
    [
      'an Enterprise key without figures',
      { ...nowhere, limits: 'minute', planKeys: { enterprise: { apiKey: 'e', perMinute: 5 } } },
      'set planKeys.enterprise.perMinute and planKeys.enterprise.perDay',
    ],
    [
      'a key for two plans',
      { ...nowhere, limits: 'minute', planKeys: { free: { apiKey: 'f' }, pro: { apiKey: 'f' } } },
      'is the key of another plan, too',
    ],
    [
      'a key to be banned without limits',
      { ...nowhere, observeBanKey: 'b' },
      'observeBanKey needs limits: minute or day',
    ],
    [
      'a second key that is the first',
      { ...nowhere, apiKey: 'the-same-key', otherApiKey: 'the-same-key' },
      'otherApiKey and apiKey hold the same key: otherApiKey needs a key of its own',
    ],
    [
      'a key to be banned that a plan needs',
      {
        ...nowhere,
        apiKey: 'of-the-target',
        limits: 'minute',
        planKeys: { pro: { apiKey: 'of-pro-and-banned' } },
        observeBanKey: 'of-pro-and-banned',
      },
      'PETSTORE_PRO_API_KEY hold the same key',
    ],
    [
      'a run to go on with that is none',
      { ...nowhere, limits: 'day', resume: '/nowhere' },
      'resume: /nowhere is not the folder of a run',
    ],
    ['a deadline of nothing', { deadlineMs: 0 }, 'deadlineMs must be a time from 1ms to 10m'],
  ];

  test.each(wrong)('%s is a usage problem of one line, and nothing is sent', async (_, options, message) => {
    const before = service.requestCount();
    const problem: unknown = await runConformance(options).catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(UsageProblem);
    expect(String(problem)).toContain(message);
    expect(String(problem)).not.toContain('\n');
    expect(service.requestCount()).toBe(before);
  });

  test('an output that is no folder is an output problem, and nothing is sent', async () => {
    const before = service.requestCount();
    writeFileSync(join(folder, 'file'), '');
    const problem = runConformance(given({ output: join(folder, 'file', 'run') }));
    await expect(problem).rejects.toBeInstanceOf(OutputProblem);
    expect(service.requestCount()).toBe(before);
  });
});
