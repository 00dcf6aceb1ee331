import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { credentialsFor, type Credential, type Credentials } from './credential.js';

const characters = Array.from({ length: 0x7e - 0x20 }, (_, index) => String.fromCharCode(0x21 + index));
const keys = fc.string({ unit: fc.constantFrom(...characters), minLength: 2, maxLength: 40 });

function all({ valid, lowerCaseScheme, nearMisses, malformed }: Credentials): Credential[] {
  return [valid, lowerCaseScheme, ...nearMisses, ...malformed];
}

/** What bash makes of texts in double quotes, with the key in its variable. */
function expanded(texts: readonly string[], key: string): string[] {
  const script = texts.map((text) => `printf '%s\\0' "${text}"`).join('\n');
  const output = execFileSync('bash', ['--norc', '-c', script], {
    env: { PATH: process.env.PATH, PETSTORE_API_KEY: key },
  });
  return output.toString().split('\0').slice(0, -1);
}

describe('the credentials made from a key', () => {
  it('are shown in shell notation that stands for exactly what is sent', () => {
    fc.assert(
      fc.property(keys, (key) => {
        const credentials = all(credentialsFor(key));
        const shown = expanded(
          credentials.map(({ display }) => display ?? ''),
          key,
        );
        expect(shown).toEqual(credentials.map(({ authorization }) => authorization));
      }),
      { numRuns: 8, examples: [['$(touch x)`\'"\\!%#*?'], ['%%'], ['aA'], ['--']] },
    );
  });

  it('that are near misses differ from the key and from each other, each by one step', () => {
    fc.assert(
      fc.property(keys, (key) => {
        const misses = credentialsFor(key).nearMisses.map(({ authorization = '' }) => authorization);
        expect(new Set(misses).size).toBe(misses.length);
        for (const miss of misses) {
          expect(miss.startsWith('Bearer ')).toBe(true);
          const value = miss.slice('Bearer '.length);
          expect(value).not.toBe(key);
          expect(value).not.toBe('');
          expect(value.includes(key) || Math.abs(value.length - key.length) <= 1).toBe(true);
        }
        expect(misses.length).toBeGreaterThanOrEqual(4);
      }),
      { examples: [['xx'], ['yx'], ['11'], ['xy']] },
    );
  });

  it('for a key without letters have none in another case', () => {
    const shown = credentialsFor('1234-5678').nearMisses.map(({ description }) => description);
    expect(shown.filter((description) => /case/.test(description))).toEqual([]);
  });

  it('carry the real key in no form but one in which a standard makes it equal', () => {
    const credentials = credentialsFor('a-key-of-some-length');
    const { valid, lowerCaseScheme, malformed, missing } = credentials;
    expect(valid.authorization).toBe('Bearer a-key-of-some-length');
    expect(lowerCaseScheme).toMatchObject({
      kind: 'equivalent',
      authorization: 'bearer a-key-of-some-length',
    });
    const sent = malformed.map(({ authorization = '' }) => authorization);
    for (const authorization of sent) expect(authorization).not.toMatch(/^bearer +a-key-of-some-length$/i);
    expect(new Set(sent).size).toBe(sent.length);
    expect(sent).toEqual(
      expect.arrayContaining([
        'a-key-of-some-length',
        'Bearer',
        'Bearer x a-key-of-some-length',
        'Bearer a-key-of-some-length x',
        'xBearer a-key-of-some-length',
        'Bearer Bearer a-key-of-some-length',
        'Basic a-key-of-some-length',
        `Basic ${Buffer.from(':a-key-of-some-length').toString('base64')}`,
      ]),
    );
    expect(missing.authorization).toBeUndefined();
    expect(credentials.unknown('drawn')).toMatchObject({
      kind: 'unknown',
      authorization: 'Bearer drawn',
      display: 'Bearer drawn',
    });
  });

  it('that resemble the valid one are sent apart, and others are not', () => {
    const { valid, missing, unknown, ...others } = credentialsFor('a-key-of-some-length');
    expect([valid, missing, unknown('drawn')].filter(({ apart }) => apart)).toEqual([]);
    const alike = [others.lowerCaseScheme, ...others.nearMisses, ...others.malformed];
    expect(alike.filter(({ apart }) => !apart)).toEqual([]);
  });

  it('of another variable are shown with that one', () => {
    for (const { display } of all(
      credentialsFor('a-key-of-some-length', { variable: 'PETSTORE_OTHER_API_KEY' }),
    ))
      expect(display).not.toMatch(/PETSTORE_API_KEY/);
  });

  it('name as secrets all that a record must not hold', () => {
    const key = 'a-key-of-some-length';
    const credentials = credentialsFor(key);
    const secrets = credentials.secrets.map(([secret]) => secret);
    const whole = all({ ...credentials, nearMisses: [] });
    for (const { authorization = '' } of whole.filter((one) => one.authorization !== 'Bearer'))
      expect(secrets.some((secret) => authorization.includes(secret))).toBe(true);
  });
});
