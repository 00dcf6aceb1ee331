/** What one answer of a quick sequence said. */
export interface Reading {
  /** Milliseconds since the epoch, by our clock. */
  readonly sentAt: number;
  readonly arrivedAt: number;
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds, if announced. */
  readonly reset: number | undefined;
}

export type Fall =
  /** It fell by one for each request. */
  | { readonly kind: 'exact' }
  /** It fell by less, and the time that went by explains the difference on a limiter that refills. */
  | { readonly kind: 'refill'; readonly fallen: number; readonly sent: number }
  /** It fell by more, and not evenly: other clients use the key as well. */
  | { readonly kind: 'others'; readonly fallen: number; readonly sent: number }
  /** It fell by the same number above one for each request. */
  | { readonly kind: 'even'; readonly each: number }
  /** It also rose, in one window, by more than a limiter can have given back: no other client does that. */
  | { readonly kind: 'rising' }
  /** It fell by less than was sent, and nothing explains it. */
  | { readonly kind: 'short'; readonly fallen: number; readonly sent: number }
  /** So much could have been refilled meanwhile that nothing can be said. */
  | { readonly kind: 'open'; readonly refill: number }
  /** A new window began in between. */
  | { readonly kind: 'turned' };

/**
 * How `Remaining` moved over requests sent one after the other in one window (RATE-05, section 8).
 *
 * @param perMillisecond what a limiter that refills continuously gives back: its limit over its window.
 * @param sentAt when this client sent its requests: a sliding log gives each of them back after a minute.
 */
export function fallOf(
  readings: readonly Reading[],
  perMillisecond: number,
  sentAt: readonly number[] = [],
): Fall {
  const first = readings[0];
  const last = readings.at(-1);
  if (!first || !last || readings.length < 2) return { kind: 'open', refill: 0 };
  const steps = readings
    .slice(1)
    .map((reading, index) => (readings[index]?.remaining ?? 0) - reading.remaining);
  const sent = steps.length;
  const fallen = first.remaining - last.remaining;
  // A window of fixed length that turned gives all back at once, and moves Reset by its length.
  const moved = first.reset !== undefined && last.reset !== undefined && last.reset - first.reset > 2;
  if (steps.some((step) => step < 0) && moved) return { kind: 'turned' };
  if (steps.every((step) => step === 1)) return { kind: 'exact' };
  const [each] = steps;
  if (each !== undefined && each > 1 && sent >= 2 && steps.every((step) => step === each))
    return { kind: 'even', each };
  const refill = refillIn(last.arrivedAt - first.sentAt, perMillisecond);
  if (fallen > sent || steps.some((step) => step > 1)) {
    const rises = readings.slice(1).some((reading, index) => {
      const before = readings[index] ?? reading;
      const risen = reading.remaining - before.remaining;
      const given = refillIn(reading.arrivedAt - before.sentAt, perMillisecond);
      return risen >= given + expired(before, reading, sentAt);
    });
    return rises ? { kind: 'rising' } : { kind: 'others', fallen, sent };
  }
  if (fallen >= sent - refill) {
    return sent - refill > 0 ? { kind: 'refill', fallen, sent } : { kind: 'open', refill };
  }
  return { kind: 'short', fallen, sent };
}

const minute = 60_000;
/** Milliseconds by which the clocks of a log and ours may differ over a minute, the way included. */
const margin = 2_000;

/** Of what this client sent a minute before, how much a sliding log may have given back between two answers. */
function expired(before: Reading, after: Reading, sentAt: readonly number[]): number {
  const from = before.sentAt - minute - margin;
  const to = after.arrivedAt - minute + margin;
  return sentAt.filter((at) => at >= from && at <= to).length;
}

/**
 * What each operation costs, if one costs more than a request and each the same in every sequence; undefined if
 * the costs differ from time to time, as they do if other clients use the key.
 */
export function costs(
  sequences: ReadonlyArray<ReadonlyArray<{ readonly operation: string; readonly remaining: number }>>,
): ReadonlyMap<string, number> | undefined {
  const each = new Map<string, number>();
  for (const sequence of sequences) {
    for (const [index, { operation, remaining }] of sequence.slice(1).entries()) {
      const cost = (sequence[index]?.remaining ?? 0) - remaining;
      if ((each.get(operation) ?? cost) !== cost) return undefined;
      each.set(operation, cost);
    }
  }
  return [...each.values()].some((cost) => cost > 1) ? each : undefined;
}

/** Admissions that a refill gives back within a time: the product with the rate, and one more for rounding. */
export function refillIn(milliseconds: number, perMillisecond: number): number {
  return Math.floor(milliseconds * perMillisecond) + 1;
}
