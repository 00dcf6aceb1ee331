import { beforeAll, describe, expect, it } from 'vitest';
import { createTransport } from '../http/connection/transport.js';
import { hostileKey } from './fixture.js';
import { hostileFixtures } from './fixture-list.js';
import { memoryHeld } from '../testing/memory-held.js';

/** Requests in flight at a time: as many as a burst of the suite has. */
const together = 8;
const maximumBytes = 2 * 1024 ** 2;
/** Bytes that they may use, the hostile servers in the same thread included. */
const budget = 120 * 1024 ** 2;

const large = [
  'body-without-end',
  'body-of-a-gigabyte',
  'gzip-bomb',
  'header-without-end',
  'chunk-extension-without-end',
  'a-million-animals',
];

describe.sequential(
  `${together} requests at a time cost no more than ${budget / 1024 ** 2} MB against`,
  () => {
    // Loads what the first request needs, so that it is not counted.
    beforeAll(() => cost('gzip-unasked'));

    it.each(large)('%s', async (name) => {
      expect(await cost(name)).toBeLessThan(budget);
    });
  },
);

/** Bytes of memory that requests to a fixture take at most, beyond what the thread has already. */
async function cost(name: string): Promise<number> {
  const fixture = hostileFixtures.find((candidate) => candidate.name === name);
  if (!fixture) throw new Error(`there is no fixture ${name}`);
  const target = await fixture.serve();
  const { origin } = new URL(target.baseUrl);
  const transport = createTransport({ origin, deadlineMs: 700, maximumBytes, connections: together });
  const before = memoryHeld();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, memoryHeld())), 5);
  try {
    const headers: [string, string][] = [['Authorization', `Bearer ${hostileKey}`]];
    await Promise.all(
      Array.from({ length: together }, () => transport.send({ method: 'GET', path: '/v1/pets', headers })),
    );
    return Math.max(most, memoryHeld()) - before;
  } finally {
    clearInterval(timer);
    await transport.close();
    await target.close();
  }
}
