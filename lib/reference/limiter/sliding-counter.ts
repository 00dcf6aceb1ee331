import type { Algorithm } from './counter.js';

/**
 * Counts for parts of a window, aligned to the clock: those of the present window are summed, and the one that leaves it
 * weighs less the further the current part has gone. Needs no log, and is exact only if that part was used evenly.
 */
export function slidingCounterOf(parts: number): Algorithm {
  return ({ requests, windowMs }) => {
    const partMs = windowMs / parts;
    let part = Number.NEGATIVE_INFINITY;
    /** The current part's count, and those before it, the last of which weighs less and less. */
    let counts: number[] = [];
    const turnTo = (at: number): void => {
      const now = Math.floor(at / partMs);
      const gone = Math.min(parts + 1, now - part);
      if (gone <= 0) return;
      counts = [...Array.from({ length: gone }, () => 0), ...counts].slice(0, parts + 1);
      part = now;
    };
    /** When there is room for one more if nothing else is counted, from the current part on. */
    const roomFrom = (later = 0): number => {
      const left = counts.slice(0, parts + 1 - later);
      const weight = left.length > parts - later ? (left.at(-1) ?? 0) : 0;
      const allowed = requests - 1 - (left.reduce((sum, count) => sum + count, 0) - weight);
      if (allowed < 0) return roomFrom(later + 1);
      const begin = (part + later) * partMs;
      return weight <= allowed ? begin : begin + Math.ceil(partMs * (1 - allowed / weight));
    };
    return {
      standing(at) {
        turnTo(at);
        const end = (part + 1) * partMs;
        const share = Math.min(1, Math.max(0, (end - at) / partMs));
        const counted = counts.reduce(
          (sum, count, index) => sum + (index < parts ? count : count * share),
          0,
        );
        // The tolerance absorbs floating-point errors, far below one request.
        const remaining = Math.max(0, Math.floor(requests - counted + 1e-9));
        return {
          limit: requests,
          remaining,
          resetsAt: end + (parts - 1) * partMs,
          admitsAt: remaining > 0 ? at : roomFrom(),
        };
      },
      count(at) {
        turnTo(at);
        counts[0] = (counts[0] ?? 0) + 1;
      },
      giveBack(at) {
        turnTo(at);
        counts[0] = Math.max(0, (counts[0] ?? 0) - 1);
      },
    };
  };
}

/** The sliding counter of two windows. */
export const slidingCounter = slidingCounterOf(1);
