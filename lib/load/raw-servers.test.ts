import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../http/clock/clock.js';
import { credentialsFor } from '../http/exchange/credential.js';
import { volley } from './fire.js';
import { bodyFor, rawServers, startRawServer, type RawServer } from './testing/raw-servers.js';

let server: RawServer | undefined;
afterEach(() => server?.close());

const requests = 60;
const expectedLost: Readonly<Record<string, number>> = {
  'resets every seventh body': Math.floor(requests / 7),
  'never answers every tenth request': requests / 10,
};
const rows = Object.entries(rawServers).flatMap(([name, respond]) =>
  [1, 10, 60].map((connections) => ({ name, respond, connections })),
);

describe('against a server on raw sockets', () => {
  it.each(rows)(
    'that $name, over $connections: the ledger is exact',
    async ({ name, respond, connections }) => {
      server = await startRawServer(respond);
      const entries = await volley({
        target: { baseUrl: server.origin, userAgent: 'test', deadlineMs: 400 },
        requests: Array.from({ length: requests }, (_, index) => ({
          method: 'GET',
          path: `/${index}`,
          operation: 'listPets' as const,
          credential: credentialsFor('a-key-of-some-length').valid,
          purpose: 'LIMIT-01',
        })),
        connections,
        clock: systemClock,
        signal: new AbortController().signal,
        stopAfter: () => false,
      });
      const lost = entries.filter(({ failure }) => failure);
      expect([...server.arrived].sort()).toEqual(entries.map(({ request }) => request.path).sort());
      expect(entries).toHaveLength(requests);
      expect(lost).toHaveLength(expectedLost[name] ?? 0);
      // Nothing is credited to another request.
      const whole = entries.filter(({ failure }) => !failure);
      expect(whole.map(({ body }) => Buffer.from(body).toString())).toEqual(
        whole.map(({ request }) => bodyFor(request.path)),
      );
      const rejected = name.startsWith('rejects') ? requests / 3 : 0;
      expect(entries.filter(({ status }) => status === 429)).toHaveLength(rejected);
    },
  );
});
