import type { Latency, LoadMeasurement } from '../../lib/evidence/record/measurements.js';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { count, duration, type Fact, integer, known, type Part, percent, rate } from '../text.js';
import { countsSentence, statusesText } from './limit-summary.js';
import type { Outcome } from './outcomes.js';

/** How a load came out: its bounds decide, not the specification. */
export const loadOutcomes = {
  kept: { word: 'bounds kept', outcome: 'pass', exitCode: 0 },
  broken: { word: 'bounds missed', outcome: 'fail', exitCode: 1 },
  open: { word: "bounds can't be told", outcome: 'inconclusive', exitCode: 3 },
  measured: { word: 'measured', outcome: 'observed', exitCode: 0 },
  unfinished: { word: 'not finished', outcome: 'inconclusive', exitCode: 3 },
} as const satisfies Record<string, { word: string; outcome: Outcome; exitCode: number }>;

/** A load judges no requirement, and so no class: a record without a class is that of a load. */
export function isLoad({ classes, load }: Pick<RunRecord, 'classes' | 'load'>): boolean {
  return load !== undefined || classes.length === 0;
}

type Threshold = LoadMeasurement['thresholds'][number];

const thresholdWords = { kept: '✓ kept', broken: '✗ missed', open: "? can't tell" } as const;

/** What was measured of a bound, in words. */
export function measuredText({ measured, reason, confidence }: Threshold): string {
  const certainty = confidence === undefined ? '' : ` (${100 * confidence} % confidence)`;
  return `${measured}${reason === undefined ? '' : `: ${reason}`}${certainty}`;
}

/** What came of a load: the gravest of its bounds, if it got to its end. */
export function loadOutcome({ load, run }: Pick<RunRecord, 'load' | 'run'>): keyof typeof loadOutcomes {
  if (!load || !run.complete) return 'unfinished';
  const found = new Set(load.thresholds.map(({ outcome }) => outcome));
  return (['broken', 'open', 'kept'] as const).find((one) => found.has(one)) ?? 'measured';
}

/** What came of a load, in a sentence. */
export function loadSentence(record: Pick<RunRecord, 'load' | 'run'>): string {
  const { load } = record;
  if (!load) return 'The target was not put under load.';
  const outcome = loadOutcome(record);
  const own = load.thresholds.filter((one) => one.outcome === outcome);
  const some = `${own.length} of ${count(load.thresholds.length, 'bound')}`;
  const reasons = [...new Set(own.map(({ reason }) => reason))].join('; ');
  return {
    kept: `${some} kept.`,
    broken: `${some} missed.`,
    open: `The load can't tell of ${some}: ${reasons}.`,
    measured:
      Object.keys(load.share?.bounds ?? {}).length > 0
        ? 'The bounds are judged when all shares are merged.'
        : 'No bound was set.',
    unfinished: 'The load did not finish.',
  }[outcome];
}

/** What a load measured: its bounds, which decide its exit code, what came back, and how fast. */
export function loadPart({ load }: Pick<RunRecord, 'load'>): Part {
  const title = 'The load';
  if (!load) return { title, facts: [['Measured', 'Nothing was measured.']] };
  const bounds = load.thresholds.map((one): Fact => {
    const text = `${thresholdWords[one.outcome]}: ${measuredText(one)}`;
    return [`${one.name} ${one.bound}`, text];
  });
  return { title, facts: [...bounds, ...loadFacts(load), ...latencyFacts(load)] };
}

function loadFacts(load: LoadMeasurement): Fact[] {
  const { sent, good, refused, errors, withheld, notSent = 0, share, counts } = load;
  const of = (part: number): string => (sent === 0 || part === 0 ? '' : ` (${percent(part / sent)})`);
  const mix = Object.entries(load.mix).filter(([, weight]) => weight > 0);
  const waited = withheld > 0 ? `; ${integer(withheld)} not sent while the target asked to wait` : '';
  const unsent = `${integer(notSent)}, as no connection was free for them in time: no fault of the target's`;
  return known([
    ['Load', `${rate(load.ratePerSecond)} for ${duration(load.durationMs)}, evenly spaced`],
    ['Share', share && `${share.number} of ${share.of} from ${share.begin}`],
    ['Mix', mix.map(([name, weight]) => `${weight} ${name}`).join(', ')],
    ['Goodput', `${rate(load.goodputPerSecond)}: ${integer(good)} of ${count(sent, 'request')} succeeded`],
    ['Rejected', `${integer(refused)} with 429${of(refused)}${waited}`],
    ['Errors', `${integer(errors)} with another error, or without a response${of(errors)}`],
    ['Not sent', notSent > 0 ? unsent : undefined],
    ['Statuses', statusesText(load.byStatus) || 'no response'],
    ['Counted', counts && countsSentence(counts)],
  ]);
}

/** From the planned moment of a request to its response, its two parts, and the same of each operation and each merged share. */
function latencyFacts({ latency, service, lateness, byOperation, shares = [] }: LoadMeasurement): Fact[] {
  return known([
    ['Planned to answered', percentilesText(latency)],
    ['Sent to answered', percentilesText(service)],
    ['Planned to sent', percentilesText(service && lateness)],
    ...Object.entries(byOperation).map(([name, one]) => [name, sentText(one)] as const),
    ...shares.map((share) => [`Share ${share.number}`, sentText(share)] as const),
  ]);
}

function sentText({ sent, latency }: LoadMeasurement['byOperation'][string]): string {
  return [`${integer(sent)} sent`, percentilesText(latency)].filter(Boolean).join(': ');
}

function percentilesText(latency: Latency | undefined): string {
  const names = ['p50', 'p90', 'p99', 'p999', 'max'] as const;
  return latency ? names.map((name) => `${name} ${duration(latency[name])}`).join(', ') : '';
}
