import { performance } from 'node:perf_hooks';

/** Milliseconds for which each look stands: a request and its response take about ten looks. */
const lookMs = 0.1;

/**
 * Time that a busy machine does not slow down, for a clock that all share who are looked at by it: what is worked takes
 * the same time everywhere, and what is waited for (a timer, say) takes real time.
 */
export function timeOfWork(): () => number {
  let looks = 0;
  return () => {
    looks += 1;
    return looks * lookMs + performance.eventLoopUtilization().idle;
  };
}
