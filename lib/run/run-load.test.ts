import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { LoadMeasurement } from '../evidence/record/measurements.js';
import { systemClock } from '../http/clock/clock.js';
import { LoadCounter } from '../load/load-counter.js';
import { startCountingServer, type CountingServer } from '../load/testing/counting-server.js';
import { checkCommandLine } from '../options/command-line.js';
import { loadOptions, loadPlan } from '../options/load-options.js';
import { plans } from '../specification/plan.js';
import { runLoad } from './run-load.js';

let server: CountingServer | undefined;
afterEach(() => server?.close());

/** The figures of a load of listings over one connection, and how many arrived. */
async function loaded(answer: Parameters<typeof startCountingServer>[0]) {
  // The first request prepares the load.
  server = await startCountingServer((number, ...rest) => answer(number - 1, ...rest));
  const directory = mkdtempSync(join(tmpdir(), 'petstore-load-'));
  const argv = ['--rate=100/s', '--duration=1s', '--connections=1'];
  const { values } = checkCommandLine(argv, { name: 'load', options: loadOptions });
  const target = {
    name: 'petstore',
    baseUrl: `${server.origin}/v1`,
    apiKey: 'a-key-of-some-length',
    plan: plans.business,
    planGiven: true,
    consistencyMs: 0,
    deadlineMs: 300,
    readOnly: true,
  };
  const request = { target, values, plan: loadPlan(values, target, systemClock.now()), command: '' };
  const { signal } = new AbortController();
  const own = {
    directory,
    clock: systemClock,
    signal,
    counter: new LoadCounter(),
    listener: {},
  };
  try {
    const record = await runLoad({ ...request, ...own });
    const ledger = readFileSync(join(directory, 'ledger.jsonl'), 'utf8').trim().split('\n');
    const load: Partial<LoadMeasurement> = record.load ?? {};
    return { load, lines: ledger.length, arrived: server.arrived() - 1 };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

it('what found no connection in time was not sent, and is no error', async () => {
  const { load, lines, arrived } = await loaded((number, response) => {
    setTimeout(() => response.end('[]'), number === 1 || number === 2 ? 250 : 0);
  });
  expect(load).toMatchObject({
    sent: arrived,
    good: arrived,
    errors: 0,
    notSent: 100 - arrived,
    withheld: 0,
  });
  expect(100 - arrived).toBeGreaterThan(10);
  expect(lines).toBe(100);
});

it('nothing is sent while a 429 asks for a wait, and what was planned for it is left out', async () => {
  const { load, lines, arrived } = await loaded((number, response) => {
    if (number === 10) response.writeHead(429, { 'Retry-After': '1' });
    response.end('[]');
  });
  expect([arrived, lines]).toEqual([10, 100]);
  expect(load).toMatchObject({ sent: 10, good: 9, refused: 1, notSent: 0, withheld: 90 });
});
