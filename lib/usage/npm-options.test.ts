import { describe, expect, test } from 'vitest';
import { readCommandLine } from './command-line.js';
import { onOff, option, text } from './options-schema.js';
import { UsageProblem } from './usage-problem.js';

const options = {
  target: option(text, { value: 'NAME' }),
  baseUrl: option(text, { value: 'URL' }),
  apiKey: option(text, { value: 'KEY', secret: true }),
  profile: option(text, { value: 'P' }),
  ca: option(text, { value: 'FILE' }),
  strict: onOff({}),
  timeout: option(text, {}),
  yes: onOff({}),
};

/** As npm 9, 10 and 11 set it. */
const npm = {
  npm_config_user_agent: 'npm/11.19.1 node/v20.20.2 linux x64',
  npm_command: 'test',
  npm_lifecycle_event: 'test',
  npm_config_yes: 'true',
  npm_config_cafile: '/etc/ssl/certs/ca-certificates.crt',
};

function read(environment: Readonly<Record<string, string>>, ...argv: readonly string[]): unknown {
  return readCommandLine(argv, options, { operands: true, environment }).typed;
}

describe('options that npm kept for itself', () => {
  test.each([
    [{ npm_config_base_url: 'http://localhost/v1' }, [], 'npm test -- --base-url=http://localhost/v1'],
    [{ npm_config_base_url: 'http://a:secret@localhost/v1' }, [], '--base-url=http://localhost/v1'],
    [{ npm_config_target: 'staging' }, ['--strict'], 'npm test -- --target=staging --strict'],
    [{ npm_config_strict: 'true' }, ['--target=a'], 'npm test -- --target=a --strict'],
    [{ npm_config_profile: 'true' }, [], "npm test -- --profile='…'"],
    [{ npm_config_api_key: 'a-key-of-ours' }, [], 'npm test -- --api-key=***'],
    [
      { npm_command: 'run-script', npm_lifecycle_event: 'report', npm_config_strict: 'true' },
      ['verify', 'DIR'],
      'npm run report -- verify DIR --strict',
    ],
    [
      { npm_command: 'exec', npm_lifecycle_event: 'npx', npm_config_target: 'a' },
      [],
      'npx petstore-conformance --target=a',
    ],
  ])('%j are refused, with the right command', (kept, argv, command) => {
    expect(() => read({ ...npm, ...kept }, ...argv)).toThrow(UsageProblem);
    expect(() => read({ ...npm, ...kept }, ...argv)).toThrow(command);
    expect(() => read({ ...npm, ...kept }, ...argv)).toThrow(/^(?!.*(?:secret|of-ours))/);
  });

  test('are refused before a value of theirs that npm passed on', () => {
    const argv = ['free'];
    const kept = { ...npm, npm_config_base_url: 'http://localhost/v1' };
    expect(() => readCommandLine(argv, options, { environment: kept })).toThrow('--base-url=http');
    expect(() => readCommandLine(argv, options, { environment: npm })).toThrow('under npm behind " -- "');
  });

  test.each([
    ['what npm itself sets', npm, []],
    ['a setting of an .npmrc for Electron', { ...npm, npm_config_target: '31.0.2' }, []],
    ['a time for downloads of an .npmrc', { ...npm, npm_config_timeout: '60000' }, []],
    ['a certificate of an .npmrc', { ...npm, npm_config_ca: '-----BEGIN CERTIFICATE-----' }, []],
    ['an option that arrived, too', { ...npm, npm_config_target: 'a' }, ['--target=b']],
    ['a switch that is off', { ...npm, npm_config_strict: '' }, []],
    ['npm publish', { ...npm, npm_command: 'publish', npm_config_strict: 'true' }, []],
    ['pnpm', { ...npm, npm_config_user_agent: 'pnpm/9.1.0 npm/?', npm_config_target: 'a' }, []],
    ['no npm at all', { npm_config_target: 'a' }, []],
  ])('are not seen in %s', (_, environment, argv) => {
    expect(read(environment, ...argv)).toEqual(argv.length === 0 ? {} : { target: 'b' });
  });
});
