import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../http/clock/clock.js';
import { redactionOf } from '../http/redaction/redaction.js';
import { Interrupted } from '../http/client/run-end.js';
import { plans } from '../specification/plan.js';
import { closedPort, freePort } from '../testing/ports.js';
import type { Target } from '../target/target.js';
import { UsageProblem } from '../usage/usage-problem.js';
import { readyTarget, type Readiness, type ReadyTarget } from './ready-target.js';

const key = 'a-key-of-the-service';
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-service-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function targetAt(port: number): Target {
  return {
    name: 'target',
    baseUrl: `http://127.0.0.1:${port}/v1`,
    apiKey: key,
    plan: plans.free,
    planGiven: true,
    consistencyMs: 0,
    deadlineMs: 1_000,
    readOnly: false,
  };
}

const log = (): string => join(folder, 'service.log');

async function ready(port: number, readiness: Readiness, signal?: AbortSignal): Promise<ReadyTarget> {
  return readyTarget(targetAt(port), readiness, {
    log: log(),
    redact: redactionOf([[key, '(the key)']]),
    clock: systemClock,
    signal: signal ?? new AbortController().signal,
    environment: {},
  });
}

/** A server that answers 404 to everything, after it has printed the key, with a process below that does the work. */
function serverOn(port: number): string {
  const program = `console.log('key: ${key}'); require('http').createServer((_, r) => r.writeHead(404).end()).listen(${port}, '127.0.0.1')`;
  return `echo starting; node -e "${program}"; echo ended`;
}

describe('a service that is started', () => {
  test('is waited for, keeps its output without the key, and ends with all that it started', async () => {
    const port = await freePort();
    const { service, problem } = await ready(port, { start: serverOn(port) });
    expect(problem).toBeUndefined();
    await expect(ready(port, { start: 'true' })).rejects.toThrow('something responds at http://127.0.0.1');
    await service?.end();
    expect(readFileSync(log(), 'utf8')).toBe('starting\nkey: (the key)\n');
    expect(await ready(port, { wait: 0 })).toEqual({
      service: undefined,
      problem: `nothing responded at http://127.0.0.1:${port}/v1 within 0 s (--wait)`,
    });
  });

  test('that ends too early is a usage problem with its last lines', async () => {
    const dies = ready(closedPort, { start: `echo ${key} is wrong >&2; exit 3` });
    await expect(dies).rejects.toThrow(UsageProblem);
    await expect(dies).rejects.toThrow(
      'the service of --start ended with exit code 3 before it responded; it printed last:\n  (the key) is wrong',
    );
  });

  test('that does not respond in time is a problem that is told, and its process goes on', async () => {
    const { service, problem } = await ready(closedPort, { start: 'sleep 30', wait: 60 });
    expect(problem).toMatch(/^nothing responded at .* within 0.06 s \(--wait\); it printed nothing$/);
    await service?.end();
    expect(await service?.ended).toBe('was ended by SIGTERM');
  });

  test('is ended if the run is interrupted while it is waited for', async () => {
    const controller = new AbortController();
    const waiting = ready(closedPort, { start: 'sleep 30' }, controller.signal);
    setTimeout(() => controller.abort(new Interrupted()), 100);
    await expect(waiting).rejects.toThrow(Interrupted);
  });
});
