import type { PlannedRequest } from '../../http/exchange/planned-request.js';
import type { Observation } from './observation.js';

/** An address of nobody (RFC 5737). */
const nobody = '198.51.100.77';

/** The headers by which a proxy tells the address of its client, and by which a client may name another one (CWE-290). */
export const forgedAddress: NonNullable<PlannedRequest['headers']> = [
  ['X-Forwarded-For', nobody],
  ['X-Real-IP', nobody],
  ['Forwarded', `for=${nobody}`],
];

/** By how much Remaining jumps back at the least, and by how much it is below the limit then at the most. */
const leastJump = 5;
const mostUsed = 3;

/** A request that names another client's address and is counted apart, and the one before it. */
export interface WalkAround {
  readonly before: Observation;
  readonly forged: Observation;
}

/**
 * Whether the limit can be walked around: Remaining jumps back to the whole limit for the request with a forged address,
 * and is where it was for the next one.
 */
export function walkAroundIn(own: readonly Observation[]): WalkAround | undefined {
  const told = own.filter(
    ({ outcome, headers }) => outcome === 'admitted' && headers.remaining !== undefined,
  );
  for (const [index, forged] of told.entries()) {
    if (!forged.exchange.request.headers.some(([, value]) => value === nobody)) continue;
    const [before, after] = [told[index - 1], told[index + 1]];
    const [was, is = 0, then] = [before, forged, after].map((one) => one?.headers.remaining);
    if (!before || was === undefined || then === undefined) continue;
    const isFresh = is >= (forged.headers.limit ?? Number.POSITIVE_INFINITY) - mostUsed;
    if (isFresh && is - was >= leastJump && is - then >= leastJump) return { before, forged };
  }
  return undefined;
}
