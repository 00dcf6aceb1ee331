import { createServer } from 'node:net';
import type { Clock } from '../http/clock/clock.js';
import type { LoadTarget } from './lane.js';
import { ledgerLine } from './ledger-file.js';
import type { PlannedRequest } from '../http/exchange/planned-request.js';
import { paced } from './paced.js';

/** Requests, and how many a second, until Node has compiled what sends them. */
const requests = 600;
const ratePerSecond = 1_500;
const response = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]';

/**
 * Sends a load to a server in this process, which counts nowhere: the first seconds of a process are slow, and would be told
 * as latency of the target, whose quota is spared.
 */
export async function warmUp(target: LoadTarget, clock: Clock, request: PlannedRequest): Promise<void> {
  const server = createServer((socket) =>
    socket.on('error', () => undefined).on('data', () => socket.write(response)),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const begin = clock.now();
  await paced({
    request: () => request,
    target: { ...target, baseUrl: `http://127.0.0.1:${port}`, environment: {} },
    clock,
    signal: new AbortController().signal,
    plannedAt: (index) => begin + (index * 1_000) / ratePerSecond,
    count: requests,
    connections: 10,
    settled: (one) => void ledgerLine('warm-up', one),
  });
  await new Promise((resolve) => server.close(resolve));
}
