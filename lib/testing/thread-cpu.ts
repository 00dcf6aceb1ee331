import { readFileSync } from 'node:fs';

/**
 * Milliseconds for which this thread has had a CPU: what others of the machine do meanwhile is not its doing. Where the
 * system does not tell (only Linux does), those that have passed.
 */
export function threadCpuMs(): number {
  if (process.platform !== 'linux') return performance.now();
  const [nanoseconds] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}
