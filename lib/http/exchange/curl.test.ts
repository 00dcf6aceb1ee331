import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { credentialsFor } from './credential.js';
import { curlOf } from './curl.js';
import type { Exchange } from './exchange.js';

type Request = Exchange['request'];

/** What bash hands to curl for each command: its arguments, by a curl of our own that prints them. */
function argumentsOf(commands: readonly string[], key = 'the key'): string[][] {
  const script = `curl() { printf '%s\\0' "$@"; printf 'end\\0\\0'; }\n${commands.join('\n')}`;
  const output = execFileSync('bash', ['--norc', '-c', script], {
    env: { PATH: process.env.PATH, PETSTORE_API_KEY: key },
  });
  return output
    .toString()
    .split('end\0\0')
    .slice(0, -1)
    .map((text) => text.split('\0').slice(0, -1));
}

function request(rest: Partial<Request> = {}): Request {
  return { method: 'GET', url: 'http://127.0.0.1/v1/pets', headers: [], ...rest };
}

/** Anything that an argument of a program can hold: all but the null byte. */
/** Any character but the zero byte, which no argument of a program holds. */
const character = fc
  .integer({ min: 1, max: 0x10_ff_ff })
  .filter((code) => code < 0xd8_00 || code > 0xdf_ff)
  .map((code) => String.fromCodePoint(code));
const text = fc.string({ unit: character });
const nasty = fc.constantFrom(
  "'",
  "''",
  '$(reboot)',
  '`reboot`',
  '\\',
  '"',
  '!',
  '\n',
  ' -o x',
  '--',
  '$PETSTORE_API_KEY',
  '#',
  "'\\''",
);
const content = fc.array(fc.oneof(nasty, text), { maxLength: 6 }).map((parts) => parts.join(''));

describe('the curl command of a request', () => {
  it('hands address, headers and body to curl as they are, whatever is in them', () => {
    const requests = fc.record({ path: content, header: content, body: fc.option(content) });
    fc.assert(
      fc.property(fc.array(requests, { minLength: 1, maxLength: 20 }), (drawn) => {
        const commands = drawn.map(({ path, header, body }) =>
          curlOf(
            request({
              method: body === null ? 'GET' : 'POST',
              url: `http://127.0.0.1/v1/${path}`,
              headers: [['X-Drawn', header]],
              ...(body === null ? {} : { body }),
            }),
          ),
        );
        const received = argumentsOf(commands);
        for (const [index, { path, header, body }] of drawn.entries()) {
          const given = received[index] ?? [];
          expect(given).toContain(`http://127.0.0.1/v1/${path}`);
          expect(given[given.indexOf('-H') + 1]).toBe(`X-Drawn: ${header}`);
          expect(given.slice(-2)).toEqual(
            body === null ? ['-H', `X-Drawn: ${header}`] : ['--data-raw', body],
          );
        }
      }),
      { numRuns: 15 },
    );
  });

  it('sends the credential that the suite sent, by the variable', () => {
    const key = `k$y'"\`!\\ey`;
    const { valid, malformed, nearMisses } = credentialsFor(key);
    const credentials = [valid, ...malformed, ...nearMisses];
    const commands = credentials.map(({ display = '' }) =>
      curlOf(request({ headers: [['Authorization', display]] })),
    );
    for (const command of commands) expect(command).not.toContain(key);
    expect(argumentsOf(commands, key).map((given) => given.at(-1))).toEqual(
      credentials.map(({ authorization = '' }) => `Authorization: ${authorization}`),
    );
  });

  it.each<[what: string, Partial<Request>, command: string]>([
    ['a plain one', {}, "curl -i 'http://127.0.0.1/v1/pets'"],
    ['one without a body to be posted', { method: 'POST' }, "curl -i -X POST 'http://127.0.0.1/v1/pets'"],
    [
      'a body without a type, to which curl would give one',
      { method: 'POST', body: '{}' },
      "curl -i 'http://127.0.0.1/v1/pets' -H 'Content-Type:' --data-raw '{}'",
    ],
    [
      'a body with a type',
      { method: 'POST', headers: [['content-type', 'text/plain']], body: '' },
      "curl -i 'http://127.0.0.1/v1/pets' -H 'content-type: text/plain' --data-raw ''",
    ],
    [
      'another method with a body',
      { method: 'PUT', headers: [['Content-Type', 'application/json']], body: '{}' },
      "curl -i -X PUT 'http://127.0.0.1/v1/pets' -H 'Content-Type: application/json' --data-raw '{}'",
    ],
    [
      'an address that curl would take for a pattern',
      { url: 'http://127.0.0.1/v1/pets?limit=[1-9]{2}' },
      "curl -i -g --path-as-is 'http://127.0.0.1/v1/pets?limit=[1-9]{2}'",
    ],
    [
      'an address that curl would shorten',
      { url: 'http://127.0.0.1/v1/pets/../pets' },
      "curl -i -g --path-as-is 'http://127.0.0.1/v1/pets/../pets'",
    ],
    [
      'headers of no account',
      {
        headers: [
          ['User-Agent', 'x'],
          ['Accept', 'application/json'],
        ],
      },
      "curl -i 'http://127.0.0.1/v1/pets'",
    ],
  ])('is as short as it can be: %s', (_what, rest, command) => {
    expect(curlOf(request(rest))).toBe(command);
  });
});
