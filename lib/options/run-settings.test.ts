import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Settings } from '../run/settings.js';
import { readCommandLine } from './command-line.js';
import { UsageProblem } from '../explain/usage-problem.js';
import { commandLineOptions } from './run-options.js';
import { readOptions, settingsOf, withTarget } from './request.js';

const values = {
  STAGING_BASE_URL: 'http://127.0.0.1:9/v1',
  STAGING_API_KEY: 'staging-key',
  PRODUCTION_BASE_URL: 'https://petstore.example/v1',
  PRODUCTION_API_KEY: 'production-key',
};

const ask = async (...argv: readonly string[]) => {
  const { typed } = readCommandLine(argv, { name: '', options: commandLineOptions });
  return readOptions('test', commandLineOptions, { target: 'reference', ...typed }, { values });
};
const settings = async (...argv: readonly string[]): Promise<Omit<Settings, 'target'>> =>
  settingsOf(await ask(...argv));

describe('the settings of a run', () => {
  test('are, without options, those of a standard run that chooses its own folder', async () => {
    const { seed, ...others } = await settings();
    expect(others).toMatchObject({
      profile: 'standard',
      limits: 'none',
      only: [],
      except: [],
      strict: false,
      directory: undefined,
      command: 'npm test -- --target=reference',
    });
    expect(seed).toBeGreaterThanOrEqual(0);
  });

  test('are what the options say', async () => {
    const description = join(import.meta.dirname, 'request.ts');
    const given = ['--only=AUTH', '--except=AUTH-02', '--strict', '--seed=9', '--max-requests=40'];
    expect(await settings(...given, `--description=${description}`, '--output=out')).toMatchObject({
      only: ['AUTH'],
      except: ['AUTH-02'],
      strict: true,
      seed: 9,
      maxRequests: 40,
      description,
      directory: resolve('out'),
    });
  });

  test('include the limits of production only if that is allowed', async () => {
    expect((await settings('--target=production', '--limits=minute', '--allow-load')).limits).toBe('minute');
    await expect(settings('--target=production', '--limits=minute')).rejects.toThrow('--allow-load');
  });

  test.each([
    [['--observe-ban=key'], '--observe-ban needs --limits: minute or day'],
    [['--limits=minute', '--resume=run'], '--resume needs --limits: day'],
    [
      ['--description=missing.yaml'],
      '--description must be a file that exists, or an address; got "missing.yaml"',
    ],
    [['--description=ftp://host'], 'must be a file that exists, or an address; got "ftp://host"'],
    [['--only=AUTH', '--except=AUTH'], 'nothing is left to judge: not selected (--except)'],
    [['--only=LIMIT-01'], 'nothing is left to judge: limits are tried with --limits=minute'],
    [['--only=DESC'], 'nothing is left to judge: no interface description was given'],
    [['--only=AUT'], '--only must be the name of a requirement; got "AUT". Did you mean AUTH?'],
  ])('%j is a usage problem: %s', async (argv, message) => {
    await expect(settings(...argv)).rejects.toThrow(UsageProblem);
    await expect(settings(...argv)).rejects.toThrow(message);
  });
});

test('the target is the one that was given, or the reference service while it is used', async () => {
  await withTarget(await ask('--target=staging'), async ({ name }) => expect(name).toBe('staging'));
  const url = await withTarget(
    await ask('--plan=free', '--read-only'),
    async ({ baseUrl, plan, readOnly }) => {
      expect({ plan: plan.name, readOnly }).toEqual({ plan: 'free', readOnly: true });
      expect((await fetch(`${baseUrl}/pets`)).status).toBe(401);
      return baseUrl;
    },
  );
  await expect(fetch(`${url}/pets`)).rejects.toThrow('fetch failed');
});

describe('source addresses', () => {
  const using = async (...argv: readonly string[]): Promise<readonly string[] | undefined> =>
    withTarget(await ask(...argv), async ({ localAddresses }) => localAddresses);

  test('are those of the target, or of the reference service', async () => {
    const option = '--local-address=127.0.0.1,::1';
    expect(await using('--target=staging', option)).toEqual(['127.0.0.1', '::1']);
    expect(await using(option)).toEqual(['127.0.0.1', '::1']);
  });

  test.each([
    ['--local-address=127.0.0.1,127.0.0.1', 'must not name an address twice'],
    ['--local-address=eth0', 'must be IP addresses of this machine'],
  ])('%s is an error that says why', async (option, message) => {
    await expect(async () => using(option)).rejects.toThrow(message);
  });

  test('have no effect through a proxy', async () => {
    const proxied = {
      FAR_BASE_URL: 'http://target.example/v1',
      FAR_API_KEY: 'a-key-of-some-length',
      HTTP_PROXY: 'http://127.0.0.1:9',
    };
    const { typed } = readCommandLine(['--target=far', '--local-address=127.0.0.1'], {
      name: '',
      options: commandLineOptions,
    });
    const reading = readOptions('test', commandLineOptions, typed, { values: proxied });
    await expect(reading).rejects.toThrow('no effect through a proxy');
  });
});
