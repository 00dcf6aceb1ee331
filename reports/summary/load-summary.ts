import type { LoadMeasurement, RunRecord } from '../../lib/record/record.js';

/** How a load came out: its bounds, not the specification, decide. */
export type LoadOutcome = 'kept' | 'missed' | 'measured' | 'unfinished';

/** A load judges no requirement, and so no class of them: a record without a class is that of a load. */
export function isLoad({ classes, load }: Pick<RunRecord, 'classes' | 'load'>): boolean {
  return load !== undefined || classes.length === 0;
}

/** A bound that was missed stays missed, though the load was broken off later. */
export function loadOutcome({ load, run }: Pick<RunRecord, 'load' | 'run'>): LoadOutcome {
  if (!load) return 'unfinished';
  if (load.thresholds.some(({ kept }) => !kept)) return 'missed';
  if (!run.complete) return 'unfinished';
  return load.thresholds.length > 0 ? 'kept' : 'measured';
}

/** What became of the target under load, as the end of a sentence that begins with its name. */
export function loadClaim(record: Pick<RunRecord, 'load' | 'run'>): string {
  const { load } = record;
  if (!load) return 'was not put under load';
  const missed = load.thresholds.filter(({ kept }) => !kept).length;
  const bounds = `${load.thresholds.length} bound${load.thresholds.length === 1 ? '' : 's'}`;
  return {
    kept: `kept ${load.thresholds.length === 1 ? 'the bound' : `all ${bounds}`} under load`,
    missed: `missed ${missed} of ${bounds} under load`,
    measured: 'was measured under load; no bound was set',
    unfinished: 'was not under load to the end',
  }[loadOutcome(record)];
}

export const percentiles = ['p50', 'p90', 'p99', 'p999', 'max'] as const;

/** A load as it is told when it has ended. */
export function loadLines({ load, run, target }: RunRecord): string[] {
  if (!load) return ['', `Load         ${target.baseUrl}: ${run.stopped ?? 'nothing was sent'}`];
  const { latency } = load;
  const told = latency
    ? percentiles.map((name) => `${name} ${latency[name].toFixed(1)} ms`)
    : ['nothing was answered'];
  return [
    '',
    `Load         ${target.baseUrl}, ${load.ratePerSecond.toFixed(2)}/s for ${seconds(load.durationMs)}, evenly spaced`,
    `Goodput      ${load.goodputPerSecond.toFixed(2)}/s: ${load.good} of ${load.sent} sent`,
    `Answers      ${answers(load)}`,
    `Latency      ${told.join(', ')} (from the planned moment)`,
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

/** `270 x 200, 2 x 429; 33 withheld after 429`. */
export function answers({ byStatus, withheld }: LoadMeasurement): string {
  const statuses = Object.entries(byStatus).map(([status, count]) => `${count} x ${status}`);
  return `${statuses.join(', ') || 'none'}${withheld > 0 ? `; ${withheld} withheld after 429` : ''}`;
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
