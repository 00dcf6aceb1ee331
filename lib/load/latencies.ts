import type { Latency } from '../evidence/record/measurements.js';

/** Latencies counted by their microseconds, to four digits, in memory that does not grow with them. */
export class Latencies {
  readonly #numberOf = new Map<number, number>();
  /** How many were added. */
  number = 0;
  #sum = 0;

  add(milliseconds: number): void {
    const microseconds = Math.max(1, Math.round(milliseconds * 1_000));
    const unit = 10 ** Math.max(0, Math.floor(Math.log10(microseconds)) - 3);
    const told = Math.round(microseconds / unit) * unit;
    this.#numberOf.set(told, (this.#numberOf.get(told) ?? 0) + 1);
    this.number += 1;
    this.#sum += microseconds;
  }

  /** How many are above a bound in milliseconds, as they are told. */
  slower(bound: number): number {
    let slower = 0;
    for (const [microseconds, number] of this.#numberOf) if (microseconds > bound * 1_000) slower += number;
    return slower;
  }

  /** In milliseconds; undefined without any. A percentile is the smallest that so many are not greater than. */
  get latency(): Latency | undefined {
    if (this.number === 0) return undefined;
    const rising = [...this.#numberOf].toSorted(([one], [other]) => one - other);
    const at = (perMille: number): number => {
      let left = Math.max(1, Math.ceil((perMille * this.number) / 1_000));
      const [microseconds = 0] = rising.find(([, number]) => (left -= number) <= 0) ?? [];
      return microseconds / 1_000;
    };
    return {
      min: at(0),
      p50: at(500),
      p90: at(900),
      p99: at(990),
      p999: at(999),
      max: at(1_000),
      mean: Math.round(this.#sum / this.number) / 1_000,
    };
  }
}
