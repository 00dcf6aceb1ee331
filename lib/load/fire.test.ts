import { afterEach, expect, it } from 'vitest';
import { credentialsFor } from '../http/exchange/credential.js';
import { systemClock } from '../http/clock/clock.js';
import { startCountingServer, type CountingServer } from './testing/counting-server.js';
import { fire, type SendingPlan } from './fire.js';
import type { LedgerEntry } from './ledger.js';
import type { PlannedRequest } from '../http/exchange/planned-request.js';

let server: CountingServer | undefined;
afterEach(() => server?.close());

const request: PlannedRequest = {
  method: 'GET',
  path: '/v1/pets',
  headers: [],
  operation: 'listPets',
  credential: credentialsFor('a-key-of-some-length').valid,
  purpose: 'load',
};

async function run(
  answer: Parameters<typeof startCountingServer>[0],
  {
    count = 40,
    request: make = () => request,
    ...options
  }: Partial<SendingPlan> & {
    readonly count?: number;
    readonly request?: (index: number) => PlannedRequest | undefined;
  } = {},
) {
  server = await startCountingServer(answer);
  const entries: LedgerEntry[] = [];
  const startAt = systemClock.now();
  await fire({
    target: { baseUrl: server.origin, userAgent: 'test', deadlineMs: 2_000 },
    clock: systemClock,
    signal: new AbortController().signal,
    requests: Array.from({ length: count }, (_, index) => ({
      plannedAt: startAt + 10 * index,
      request: () => make(index),
    })),
    connections: 20,
    settled: (one) => void entries.push(one),
    ...options,
  });
  return { entries, arrived: server.arrived() };
}

it('spaces arrivals evenly', async () => {
  const { entries } = await run((_number, response) => response.end('[]'));
  expect(entries).toHaveLength(40);
  const planned = entries.map(({ plannedAt }) => plannedAt).sort((a, b) => a - b);
  const gaps = planned.slice(1).map((moment, index) => moment - (planned[index] ?? 0));
  expect(Math.min(...gaps)).toBeCloseTo(10, 3);
  expect(Math.max(...gaps)).toBeCloseTo(10, 3);
});

it('knows the planned moment of each request, so that a stall is everyone’s that waited for it', async () => {
  const { entries } = await run(
    (number, response) => {
      setTimeout(() => response.end('[]'), number === 1 ? 150 : 0);
    },
    { connections: 1, count: 10 },
  );
  const latencies = entries
    .sort((a, b) => a.plannedAt - b.plannedAt)
    .map(({ at, plannedAt }) => at - plannedAt);
  // Each later request waited for the first one, ten milliseconds less than the one before it.
  expect(latencies[0]).toBeGreaterThan(140);
  expect(latencies[5]).toBeGreaterThan(80);
  expect(entries[5]?.at).toBeGreaterThan(entries[5]?.plannedAt ?? 0);
});

it('leaves out what it is told to leave out', async () => {
  const { entries, arrived } = await run((_number, response) => response.end('[]'), {
    request: (index) => (index < 30 ? undefined : request),
  });
  expect([entries.length, arrived]).toEqual([10, 10]);
});

it.each(['settled', 'request'])('ends if nothing more can be kept of what was %s', async (when) => {
  const full = new Error('the disk is full');
  const keep = (): never => {
    throw full;
  };
  await expect(run((_number, response) => response.end('[]'), { [when]: keep })).rejects.toBe(full);
  expect(server?.arrived()).toBeLessThan(40);
});

it('ends when it is interrupted, and waits for what is under way', async () => {
  const stop = new AbortController();
  const { entries, arrived } = await run(
    (number, response) => {
      if (number === 5) stop.abort();
      setTimeout(() => response.end('[]'), 30);
    },
    { signal: stop.signal, count: 1_000_000 },
  );
  expect(entries.length).toBeLessThan(1_000_000);
  expect(entries).toHaveLength(arrived);
});

it('tells the time that a request waited for a connection apart from its own lateness', async () => {
  const { entries } = await run(
    (number, response) => {
      setTimeout(() => response.end('[]'), number === 1 ? 150 : 0);
    },
    { connections: 1, count: 10 },
  );
  const late = entries.map(({ sentAt, plannedAt, ownLateMs: own }) => ({ all: sentAt - plannedAt, own }));
  expect(late[5]?.all).toBeGreaterThan(80);
  expect(late[5]?.own).toBeLessThan(40);
});
