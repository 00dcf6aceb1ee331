import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plans } from '../specification/plan.js';
import { readCommandLine } from './command-line.js';
import { UsageProblem } from '../explain/usage-problem.js';
import { commandLineOptions } from './run-options.js';
import { readOptions } from './request.js';
import { readSources, settingsIn, settingsName, type Settings } from './sources.js';

type Values = Readonly<Record<string, string>>;

async function read(argv: readonly string[], values: Values = {}, settings?: Settings) {
  const { typed } = readCommandLine(argv, { name: '', options: commandLineOptions });
  return readOptions('test', commandLineOptions, typed, { values, settings });
}

const local = 'http://127.0.0.1:9/v1';
const staging: Values = { STAGING_BASE_URL: 'https://staging.example/v1', STAGING_API_KEY: 'staging-key' };
const enterprise: Values = { STAGING_PLAN: 'enterprise', STAGING_PER_MINUTE: '5', STAGING_PER_DAY: '50' };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-options-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a target', () => {
  test('is the embedded reference service if none is named', async () => {
    expect((await read([])).target).toBeUndefined();
    expect(await read(['--target=Reference', '--plan=free', '--read-only'])).toMatchObject({
      target: undefined,
      values: { plan: 'free', readOnly: true },
    });
  });

  test('that is configured under any name and not named is asked for: a self-check would be green', async () => {
    const settings = await settingsIn(`targets: { here: { baseUrl: "${local}" } }`);
    await expect(read([], staging, settings)).rejects.toThrow(
      'no target is named, but there are some (here, staging): add --target=here, or --target=reference for a self-check',
    );
    await expect(read([], { PETSTORE_BASE_URL: local })).rejects.toThrow('add --target=petstore, or');
    expect((await read(['--target=reference'], staging, settings)).target).toBeUndefined();
    expect((await read([], { STAGING_API_KEY: 'k', STAGING_BASE_URL: '' })).target).toBeUndefined();
  });

  test('given by its URL has the variables of PETSTORE', async () => {
    const values = {
      PETSTORE_API_KEY: ' key ',
      PETSTORE_PLAN: 'Pro',
      PETSTORE_OTHER_API_KEY: 'other',
      PETSTORE_CATEGORY_ID: '-7',
    };
    expect((await read(['--base-url=http://127.0.0.1:8080/v1//'], values)).target).toMatchObject({
      name: 'target',
      baseUrl: 'http://127.0.0.1:8080/v1',
      apiKey: 'key',
      plan: plans.pro,
      planGiven: true,
      otherApiKey: 'other',
      categoryId: -7n,
    });
    expect((await read([`--base-url=${local}`, '--api-key=typed'], values)).target?.apiKey).toBe('typed');
  });

  test('of the environment has variables of its own, and none of another', async () => {
    const values = { ...staging, PETSTORE_OTHER_API_KEY: 'other', STAGING_DEADLINE_MS: '250' };
    expect((await read(['--target=Staging'], values)).target).toMatchObject({
      name: 'staging',
      baseUrl: 'https://staging.example/v1',
      apiKey: 'staging-key',
      plan: plans.free,
      planGiven: false,
      otherApiKey: undefined,
      deadlineMs: 250,
    });
  });

  test('is what the command line says rather than what the environment says', async () => {
    const values = { ...staging, ...enterprise };
    const planOf = async (...argv: string[]) =>
      (await read(['--target=staging', ...argv], values)).target?.plan;
    expect(await planOf()).toEqual({ name: 'enterprise', perMinute: 5, perDay: 50 });
    expect(await planOf('--per-minute=7')).toEqual({ name: 'enterprise', perMinute: 7, perDay: 50 });
    expect(await planOf('--plan=business')).toEqual(plans.business);
    expect(await planOf('--plan=enterprise')).toEqual({ name: 'enterprise', perMinute: 5, perDay: 50 });
  });

  test('of production is only read unless writes are allowed', async () => {
    const values = { LIVE_EU_BASE_URL: 'https://petstore.example/v1', LIVE_EU_API_KEY: 'k' };
    const readOnly = async (...argv: string[]) =>
      (await read(argv, { ...values, ...staging })).target?.readOnly;
    expect(await readOnly('--target=Live-EU')).toBe(true);
    expect(await readOnly('--target=live_eu', '--allow-writes')).toBe(false);
    expect(await readOnly('--target=staging', '--read-only')).toBe(true);
    expect(await readOnly('--target=staging')).toBe(false);
  });

  test('may have a CA certificate in a file', async () => {
    const file = join(folder, 'ca.pem');
    const pem = '-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n';
    writeFileSync(file, pem);
    expect((await read(['--target=staging', `--ca=${file}`], staging)).target?.ca).toBe(pem);
    expect((await read(['--target=staging'], { ...staging, STAGING_CA: file })).target?.ca).toBe(pem);
  });
});

describe('a key', () => {
  test('is read from a file, or from the file that the environment names', async () => {
    const path = join(folder, 'key');
    writeFileSync(path, 'key-in-a-file\n');
    const key = async (argv: readonly string[], values: Values = {}) =>
      (await read([`--base-url=${local}`, ...argv], values)).target?.apiKey;
    expect(await key([`--api-key-file=${path}`])).toBe('key-in-a-file');
    expect(await key([], { PETSTORE_API_KEY_FILE: path })).toBe('key-in-a-file');
    // What is typed comes before what the environment says.
    expect(await key([`--api-key-file=${path}`], { PETSTORE_API_KEY: 'another-key-1' })).toBe(
      'key-in-a-file',
    );
    expect(await key(['--api-key=another-key-1'], { PETSTORE_API_KEY_FILE: path })).toBe('another-key-1');
  });

  test('is what a command prints, and a curl line runs the command again', async () => {
    const { target } = await read([`--base-url=${local}`, '--api-key-command=echo key-of-a-command']);
    expect(target).toMatchObject({
      apiKey: 'key-of-a-command',
      keyName: { shell: '$(echo key-of-a-command)' },
    });
    const values = { STAGING_BASE_URL: local, STAGING_API_KEY_COMMAND: 'echo key-of-a-command' };
    expect((await read(['--target=staging'], values)).target?.apiKey).toBe('key-of-a-command');
  });
});

test('further headers are sent, and one that may be a credential is shown nowhere', async () => {
  const argv = ['--header=X-Tenant: a', '--header=X-Session: b', `--base-url=${local}`, '--api-key=k'];
  const { target, command } = await read(argv);
  expect(target).toMatchObject({
    headers: [
      ['X-Tenant', 'a'],
      ['X-Session', 'b'],
    ],
    secretHeaders: [['X-Session', 'b']],
  });
  expect(command).toContain("--header='X-Tenant: a' --header=***");
});

describe('a command that sends a request again names the key', () => {
  const nameOfKey = async (argv: readonly string[], values: Values = {}) =>
    (await read(argv, values)).target?.keyName;

  test('by the variable that holds it', async () => {
    expect(await nameOfKey(['--target=staging'], staging)).toEqual({ variable: 'STAGING_API_KEY' });
    expect(await nameOfKey([`--base-url=${local}`], { PETSTORE_API_KEY: 'a-key' })).toEqual({
      variable: 'PETSTORE_API_KEY',
    });
  });

  test('by its file', async () => {
    const path = join(folder, "the owner's key");
    writeFileSync(path, 'key-in-a-file\n');
    const { target } = await read([`--base-url=${local}`, `--api-key-file=${path}`]);
    expect(target?.keyName?.shell).toBe(`$(cat '${path.replace("'", String.raw`'\''`)}')`);
    expect(target?.optionNames?.apiKey).toBe('--api-key-file');
  });

  test('by the usual variable if it was typed', async () => {
    expect(await nameOfKey([`--base-url=${local}`, '--api-key=typed-key'])).toBeUndefined();
  });
});

describe('the settings of the folder', () => {
  const content = `
target: Staging
profile: quick
plan: pro
report: [junit]
targets:
  Staging: { baseUrl: 'https://file.example/v1', plan: business, deadlineMs: 5s }
  local: { baseUrl: '${local}', wait: 30s, start: npm start }
  petstore: { baseUrl: '${local}', start: npm start }
`;
  const own = { STAGING_API_KEY: 'k', LOCAL_API_KEY: 'k', PETSTORE_API_KEY: 'k' };
  let settings: Settings;
  beforeAll(async () => {
    settings = await settingsIn(content);
  });
  const readWith = async (argv: string[], values: Values = {}) => read(argv, { ...own, ...values }, settings);

  test('name a target, and say what no option and no variable says', async () => {
    expect(await readWith([])).toMatchObject({
      values: { profile: 'quick', report: ['junit'] },
      target: {
        name: 'staging',
        baseUrl: 'https://file.example/v1',
        plan: { name: 'business' },
        deadlineMs: 5_000,
      },
    });
    expect(await readWith(['--target=local'])).toMatchObject({
      values: { start: 'npm start', wait: 30_000 },
      target: { plan: { name: 'pro' } },
    });
    const values = { STAGING_PLAN: 'free', STAGING_BASE_URL: 'https://variable.example/v1' };
    expect(await readWith(['--profile=thorough'], values)).toMatchObject({
      values: { profile: 'thorough' },
      target: { baseUrl: 'https://variable.example/v1', plan: { name: 'free' } },
    });
    expect((await readWith(['--plan=free'])).target?.plan.name).toBe('free');
  });

  test('say nothing of the target of another address, and of the embedded reference service', async () => {
    expect((await readWith([`--base-url=${local}`])).values).not.toHaveProperty('start');
    expect(await readWith(['--target=reference'])).toMatchObject({
      target: undefined,
      values: { profile: 'quick' },
    });
  });

  test.each([
    ['profil: quick', /: unknown option profil. Did you mean profile\?$/],
    [`targets: { a: { baseURL: "${local}" } }`, 'unknown option targets.a.baseURL.'],
    ['plan: gold', 'plan must be one of free'],
    [
      `target: a\ntargets: { a: { baseUrl: "${local}" } }`,
      `targets.a.baseUrl in ${settingsName} needs a key`,
    ],
    ['target: b', 'the target b is not configured'],
    ['a: [', /: not valid YAML: .* in line \d+$/],
    ['- a', 'the options must be an object'],
    ['plan: pro\n---\nplan: free', 'more than one document'],
    // No message repeats a key.
    ['targets: { a: { apiKey: of-ours } }', /: unknown option targets.a.apiKey\.(?!.*of-ours)/],
    ['observeBanKey: of-ours', /: unknown option observeBanKey\.(?!.*of-ours)/],
  ])('are refused if they are wrong: %j', async (text, message) => {
    await expect(async () => read([], own, await settingsIn(text))).rejects.toThrow(message);
  });

  test('are read from the folder, and named in the message for what is wrong with them', async () => {
    expect((await readSources(folder)).settings).toBeUndefined();
    writeFileSync(join(folder, settingsName), '# plan: pro\n');
    expect((await readSources(folder)).settings).toEqual({});
    writeFileSync(join(folder, settingsName), 'profile: slow');
    await expect(readSources(folder)).rejects.toThrow(`${settingsName}: profile must be one of`);
  });
});

describe('a mistake is one line that says where it is:', () => {
  const spot = [`--base-url=${local}`, '--api-key=k'];
  const named = ['--target=staging'];
  const wrong: ReadonlyArray<readonly [argv: readonly string[], values: Values, message: string]> = [
    [
      ['--target=stage'],
      { EU_BASE_URL: local },
      'known are eu, reference. Set STAGE_BASE_URL in the environment or in .env, or',
    ],
    [['--target=stagin'], staging, 'Did you mean staging?'],
    [['--target=refrence'], {}, 'Did you mean reference?'],
    [named, { STAGING_BASE_URL: '', STAGING_API_KEY: 'k' }, 'Set STAGING_BASE_URL'],
    [named, { STAGING_BASE_URL: local }, 'STAGING_BASE_URL needs a key: set STAGING_API_KEY'],
    [[`--base-url=${local}`], {}, '--base-url needs a key: set PETSTORE_API_KEY'],
    [['--api-key=k'], {}, '--api-key needs --base-url'],
    [['--target=reference', '--per-minute=5'], {}, '--per-minute needs --base-url'],
    [[...spot, '--target=staging'], staging, 'two targets'],
    [['--base-url=localhost:8080/v1'], {}, '--base-url is not a valid URL: expected http://host/v1'],
    [['--watch=/missing'], {}, '--watch must be a file or folder that exists; got "/missing"'],
    [['--base-url=petstore'], {}, '--base-url is not a valid URL: expected http://host/v1'],
    [named, { ...staging, STAGING_BASE_URL: 'file:///v1' }, 'STAGING_BASE_URL is not a valid URL'],
    [['--base-url=http://a:b@127.0.0.1/v1'], {}, 'must have no user, password, query or fragment'],
    [['--base-url=http://127.0.0.1/v1?a=b'], {}, 'must have no user, password, query or fragment'],
    [[`--base-url=${local}`, '--api-key=a\nb'], {}, '--api-key must be printable ASCII'],
    [named, { ...staging, STAGING_PLAN: 'gold' }, 'STAGING_PLAN must be one of free, pro, business, ent'],
    [[...spot, '--plan=enterprise', '--per-minute=5'], {}, 'set --per-minute and --per-day'],
    [[...named, '--plan=enterprise'], staging, 'set STAGING_PER_MINUTE and STAGING_PER_DAY'],
    [[...spot, '--plan=free', '--per-minute=5'], {}, '--per-minute needs --plan: enterprise'],
    [named, { ...staging, STAGING_CATEGORY_ID: 'dogs' }, 'STAGING_CATEGORY_ID must be a 64-bit integer'],
    [named, { ...staging, STAGING_DEADLINE_MS: 'soon' }, 'STAGING_DEADLINE_MS must be a time with its unit'],
    [[`--base-url=${local}`, '--api-key-file=nowhere'], {}, "nowhere can't be read (ENOENT)"],
    [[`--base-url=${local}`, '--api-key-file=/dev/null'], {}, 'the key in --api-key-file must be printable'],
    [[...spot, '--api-key-file=key'], {}, '--api-key and --api-key-file both give a key: give one'],
    [[...spot, '--ca=package.json'], {}, '--ca: package.json has no "-----BEGIN CERTIFICATE-----" (PEM)'],
    [named, { ...staging, HTTPS_PROXY: 'ftp://proxy' }, 'HTTPS_PROXY is not'],
    [['--header=Authorization: x'], {}, '--header must not be a header that the suite sends itself'],
    [['--header=X-Tenant'], {}, '--header must be a name and a value (X-Tenant: a)'],
    [[...spot, '--api-key-command=echo k'], {}, '--api-key and --api-key-command both give a key: give one'],
    [[`--base-url=${local}`, '--api-key-command=exit 3'], {}, '--api-key-command: the command failed'],
    [['--bail=1.5'], {}, '--bail must be a whole number'],
  ];

  test.each(wrong)('%j %j: %s', async (argv, values, message) => {
    await expect(read(argv, values)).rejects.toThrow(UsageProblem);
    await expect(read(argv, values)).rejects.toThrow(message);
  });

  test('a key is not repeated', async () => {
    await expect(read([`--base-url=${local}`, '--api-key=se cret'])).rejects.toThrow(/^(?!.*se cret)/);
  });
});
