import type { Clock } from '../http/clock/clock.js';
import { createTransport } from '../http/connection/transport.js';
import type { Target } from '../target/target.js';

/** Milliseconds between two attempts, and for one. */
const attemptEvery = 50;
const attemptMs = 2_000;

export interface Waiting {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Has the variables that name proxies. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Requests the base address, without a key, until a response of any kind comes, or for so many milliseconds; at least once.
 * Returns whether one came. Rejects with the signal's reason.
 */
export async function responds(target: Target, forMs: number, waiting: Waiting): Promise<boolean> {
  const { clock, signal, environment } = waiting;
  const { origin, pathname } = new URL(target.baseUrl);
  const { ca, insecure } = target;
  const transport = createTransport({ origin, ca, insecure, environment, deadlineMs: attemptMs, clock });
  const until = clock.now() + forMs;
  try {
    for (;;) {
      const { response } = await transport.send({ method: 'GET', path: pathname, headers: [], signal });
      if (response) return true;
      const left = until - clock.now();
      signal.throwIfAborted();
      if (left <= 0) return false;
      await clock.sleep(Math.min(attemptEvery, left), signal);
    }
  } finally {
    await transport.close();
  }
}
