import type { RunRecord } from '../lib/record/record.js';

/** A load as it is told when it has ended. */
export function loadLines({ load, run, target }: RunRecord): string[] {
  if (!load) return ['', `Load         ${target.baseUrl}: ${run.stopped ?? 'nothing was sent'}`];
  const { latency } = load;
  const statuses = Object.entries(load.byStatus).map(([status, count]) => `${count} x ${status}`);
  const percentiles = latency
    ? (['p50', 'p90', 'p99', 'p999', 'max'] as const).map((name) => `${name} ${latency[name].toFixed(1)} ms`)
    : ['nothing was answered'];
  return [
    '',
    `Load         ${target.baseUrl}, ${load.ratePerSecond.toFixed(2)}/s for ${seconds(load.durationMs)}, evenly spaced`,
    `Goodput      ${load.goodputPerSecond.toFixed(2)}/s: ${load.good} of ${load.sent} sent`,
    `Answers      ${statuses.join(', ')}${load.withheld > 0 ? `; ${load.withheld} withheld after 429` : ''}`,
    `Latency      ${percentiles.join(', ')} (from the planned moment)`,
    ...Object.entries(load.byOperation).map(
      ([name, { sent, latency: own }]) =>
        `  ${name.padEnd(10)} ${sent} sent${own ? `, p50 ${own.p50.toFixed(1)} ms, p99 ${own.p99.toFixed(1)} ms` : ''}`,
    ),
    ...load.thresholds.map(
      ({ name, bound, measured, kept }) =>
        (kept ? 'kept' : 'MISSED').padEnd(13) + `${name} ${bound}: ${measured}`,
    ),
    ...(run.stopped === undefined ? [] : [`Stopped      ${run.stopped}`]),
  ];
}

/** 0: every bound was kept. 1: one was missed. 3: the load did not get to its end. */
export function loadExitCode({ load, run }: RunRecord): 0 | 1 | 3 {
  if (!load || !run.complete) return 3;
  return load.thresholds.every(({ kept }) => kept) ? 0 : 1;
}

function seconds(milliseconds: number): string {
  const whole = Math.round(milliseconds / 1000);
  return whole < 120 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
