import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../http/clock/clock.js';
import type { PlannedRequest } from '../http/exchange/planned-request.js';
import { fire } from './fire.js';
import type { LoadTarget } from './lane.js';
import { ledgerLine } from './ledger.js';

/** Requests, and milliseconds between them, until Node has compiled what sends them. */
const requests = 600;
const everyMs = 2 / 3;

/**
 * Sends a load to a server in this process, which counts nowhere: the first seconds of a process are slow, and would be told
 * as latency of the target, whose quota is spared.
 */
export async function warmUp(target: LoadTarget, clock: Clock, request: PlannedRequest): Promise<void> {
  const server = createServer((_, response) => response.end('[]'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const begin = clock.now();
  await fire({
    target: { ...target, baseUrl: `http://127.0.0.1:${port}`, environment: {} },
    clock,
    signal: new AbortController().signal,
    connections: 10,
    requests: Array.from({ length: requests }, (_, index) => ({
      plannedAt: begin + index * everyMs,
      request: () => request,
    })),
    settled: (entry) => void ledgerLine('warm-up', entry),
  });
  server.close();
}
