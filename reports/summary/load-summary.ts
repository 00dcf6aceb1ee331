import type { LoadMeasurement, RunRecord } from '../../lib/record/record.js';
import { count, duration, integer, rate } from '../text/quantity.js';
import { countsSentence } from './two-counts.js';
import type { Outcome } from './requirement-outcome.js';

/** How a load came out: its bounds decide, not the specification. */
export const loadOutcomes = {
  kept: { word: 'bounds kept', outcome: 'pass' },
  missed: { word: 'bounds missed', outcome: 'fail' },
  open: { word: "bounds can't be told", outcome: 'inconclusive' },
  measured: { word: 'measured', outcome: 'observed' },
  unfinished: { word: 'not finished', outcome: 'inconclusive' },
} as const satisfies Record<string, { word: string; outcome: Outcome }>;

/** A load judges no requirement, and so no class: a record without a class is that of a load. */
export function isLoad({ classes, load }: Pick<RunRecord, 'classes' | 'load'>): boolean {
  return load !== undefined || classes.length === 0;
}

type Threshold = LoadMeasurement['thresholds'][number];

/** How a bound came out: `open` if the requests were too few to tell. */
export function thresholdOutcome({ kept, outcome }: Threshold): 'kept' | 'broken' | 'open' {
  return outcome ?? (kept ? 'kept' : 'broken');
}

const thresholdWords = {
  kept: { word: 'kept', outcome: 'pass' },
  broken: { word: 'missed', outcome: 'fail' },
  open: { word: "can't tell", outcome: 'inconclusive' },
} as const;

/** A bound in words, for every format. */
export function thresholdText(threshold: Threshold): { word: string; outcome: Outcome; measured: string } {
  const { measured, confidence, reason } = threshold;
  const how = thresholdOutcome(threshold);
  const why = how === 'open' ? `: ${reason ?? 'no reason was recorded'}` : '';
  const sure = confidence === undefined ? '' : ` (${100 * confidence} % confidence)`;
  return { ...thresholdWords[how], measured: `${measured}${why}${sure}` };
}

/** A bound that was missed stays missed, also if the load was stopped later. */
export function loadOutcome({ load, run }: Pick<RunRecord, 'load' | 'run'>): keyof typeof loadOutcomes {
  if (!load) return 'unfinished';
  const outcomes = new Set(load.thresholds.map(thresholdOutcome));
  if (outcomes.has('broken')) return 'missed';
  if (!run.complete) return 'unfinished';
  if (outcomes.has('open')) return 'open';
  return load.thresholds.length > 0 ? 'kept' : 'measured';
}

/** 0: every bound was kept. 1: one was missed. 3: the requests were too few to tell, or the load did not get to its end. */
export function loadExitCode(record: RunRecord): 0 | 1 | 3 {
  if (!record.load || !record.run.complete) return 3;
  return ({ kept: 0, measured: 0, missed: 1, open: 3, unfinished: 3 } as const)[loadOutcome(record)];
}

/** What is said of bounds if none was judged. */
export function noBounds({ share }: LoadMeasurement): string {
  return Object.keys(share?.bounds ?? {}).length > 0
    ? 'The bounds are judged when all shares are merged.'
    : 'No bound was set.';
}

/** What came of a load, in a sentence. */
export function loadSentence(record: Pick<RunRecord, 'load' | 'run'>): string {
  const { load } = record;
  if (!load) return 'The target was not put under load.';
  const countOf = (wanted: string): number =>
    load.thresholds.filter((one) => thresholdOutcome(one) === wanted).length;
  const [missed, open] = [countOf('broken'), countOf('open')];
  const bounds = count(load.thresholds.length, 'bound');
  return {
    kept: load.thresholds.length === 1 ? 'The bound was kept.' : `All ${bounds} were kept.`,
    missed: `${missed} of ${bounds} ${missed === 1 ? 'was' : 'were'} missed.`,
    open: `The load can't tell of ${open} of ${bounds}: ${openReasons(load)}.`,
    measured: noBounds(load),
    unfinished: 'The load did not finish.',
  }[loadOutcome(record)];
}

/** Why bounds are open, each reason once. */
function openReasons({ thresholds }: LoadMeasurement): string {
  const reasons = thresholds.flatMap((one) =>
    thresholdOutcome(one) === 'open' ? [one.reason ?? 'no reason was recorded'] : [],
  );
  return [...new Set(reasons)].join('; ');
}

const percentiles = ['p50', 'p90', 'p99', 'p999', 'max'] as const;

/** The facts of a load, for every format. */
export function loadFacts(load: LoadMeasurement): [name: string, text: string][] {
  const { sent, good, refused, errors, withheld, notSent = 0 } = load;
  const share = (part: number): string =>
    sent === 0 || part === 0 ? '' : ` (${Number(((100 * part) / sent).toPrecision(3))} %)`;
  const mix = Object.entries(load.mix).filter(([, weight]) => weight > 0);
  const statuses = Object.entries(load.byStatus).map(([status, number]) => `${integer(number)} x ${status}`);
  return [
    [
      'Load',
      `${stagesText(load.stages) ?? `${rate(load.ratePerSecond)} for ${duration(load.durationMs)}`}, evenly spaced`,
    ],
    ...(load.ended === undefined ? [] : [['Ended early', load.ended] satisfies [string, string]]),
    ...(load.share ? [shareFact(load.share)] : []),
    ['Mix', mix.map(([name, weight]) => `${weight} ${name}`).join(', ')],
    ['Goodput', `${rate(load.goodputPerSecond)}: ${integer(good)} of ${count(sent, 'request')} succeeded`],
    [
      'Rejected',
      `${integer(refused)} with 429${share(refused)}${withheld > 0 ? `; ${integer(withheld)} not sent while the target asked to wait` : ''}`,
    ],
    ['Errors', `${integer(errors)} with another error, or without a response${share(errors)}`],
    ...(notSent > 0
      ? [
          [
            'Not sent',
            `${integer(notSent)}, as no connection was free for them in time: no fault of the target's`,
          ] satisfies [string, string],
        ]
      : []),
    ['Statuses', statuses.join(', ') || 'no response'],
    ...(load.counts ? [['Counted', countsSentence(load.counts)] satisfies [string, string]] : []),
  ];
}

/** `10 s at 50/s, then 30 s at 200/s`; undefined for a load of one rate. */
export function stagesText(stages: LoadMeasurement['stages'] = []): string | undefined {
  if (stages.length < 2) return undefined;
  return stages
    .map(({ durationMs, ratePerSecond }) => `${duration(durationMs)} at ${rate(ratePerSecond)}`)
    .join(', then ');
}

function shareFact({
  number,
  of,
  begin,
  ...whole
}: NonNullable<LoadMeasurement['share']>): [name: string, text: string] {
  const load = `${rate(whole.ratePerSecond)} for ${duration(whole.durationMs)} from ${begin}`;
  return ['Share', `${number} of ${of}; all together: ${load}`];
}

/** The latencies of a load: a row of texts for each operation and for all, below the names of the columns. */
export function latencyTable(load: LoadMeasurement): [head: string[], ...rows: string[][]] {
  const { sent, latency, service, lateness } = load;
  const parts = service && {
    'sent to answered': { sent, latency: service },
    'planned to sent': { sent, latency: lateness },
  };
  const operations = { ...load.byOperation, all: { sent, latency }, ...parts };
  return [
    ['Operation', 'Sent', ...percentiles],
    ...Object.entries(operations).map(([name, { sent, latency }]) => [
      name,
      integer(sent),
      ...percentiles.map((each) => (latency ? duration(latency[each]) : '–')),
    ]),
  ];
}

/** What each stage of a load sent, likewise; undefined for a load of one rate. */
export function stageTable({
  stages = [],
}: LoadMeasurement): [head: string[], ...rows: string[][]] | undefined {
  if (stages.length < 2) return undefined;
  return [
    ['Stage', 'Sent', 'Good', '429', 'Errors', 'Not sent', 'p50', 'p99'],
    ...stages.map(({ durationMs, ratePerSecond, latency, ...counts }) => [
      `${duration(durationMs)} at ${rate(ratePerSecond)}`,
      ...[counts.sent, counts.good, counts.refused, counts.errors, counts.notSent].map(integer),
      latency ? duration(latency.p50) : '–',
      latency ? duration(latency.p99) : '–',
    ]),
  ];
}

/** What each share of a merged load sent, likewise; undefined if no shares were merged. */
export function shareTable({ shares }: LoadMeasurement): [head: string[], ...rows: string[][]] | undefined {
  if (!shares) return undefined;
  return [
    ['Share', 'Sent', 'Good', '429', 'Errors', 'p50', 'p99', "Target's clock"],
    ...shares.map(({ number, sent, good, refused, errors, latency, clockDifferenceMs }) => [
      `share ${number}`,
      integer(sent),
      integer(good),
      integer(refused),
      integer(errors),
      latency ? duration(latency.p50) : '–',
      latency ? duration(latency.p99) : '–',
      clockDifferenceMs === null
        ? '–'
        : `${clockDifferenceMs > 0 ? '+' : ''}${integer(clockDifferenceMs)} ms`,
    ]),
  ];
}
