import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UsageProblem } from '../usage/usage-problem.js';
import { plans } from '../specification/plans.js';
import { knownTargets, resolveTarget, variableOf, type TargetOptions } from './read-target.js';

type Values = Readonly<Record<string, string | undefined>>;

const staging: Values = { STAGING_BASE_URL: 'https://staging.example/v1', STAGING_API_KEY: 'staging-key' };

function resolve(
  options: Partial<TargetOptions>,
  values: Values = {},
  hasFile = true,
): ReturnType<typeof resolveTarget> {
  return resolveTarget(
    { readOnly: false, allowWrites: false, insecure: false, ...options },
    { values, hasFile },
  );
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-target-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a target', () => {
  test('is the embedded reference service where none is named', () => {
    expect(resolve({})).toBeUndefined();
    expect(resolve({ target: 'Reference' })).toBeUndefined();
  });

  test('given on the spot has the variables of PETSTORE', () => {
    const values = {
      PETSTORE_API_KEY: ' key ',
      PETSTORE_PLAN: 'Pro',
      PETSTORE_OTHER_API_KEY: 'other',
      PETSTORE_CATEGORY_ID: '-7',
    };
    expect(resolve({ baseUrl: 'http://127.0.0.1:8080/v1//' }, values)).toMatchObject({
      name: 'target',
      baseUrl: 'http://127.0.0.1:8080/v1',
      apiKey: 'key',
      plan: plans.pro,
      planGiven: true,
      otherApiKey: 'other',
      categoryId: -7n,
      readOnly: false,
    });
    expect(resolve({ baseUrl: 'http://127.0.0.1:8080/v1', apiKey: 'typed' }, values)?.apiKey).toBe('typed');
  });

  test('of the environment has variables of its own, and none of another', () => {
    const values = {
      ...staging,
      PETSTORE_OTHER_API_KEY: 'other',
      PETSTORE_PLAN: 'pro',
      STAGING_DEADLINE_MS: '250',
      STAGING_CONSISTENCY_MS: '0',
    };
    expect(resolve({ target: 'Staging' }, values)).toEqual({
      name: 'staging',
      baseUrl: 'https://staging.example/v1',
      apiKey: 'staging-key',
      plan: plans.free,
      planGiven: false,
      otherApiKey: undefined,
      categoryId: undefined,
      consistencyMs: 0,
      deadlineMs: 250,
      readOnly: false,
      ca: undefined,
      insecure: false,
    });
  });

  test('is named by its variables, whatever its name holds', () => {
    expect(variableOf('eu-west.1', 'API_KEY')).toBe('EU_WEST_1_API_KEY');
    expect(
      knownTargets({ values: { ...staging, EU_WEST_1_BASE_URL: 'x', BASE_URL: 'y' }, hasFile: true }),
    ).toEqual(['staging', 'eu-west-1']);
    const values = { EU_WEST_1_BASE_URL: 'http://127.0.0.1/v1', EU_WEST_1_API_KEY: 'k' };
    expect(resolve({ target: 'eu-west.1' }, values)?.name).toBe('eu-west.1');
  });

  test('takes what the command line says before what its variables say', () => {
    const values = { ...staging, STAGING_PLAN: 'enterprise', STAGING_PER_MINUTE: '5', STAGING_PER_DAY: '50' };
    expect(resolve({ target: 'staging' }, values)?.plan).toEqual({
      name: 'enterprise',
      perMinute: 5,
      perDay: 50,
    });
    expect(resolve({ target: 'staging', perMinute: '7' }, values)?.plan).toEqual({
      name: 'enterprise',
      perMinute: 7,
      perDay: 50,
    });
    expect(resolve({ target: 'staging', plan: 'business' }, values)?.plan).toEqual(plans.business);
    expect(resolve({ target: 'staging', apiKey: 'typed', otherApiKey: 'second' }, values)).toMatchObject({
      apiKey: 'typed',
      otherApiKey: 'second',
    });
  });

  test('named production is only read, until it is said otherwise', () => {
    const values = { PRODUCTION_BASE_URL: 'https://petstore.example/v1', PRODUCTION_API_KEY: 'k' };
    expect(resolve({ target: 'Production' }, values)?.readOnly).toBe(true);
    expect(resolve({ target: 'production', allowWrites: true }, values)?.readOnly).toBe(false);
    expect(resolve({ target: 'staging', readOnly: true }, staging)?.readOnly).toBe(true);
  });

  test('may have an address that does not end in /v1: that is VERSION-01’s to judge', () => {
    expect(resolve({ baseUrl: 'http://127.0.0.1:1/api', apiKey: 'k' })?.baseUrl).toBe(
      'http://127.0.0.1:1/api',
    );
  });

  test('takes an authority from a file', () => {
    const file = join(folder, 'ca.pem');
    const pem = '-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n';
    writeFileSync(file, pem);
    expect(resolve({ target: 'staging', ca: file }, staging)?.ca).toBe(pem);
    expect(resolve({ target: 'staging' }, { ...staging, STAGING_CA: file })?.ca).toBe(pem);
  });
});

describe('a target that can not be is a usage problem:', () => {
  const local = 'http://127.0.0.1:9/v1';
  const onTheSpot = { baseUrl: local, apiKey: 'k' };
  const wrong: ReadonlyArray<
    readonly [what: string, options: Partial<TargetOptions>, values: Values, message: string]
  > = [
    [
      'one that is not configured',
      { target: 'stage' },
      { EU_BASE_URL: local },
      'STAGE_BASE_URL is not set in .env or the environment.',
    ],
    ['a mistyped name', { target: 'stagin' }, staging, 'Did you mean staging?'],
    ['a mistyped reference', { target: 'referense' }, staging, 'Did you mean reference?'],
    ['a mistyped reference where no other is', { target: 'refrence' }, {}, 'Did you mean reference?'],
    ['figures of the reference service', { perMinute: '5' }, {}, '--per-minute goes with --base-url or'],
    ['an authority of the reference service', { ca: 'ca.pem' }, {}, '--ca goes with --base-url or --target'],
    [
      'one with an empty address',
      { target: 'staging' },
      { STAGING_BASE_URL: '', STAGING_API_KEY: 'k' },
      'STAGING_BASE_URL is not set',
    ],
    [
      'one without a key',
      { target: 'staging' },
      { STAGING_BASE_URL: local },
      'the target staging has no key: set STAGING_API_KEY',
    ],
    ['an address without a key', { baseUrl: local }, {}, 'set PETSTORE_API_KEY'],
    ['a key without an address', { apiKey: 'k' }, {}, '--api-key goes with --base-url'],
    [
      'a key for the reference service',
      { apiKey: 'k', target: 'reference' },
      {},
      '--api-key goes with --base-url',
    ],
    ['two targets', { ...onTheSpot, target: 'staging' }, staging, 'two targets'],
    [
      'no address',
      { ...onTheSpot, baseUrl: 'localhost:8080/v1' },
      {},
      '--base-url is no address: "localhost:8080/v1"',
    ],
    [
      'an address of a file',
      { ...onTheSpot, baseUrl: 'file:///v1' },
      {},
      'expected http://host/v1 or https://host/v1',
    ],
    [
      'an address with a password',
      { ...onTheSpot, baseUrl: 'http://a:b@127.0.0.1/v1' },
      {},
      'a user or a password',
    ],
    [
      'an address with a query',
      { ...onTheSpot, baseUrl: 'http://127.0.0.1/v1?a=b' },
      {},
      'a query or a fragment',
    ],
    ['a key of two lines', { ...onTheSpot, apiKey: 'a\nb' }, {}, 'the key holds characters'],
    ['a key that is no ASCII', { ...onTheSpot, apiKey: 'schlüssel' }, {}, 'the key holds characters'],
    ['a second key of two words', { ...onTheSpot, otherApiKey: 'a b' }, {}, 'the other key holds characters'],
    [
      'an unknown plan',
      { ...onTheSpot, plan: 'gold' },
      {},
      '--plan is to be one of free, pro, business, enterprise',
    ],
    [
      'an unknown plan of the environment',
      { target: 'staging' },
      { ...staging, STAGING_PLAN: 'gold' },
      'STAGING_PLAN is to be one of',
    ],
    [
      'Enterprise without figures',
      { ...onTheSpot, plan: 'enterprise', perMinute: '5' },
      {},
      'give --per-minute and --per-day',
    ],
    [
      'figures for another plan',
      { ...onTheSpot, plan: 'free', perMinute: '5' },
      {},
      'go with --plan=enterprise',
    ],
    [
      'figures for no plan',
      { ...onTheSpot, perMinute: '5' },
      {},
      '--per-minute and --per-day go with --plan enterprise',
    ],
    [
      'a category that is none',
      { target: 'staging' },
      { ...staging, STAGING_CATEGORY_ID: 'dogs' },
      'STAGING_CATEGORY_ID is to be a 64-bit integer',
    ],
    [
      'a category beyond int64',
      { target: 'staging' },
      { ...staging, STAGING_CATEGORY_ID: '9223372036854775808' },
      'a 64-bit integer',
    ],
    [
      'a deadline that is none',
      { target: 'staging' },
      { ...staging, STAGING_DEADLINE_MS: 'soon' },
      'STAGING_DEADLINE_MS is to be a whole number',
    ],
    [
      'an authority that is missing',
      { ...onTheSpot, ca: '/nowhere/ca.pem' },
      {},
      "--ca: /nowhere/ca.pem can't be read (ENOENT)",
    ],
    [
      'an authority that is no certificate',
      { ...onTheSpot, ca: 'package.json' },
      {},
      'holds no PEM certificate',
    ],
    [
      'any certificate of another host',
      { baseUrl: 'https://petstore.example/v1', apiKey: 'k', insecure: true },
      {},
      '--insecure is for loopback',
    ],
    [
      'a proxy that is none',
      { target: 'staging' },
      { ...staging, HTTPS_PROXY: 'ftp://proxy' },
      'HTTPS_PROXY is not the address of an HTTP proxy',
    ],
  ];

  test.each(wrong)('%s', (_, options, values, message) => {
    expect(() => resolve(options, values)).toThrow(UsageProblem);
    expect(() => resolve(options, values)).toThrow(message);
  });

  test('where there is no .env, it is said that one would do', () => {
    expect(() => resolve({ target: 'staging' }, {}, false)).toThrow(
      'there is no .env here (.env.example shows one)',
    );
  });

  test('a key is not repeated', () => {
    expect(() => resolve({ ...onTheSpot, apiKey: 'se cret' })).toThrow(/^(?!.*se cret)/);
  });
});
