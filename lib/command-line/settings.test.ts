import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { plans } from '../specification/plans.js';
import { parseCommandLine } from './parse.js';
import { readRequest, type Request } from './settings.js';
import { UsageProblem } from '../usage/usage-problem.js';

const values = {
  STAGING_BASE_URL: 'http://127.0.0.1:9/v1',
  STAGING_API_KEY: 'staging-key',
  STAGING_PRO_API_KEY: 'pro-key',
  PRODUCTION_BASE_URL: 'https://petstore.example/v1',
  PRODUCTION_API_KEY: 'production-key',
  PETSTORE_OTHER_API_KEY: 'second-key',
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-settings-'));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

function read(...argv: readonly string[]): Request {
  return readRequest(parseCommandLine(argv), { values, hasFile: true }, folder);
}

describe('what is asked for', () => {
  test('is, without options, a standard run against the reference service', () => {
    const { settings, ...request } = read();
    expect(request).toEqual({
      target: undefined,
      reference: { plan: undefined, readOnly: false },
      dryRun: false,
      waivers: undefined,
      reports: undefined,
    });
    expect(settings).toMatchObject({
      profile: 'standard',
      limits: 'none',
      only: [],
      except: [],
      strict: false,
    });
    expect(settings.seed).toBeGreaterThanOrEqual(0);
    expect(settings.maximumRequests).toBeUndefined();
  });

  test('is what the options say', () => {
    writeFileSync(join(folder, 'openapi.yaml'), '');
    const options = [
      '--target=staging',
      '--profile=quick',
      '--only=AUTH',
      '--except=AUTH-02',
      '--strict',
      '--seed=9',
      '--max-requests=40',
    ];
    const { settings, ...request } = read(
      ...options,
      '--description=openapi.yaml',
      '--output=out',
      '--report=junit',
      '--waivers=w.yaml',
      '--dry-run',
    );
    expect(request).toMatchObject({
      target: { name: 'staging' },
      reports: 'junit',
      waivers: 'w.yaml',
      dryRun: true,
    });
    expect(settings).toMatchObject({
      profile: 'quick',
      only: ['AUTH'],
      except: ['AUTH-02'],
      strict: true,
      seed: 9,
      maximumRequests: 40,
      description: join(folder, 'openapi.yaml'),
      directory: join(folder, 'out'),
    });
  });

  test('may be the reference service with the key of another plan', () => {
    expect(read('--plan=free').reference?.plan).toBe('free');
  });

  test('may be only to read the reference service', () => {
    expect(read('--read-only').reference?.readOnly).toBe(true);
  });

  test('may be several plans, each with its own key', () => {
    const { settings } = read('--target=staging', '--limits=minute', '--plans=pro');
    expect(settings.planKeys).toEqual([
      { plan: plans.pro, apiKey: 'pro-key', variable: 'STAGING_PRO_API_KEY' },
    ]);
  });

  test('may be several plans of a target on the spot', () => {
    const target = ['--base-url=http://127.0.0.1:9/v1', '--api-key=k', '--limits=minute', '--plans=free'];
    expect(() => read(...target)).toThrow('set PETSTORE_FREE_API_KEY');
  });

  test('sends a second key only to the target that it belongs to', () => {
    expect(read('--target=staging').target?.otherApiKey).toBeUndefined();
    expect(read('--base-url=http://127.0.0.1:9/v1', '--api-key=k').target?.otherApiKey).toBe('second-key');
  });

  test('is shown as a command that a shell takes', () => {
    const { settings } = read('--only= AUTH-01 , list-02', '-t', "an owner's name", '--output=out/a_b-1');
    expect(settings.command).toBe(
      String.raw`petstore-conformance --only=' AUTH-01 , list-02' --output=out/a_b-1 -t 'an owner'\''s name'`,
    );
  });

  test('is shown as a command without any key', () => {
    const { settings } = read(
      '--base-url=http://127.0.0.1:9/v1',
      '--api-key=first',
      '--other-api-key=second',
      '--strict',
      '--limits=minute',
      '--observe-ban=third',
      '-t',
      'AUTH',
    );
    expect(settings.command).toBe(
      'petstore-conformance --base-url=http://127.0.0.1:9/v1 --api-key=*** --other-api-key=*** --strict --limits=minute --observe-ban=*** -t AUTH',
    );
  });
});

describe('the folder of a run', () => {
  test('tells its time and its target', () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 8, 30, 5), toFake: ['Date'] });
    const first = join(folder, 'reports', 'runs', '2026-11-21T08-30-05-staging');
    expect(read('--target=staging').settings.directory).toBe(first);
  });

  test('stays within reports/runs, whatever the target is called', () => {
    const odd = { ___X_BASE_URL: 'http://127.0.0.1:9/v1', ___X_API_KEY: 'k' };
    const line = parseCommandLine(['--target=../../x']);
    const { directory } = readRequest(
      line,
      { values: { ...odd, _X_BASE_URL: odd.___X_BASE_URL, _X_API_KEY: 'k' }, hasFile: true },
      folder,
    ).settings;
    expect(directory?.startsWith(join(folder, 'reports', 'runs', '2'))).toBe(true);
  });

  test('is not made by asking', () => {
    read('--target=staging', '--output=out');
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('what can not be asked for is a usage problem:', () => {
  test.each([
    [['--profile=fast'], '--profile is to be one of quick, standard, thorough'],
    [['--limits=hour'], '--limits is to be one of none, minute, day'],
    [['--seed=-1'], '--seed is to be a whole number from 0'],
    [['--seed=2147483648'], '--seed is to be a whole number from 0 to 2147483647'],
    [['--max-requests=0'], '--max-requests is to be a whole number from 1'],
    [['--plan=gold'], '--plan is to be one of'],
    [['--read-only', '--allow-writes'], 'contradict each other'],
    [['--target=production', '--limits=minute'], '--allow-load'],
    [['--plans=free'], '--plans goes with --limits'],
    [['--limits=minute', '--plans=gold'], '--plans is to be one of'],
    [['--target=staging', '--limits=minute', '--plans=free'], 'set STAGING_FREE_API_KEY'],
    [['--observe-ban=key'], '--observe-ban goes with --limits'],
    [['--resume=run'], '--resume goes with --limits=day'],
    [['--description=missing.yaml'], 'there is no file'],
    [['--description=http://'], 'an address over http or https, not http://'],
    [['--only=AUTH', '--except=AUTH'], 'nothing is left to judge: --except leaves out all that --only names'],
    [['--only=LIMIT-01'], 'nothing is left to judge: limits are tried with --limits=minute'],
    [['--only=DESC'], 'nothing is left to judge: no interface description was given'],
  ])('%j', (argv, message) => {
    expect(() => read(...argv)).toThrow(UsageProblem);
    expect(() => read(...argv)).toThrow(message);
  });

  test('production takes load where it is allowed', () => {
    expect(read('--target=production', '--limits=minute', '--allow-load').settings.limits).toBe('minute');
  });
});
