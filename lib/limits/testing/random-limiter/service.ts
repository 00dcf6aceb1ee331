import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Clock } from '../../../http/clock/clock.js';
import { Gate, type Key } from './gate.js';
import { randomFrom } from './other-clients.js';
import { PetStore } from './pet-store.js';
import type { RandomLimiter } from './random-limiter.js';

/**
 * Serves a small Pet Store behind a limiter, on loopback and in the run's time.
 * @param keys the first of them has the other clients
 * @throws if no port can be listened on
 */
export async function serveRandomLimiter(
  limiter: RandomLimiter,
  keys: readonly Key[],
  clock: Clock,
): Promise<{ readonly baseUrl: string; close(): Promise<void> }> {
  const now = (): number => Math.floor(clock.now() + limiter.ahead);
  const store = new PetStore();
  const gate = new Gate(limiter, keys);
  const random = randomFrom(limiter.seed + 1);
  const [least, jitter] = limiter.latency;
  const travel = async (): Promise<void> => {
    if (least + jitter > 0) await clock.sleep(least + random() * jitter);
  };
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    await travel();
    const { status, content, headers } = gate.pass(request, now(), {
      refusal: () => store.refusal(request, body),
      answer: () => store.answer(request, body),
    });
    const date = dateOf(limiter, now());
    await travel();
    response.sendDate = false;
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers, ...date });
    response.end(JSON.stringify(content));
  };
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A cached Date was written in the last second, at a moment that is none of a second's begin. */
function dateOf({ date, seed }: RandomLimiter, at: number): { readonly Date: string } | undefined {
  if (date === 'absent') return undefined;
  const cachedAt = at - ((at + seed) % 1_000);
  const shown = { exact: at, cached: cachedAt, lagging: cachedAt - 1_000 }[date];
  return { Date: new Date(shown).toUTCString() };
}
