import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes that may pass before what is left of them is collected; each passes in several copies. */
const mostUncollected = 16 * 1024 * 1024;

/** V8's own collection, which counts what lies outside its heap late: a run of large answers would hold most of them. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  return typeof collect === 'function' ? () => void collect() : () => undefined;
}

/** Has memory collected in time where many long bodies pass. */
export class Garbage {
  #bytes = 0;
  #collect: (() => void) | undefined;

  /** A body of so many bytes has been dealt with, and nothing of it is needed any longer but what was kept. */
  passed(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < mostUncollected) return;
    this.#bytes = 0;
    this.#collect ??= collector();
    this.#collect();
  }
}
