import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createSecureServer } from 'node:https';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyText } from '../../reports/testing/sample-text.js';
import { createAuthority, issue } from '../hostile/certificates.js';
import { shells } from '../testing/shells.js';
import { createTransport } from '../http/connection/transport.js';
import { credentialsFor, keyVariable, type KeyName } from '../http/exchange/credential.js';
import { curlOf, repeated, shellWord } from './curl.js';
import {
  createPet,
  getPet,
  listPets,
  wireRequest,
  type OperationRequest,
} from '../http/exchange/planned-request.js';
import { recordExchange } from '../http/exchange/record-exchange.js';

const key = `k$y'"\\\`!\\ey-Ab.0%c`;

/** A request as it came over a connection: what is compared. */
interface Received {
  readonly line: string;
  readonly headers: readonly string[];
  readonly body: string;
}

/** Names of what a sender says of itself and of its connection. */
const ofSender = /^(user-agent|host|connection):/iu;

function parsed(bytes: Buffer): Received | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [line = '', ...headers] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const [, length = '0'] = headers.map((one) => /^content-length: *(\d+)/iu.exec(one)).find(Boolean) ?? [];
  const body = bytes.subarray(end + 4);
  if (body.length < Number(length)) return undefined;
  const kept = headers.filter((one) => !ofSender.test(one));
  const named = kept.map((one) => one.replace(/^[^:]+/u, (name) => name.toLowerCase()).replace(/: */u, ': '));
  return { line, headers: named.toSorted(), body: body.subarray(0, Number(length)).toString('latin1') };
}

let server: Server;
let baseUrl: string;
let folder: string;
let received: Received[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-curl-'));
  await writeFile(join(folder, "key of 'me'"), `${key}\n`);
  server = createServer((socket) => {
    let bytes = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      bytes = Buffer.concat([bytes, data]);
      const request = parsed(bytes);
      if (!request) return;
      received.push(request);
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`;
});

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Sends requests as a run does; gives what came, and the commands that are recorded. */
async function sent(requests: readonly OperationRequest[], name?: KeyName) {
  const transport = createTransport({ origin: new URL(baseUrl).origin });
  const credentials = credentialsFor(key, name);
  const { valid, missing, lowerCaseScheme, nearMisses, malformed, unknown } = credentials;
  const kinds = [valid, lowerCaseScheme, missing, unknown('x1'), ...nearMisses, ...malformed];
  const commands: string[] = [];
  received = [];
  for (const [index, request] of requests.entries()) {
    const credential = kinds[index % kinds.length] ?? valid;
    const planned = { ...request, credential, purpose: 'test' } as const;
    const destination = { baseUrl, userAgent: 'test' };
    const result = await transport.send(wireRequest(planned, destination));
    if (result.failure) throw new Error(`${request.path}: ${result.failure.message}`);
    commands.push(curlOf(recordExchange(planned, result, destination).request));
  }
  await transport.close();
  return { commands, expected: received };
}

async function run(shell: string, script: string): Promise<string> {
  const file = join(folder, `${shell}.sh`);
  await writeFile(file, script);
  const { stdout } = await promisify(execFile)(shell, shell === 'zsh' ? ['-f', file] : [file], {
    cwd: folder,
    env: { PATH: process.env['PATH'], PETSTORE_API_KEY: key, LC_ALL: 'C.UTF-8' },
    maxBuffer: 1e9,
  });
  return stdout;
}

async function expectSame(requests: readonly OperationRequest[], name?: KeyName): Promise<void> {
  const { commands, expected } = await sent(requests, name);
  for (const command of commands) expect(command).toMatch(/^[\x20-\x7e]*$/u);
  for (const shell of shells) {
    received = [];
    await run(shell, commands.map((one) => `${one} >/dev/null 2>&1`).join('\n'));
    const shown = (all: readonly Received[]) =>
      all.map((one, index) => ({ shell, command: commands[index], ...one }));
    expect(shown(received)).toEqual(shown(expected));
  }
}

const other = (method: string, path: string, body?: string): OperationRequest => ({
  operation: null,
  method,
  path,
  ...(body === undefined ? {} : { body, headers: [['Content-Type', 'application/json']] }),
});

const pet = (name: string): string => JSON.stringify({ name, categoryId: 1 });
const kinds: readonly OperationRequest[] = [
  listPets(),
  listPets({ limit: 1 }),
  listPets({ status: "it's [a-z]{1,2} $HOME `id` ! \\" }),
  ...['/pets?limit=[1-9]{2}', '/pets/../pets', '/pets?a=1&b=2;c#d'].map((path) => other('GET', path)),
  ...['PUT', 'POST'].flatMap((method) => [other(method, '/pets/1'), other(method, '/pets', '{}')]),
  ...['HEAD', 'TRACE'].map((method) => other(method, '/pets')),
  getPet("a'b"),
  createPet(pet('Rex')),
  createPet(pet(`"it's" $HOME \`id\` \\ %s %% ! \n\r\t`)),
  createPet('{"name":\n"in lines"\n}\n\n'),
  createPet(pet('Zoë 🐶 Ωmega \u202e\u200b')),
  createPet('{"name":"\u0000 null and \ud800 alone"}'),
  createPet(pet('é'), 'application/json', true),
  createPet('-n %d'),
  createPet('@file'),
  createPet(''),
  createPet(undefined),
  createPet('{}', null),
  createPet('{}', 'text/plain; charset="utf-8"'),
  createPet(pet('x'.repeat(300_000))),
  createPet(pet(`${'🐶'.repeat(900)}${'ÿ'.repeat(70_000)}${'\n'.repeat(200)}`)),
  createPet(Array.from({ length: 60_000 }, (_, index) => index % 97).join()),
];

describe.skipIf(shells.length === 0)('the curl commands of requests', () => {
  it(`send in ${shells.join(', ')} what the run sent, for every kind of request and credential`, async () => {
    await expectSame(kinds);
  });

  it('take the key from its file', async () => {
    await expectSame(
      Array.from({ length: 4 }, () => listPets()),
      { variable: keyVariable, shell: `$(cat ${shellWord("key of 'me'")})` },
    );
  });

  it('send the same, whatever is in address, header and body', async () => {
    const request = fc
      .record({ path: anyText, header: anyText, body: fc.option(anyText), latin1: fc.boolean() })
      .map(({ path, header, body, latin1 }): OperationRequest => ({
        operation: null,
        method: body === null ? 'GET' : 'POST',
        // As much as a request line and a header may hold.
        path: `/pets?${path.replaceAll(/[^\x21-\x7e]/gu, '')}`,
        headers: [['X-Drawn', header.replaceAll(/[^\t\x20-\x7e]/gu, '').trim()]],
        ...(body === null ? {} : { body, latin1 }),
      }));
    const drawn = fc.sample(request, { numRuns: 10, seed: Math.trunc(Math.random() * 2 ** 31) });
    await expectSame(drawn);
  });

  it('trust over TLS what the run trusted', async () => {
    const authority = await createAuthority();
    const certificate = await issue({ name: 'localhost', authority });
    const secure = createSecureServer(certificate, (_, response) => response.end('served'));
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    const { port } = secure.address() as AddressInfo;
    await writeFile(join(folder, 'our ca.pem'), authority.cert);
    const url = `https://localhost:${port}/v1/pets`;
    for (const shell of shells)
      expect(await run(shell, curlOf({ method: 'GET', url, headers: [], ca: 'our ca.pem' }))).toMatch(
        /^HTTP\/1\.1 200 OK[^]*served$/u,
      );
    await expect(run(shells[0] ?? '', curlOf({ method: 'GET', url, headers: [] }))).rejects.toThrow(
      'SSL certificate problem',
    );
    secure.close();
  });

  it.each([
    ['in turn', repeated.inTurn, 3, /(?:HTTP\/1\.1 200 OK[^]*){3}/u],
    ['at once', repeated.atOnce, 3, /(?:HTTP\/1\.1 200 OK[^]*){3}/u],
    [
      'counted in turn',
      (curl: string, times: number) => repeated.countedInTurn([curl], times),
      3,
      /^ *3 200\n$/u,
    ],
    [
      'counted at once',
      (curl: string, times: number) => repeated.countedAtOnce([curl], times),
      3,
      /^ *3 200\n$/u,
    ],
  ] as const)('send a request many times: %s', async (_, loop, times, shown) => {
    const { commands, expected } = await sent([createPet(pet('é'))]);
    for (const shell of shells) {
      received = [];
      expect(await run(shell, loop(commands[0] ?? '', times))).toMatch(shown);
      expect(received).toEqual(Array.from({ length: times }, () => expected[0]));
    }
  });
});
