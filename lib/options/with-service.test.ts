import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, afterAll, describe, expect, test } from 'vitest';
import { Interrupted } from '../http/client/run-end.js';
import { systemClock } from '../http/clock/clock.js';
import { redactFromMessages } from './command-redaction.js';
import { plans } from '../specification/plan.js';
import { closedPort, freePort } from '../testing/ports.js';
import { UsageProblem } from '../explain/usage-problem.js';
import { withService } from './with-service.js';

const apiKey = 'a-key-of-the-service';
let directory: string;
beforeAll(() => {
  redactFromMessages(apiKey);
  directory = mkdtempSync(join(tmpdir(), 'petstore-service-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface Given {
  readonly start?: string;
  readonly wait?: number;
  readonly signal?: AbortSignal;
}

/** What the user is told, and what the use saw at the address. */
async function served(port: number, given: Given): Promise<{ told: string[]; status: number | undefined }> {
  const told: string[] = [];
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const target = { name: 'target', baseUrl, apiKey, plan: plans.free, planGiven: true };
  const status = await withService(
    {
      target: { ...target, consistencyMs: 0, deadlineMs: 1_000, readOnly: false },
      directory,
      complain: async (message) => void told.push(message),
      clock: systemClock,
      signal: new AbortController().signal,
      ...given,
    },
    async () =>
      fetch(baseUrl)
        .then(({ status }) => status)
        .catch(() => undefined),
  );
  return { told, status };
}

/** A server that answers 404 to everything, after it has printed the key, with a process below that does the work. */
function serverOn(port: number): string {
  const program = `console.log('key: ${apiKey}'); require('http').createServer((_, r) => r.writeHead(404).end()).listen(${port}, '127.0.0.1')`;
  return `echo starting; node -e "${program}"; echo ended`;
}

describe('a service that is started', () => {
  test('is waited for, keeps its output without the key, and ends with all that it started', async () => {
    const port = await freePort();
    expect(await served(port, { start: serverOn(port) })).toEqual({ told: [], status: 404 });
    expect(readFileSync(join(directory, 'service.log'), 'utf8')).toBe('starting\nkey: (the key)\n');
    expect(await served(port, { wait: 0 })).toEqual({
      told: [`nothing responded at http://127.0.0.1:${port}/v1 within 0 s (--wait)`],
      status: undefined,
    });
  });

  test('is not started if something responds already', async () => {
    const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await expect(served(port, { start: 'true' })).rejects.toThrow('something responds at http://127.0.0.1');
    server.close();
  });

  test('that ends too early is a usage problem with its last lines', async () => {
    const dies = served(closedPort, { start: `echo ${apiKey} is wrong >&2; exit 3` });
    await expect(dies).rejects.toThrow(UsageProblem);
    await expect(dies).rejects.toThrow(
      'the service of --start ended with exit code 3; it printed last:\n  (the key) is wrong',
    );
  });

  test('that does not respond in time is told, and used all the same', async () => {
    const { told } = await served(closedPort, { start: 'sleep 30', wait: 60 });
    expect(told).toEqual([
      expect.stringMatching(/^nothing responded .* within 0.06 s \(--wait\); it printed nothing$/),
    ]);
  });

  test('is ended if the run is interrupted while it is waited for', async () => {
    const controller = new AbortController();
    const waiting = served(closedPort, { start: 'sleep 30', signal: controller.signal });
    setTimeout(() => controller.abort(new Interrupted()), 100);
    await expect(waiting).rejects.toThrow(Interrupted);
  });
});
