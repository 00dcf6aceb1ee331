import { expect, it } from 'vitest';
import { redactionOfProgram } from './command-redaction.js';

const key = 'pets_live_Q7xR2mWv';
const redaction = (argv: string[], env: Record<string, string> = {}) => redactionOfProgram({ argv, env });

it.each([
  [[`--api-key=${key}`], {}],
  [['--other-api-key', key], {}],
  [[`--observe-ban=${key}`], {}],
  [[`--apikey=${key}`], {}],
  [[], { STAGING_API_KEY: key }],
])('keeps the key of %j and %j out of a message', (argv, environment) => {
  const redact = redaction(['--seed=1', ...argv], environment);
  expect(redact(`unexpected argument ${key}`)).toMatch(
    /^unexpected argument (\(the value of --[a-z-]+\)|\$STAGING_API_KEY)$/,
  );
});

it('leaves what is no key', () => {
  const redact = redaction([`--base-url=${key}`, '--api-key'], { HOME: key, EMPTY_API_KEY: '' });
  expect(redact(`--base-url is no address: ${key}`)).toBe(`--base-url is no address: ${key}`);
});

it('leaves the file of a private key', () => {
  const redact = redaction(['--key=client.pem'], {});
  expect(redact('--key: client.pem is not a file')).toBe('--key: client.pem is not a file');
});

it('leaves the words of a command that the key contains', () => {
  const redact = redaction([], { PETSTORE_API_KEY: 'business-key-1234' });
  expect(redact('npm test -- --plan=business --api-key=business-key-1234')).toBe(
    'npm test -- --plan=business --api-key=$PETSTORE_API_KEY',
  );
});
