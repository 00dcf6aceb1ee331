import type { LoadState } from './tally.js';

/** How a load stands, in a line. */
export function loadProgress(state: LoadState): string {
  const { sent, good, refused, errors, withheld, p50Ms, p99Ms, waitingMs } = state;
  const left = Math.max(0, state.durationMs - state.elapsedMs);
  return [
    `${seconds(state.elapsedMs)} of ${seconds(state.durationMs)} (${seconds(left)} left)`,
    `${sent} sent, ${good} good, ${refused} refused, ${errors} errors${withheld > 0 ? `, ${withheld} withheld` : ''}`,
    `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`,
    ...(waitingMs > 0 ? [`waiting ${seconds(waitingMs)} as the target asks`] : []),
  ].join('; ');
}

function seconds(milliseconds: number): string {
  const whole = Math.round(milliseconds / 1000);
  return whole < 120 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
