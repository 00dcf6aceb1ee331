import type { Latency } from '../evidence/record/measurements.js';
import { roundedDuration } from '../http/clock/clock.js';

/** Latencies in milliseconds, to four digits, in memory that does not grow with them. */
export class Latencies {
  readonly #numberOf = new Map<number, number>();
  /** How many were added. */
  number = 0;
  #sum = 0;

  add(milliseconds: number): void {
    const rounded = Number(milliseconds.toPrecision(4));
    this.#numberOf.set(rounded, (this.#numberOf.get(rounded) ?? 0) + 1);
    this.number += 1;
    this.#sum += milliseconds;
  }

  slower(bound: number): number {
    let slower = 0;
    for (const [one, number] of this.#numberOf) if (one > bound) slower += number;
    return slower;
  }

  /** Undefined without any. A percentile is the smallest that so many are not greater than. */
  get latency(): Latency | undefined {
    if (this.number === 0) return undefined;
    const rising = [...this.#numberOf].toSorted(([one], [other]) => one - other);
    const at = (perMille: number): number => {
      let left = Math.max(1, Math.ceil((perMille * this.number) / 1_000));
      const [milliseconds = 0] = rising.find(([, number]) => (left -= number) <= 0) ?? [];
      return milliseconds;
    };
    const mean = roundedDuration(this.#sum / this.number);
    return { min: at(0), p50: at(500), p90: at(900), p99: at(990), p999: at(999), max: at(1_000), mean };
  }
}
