import * as fc from 'fast-check';
import { minute } from './counters.js';

/** Other clients that use the same key, as the run knows nothing of. */
export type OtherClients =
  | { readonly kind: 'none' }
  /** Now and then a request. */
  | { readonly kind: 'rare'; readonly everyMs: number }
  /** One request after the other at the same distance. */
  | { readonly kind: 'poller'; readonly everyMs: number }
  /** Some requests as each minute of the target's clock begins. */
  | { readonly kind: 'each minute'; readonly requests: number }
  /** Many requests at once, one time only, `afterMs` after the run's first request. */
  | { readonly kind: 'crowd'; readonly requests: number; readonly afterMs: number }
  /** More requests than the run itself sends. */
  | { readonly kind: 'heavy'; readonly everyMs: number };

export const anyOtherClients: fc.Arbitrary<OtherClients> = fc.oneof(
  fc.constant({ kind: 'none' } as const),
  fc.record({ kind: fc.constant('rare'), everyMs: between(30_000, 90_000) } as const),
  fc.record({ kind: fc.constant('poller'), everyMs: between(2_000, 15_000) } as const),
  fc.record({ kind: fc.constant('each minute'), requests: between(3, 25) } as const),
  fc.record({
    kind: fc.constant('crowd'),
    requests: between(15, 60),
    afterMs: between(-30_000, 200_000),
  } as const),
  fc.record({ kind: fc.constant('heavy'), everyMs: between(250, 1_200) } as const),
);

/** Integers without a preference for the ends of the range. */
export function between(least: number, most: number): fc.Arbitrary<number> {
  return fc.noBias(fc.integer({ min: least, max: most }));
}

/** How long before the run other clients have begun. */
const sinceMs = 2 * minute;

/**
 * The moments at which others send, in order and without an end, except for a crowd.
 * @param first when the run sends its first request
 * @param random from 0 to 1
 */
export function* sendTimes(clients: OtherClients, first: number, random: () => number): Generator<number> {
  const begin = first - sinceMs;
  switch (clients.kind) {
    case 'none':
      return;
    case 'rare':
    case 'heavy':
      // The gaps between events that don't know of each other.
      for (let at = begin; ; yield Math.round(at)) at -= Math.log(1 - random()) * clients.everyMs;
    case 'poller':
      for (let at = begin + Math.round(random() * clients.everyMs); ; at += clients.everyMs) yield at;
    case 'each minute':
      for (let at = Math.ceil(begin / minute) * minute; ; at += minute)
        yield* spread(at, clients.requests, random);
    case 'crowd':
      yield* spread(first + clients.afterMs, clients.requests, random);
  }
}

/** Requests that one client sends at once arrive within some tenths of a second. */
function spread(at: number, requests: number, random: () => number): number[] {
  return Array.from({ length: requests }, () => at + Math.round(random() * 400)).toSorted((a, b) => a - b);
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
