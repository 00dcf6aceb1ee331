import type { Latency, LoadMeasurement, PlanMeasurement } from '../../lib/evidence/record/measurements.js';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { threeDigits } from '../../lib/explain/count.js';
import { count, duration, type Fact, integer, known, type Part } from '../text.js';
import type { Outcome } from './outcomes.js';

/** A load judges no requirement, and so no class: a record without a class is that of a load. */
export function isLoad({ classes, load }: Pick<RunRecord, 'classes' | 'load'>): boolean {
  return load !== undefined || classes.length === 0;
}

type Threshold = LoadMeasurement['thresholds'][number];

/** How a load came out: the gravest of its bounds decides, if it got to its end, not the specification. */
export function loadResult({ load, run }: Pick<RunRecord, 'load' | 'run'>) {
  const { thresholds = [], share } = load ?? {};
  const result = (word: string, outcome: Outcome, exitCode: 0 | 1 | 3, sentence: string) => {
    return { word, outcome, exitCode, sentence };
  };
  const [kept = [], broken = [], open = []] = (['kept', 'broken', 'open'] as const).map((outcome) =>
    thresholds.filter((one) => one.outcome === outcome),
  );
  const some = (own: readonly Threshold[]) => `${own.length} of ${count(thresholds.length, 'bound')}`;
  const reasons = [...new Set(open.map(({ reason }) => reason))].join('; ');
  const untold = `The load can't tell of ${some(open)}: ${reasons}.`;
  if (!load) return result('not finished', 'inconclusive', 3, 'The target was not put under load.');
  if (!run.complete) return result('not finished', 'inconclusive', 3, 'The load did not finish.');
  if (broken.length > 0) return result('bounds missed', 'fail', 1, `${some(broken)} missed.`);
  if (open.length > 0) return result("bounds can't be told", 'inconclusive', 3, untold);
  if (kept.length > 0) return result('bounds kept', 'pass', 0, `${some(kept)} kept.`);
  const isShare = Object.keys(share?.bounds ?? {}).length > 0;
  const later = 'The bounds are judged when all shares are merged.';
  return result('measured', 'observed', 0, isShare ? later : 'No bound was set.');
}

const thresholdWords = { kept: '✓ kept', broken: '✗ missed', open: "? can't tell" } as const;

/** What was measured of a bound, in words. */
export function measuredText({ measured, reason, confidence }: Threshold): string {
  const certainty = confidence === undefined ? '' : ` (${100 * confidence} % confidence)`;
  return `${measured}${reason === undefined ? '' : `: ${reason}`}${certainty}`;
}

/** What a load measured: its bounds, which decide its exit code, what came back, and how fast. */
export function loadPart({ load }: Pick<RunRecord, 'load'>): Part {
  const title = 'The load';
  if (!load) return { title, facts: [['Measured', 'Nothing was measured.']] };
  const bounds = load.thresholds.map((one): Fact => [
    `${one.name} ${one.bound}`,
    `${thresholdWords[one.outcome]}: ${measuredText(one)}`,
  ]);
  return { title, facts: [...bounds, ...loadFacts(load)] };
}

function loadFacts(load: LoadMeasurement): Fact[] {
  const { sent, good, refused, errors, withheld, notSent = 0, share, shares = [] } = load;
  const of = (part: number): string =>
    sent === 0 || part === 0 ? '' : ` (${threeDigits((100 * part) / sent)} %)`;
  const mix = Object.entries(load.mix).filter(([, weight]) => weight > 0);
  const statuses = Object.entries(load.byStatus).flatMap(([status, number]) =>
    number > 0 ? `${integer(number)} x ${status}` : [],
  );
  const waited = withheld > 0 ? `; ${integer(withheld)} not sent while the target asked to wait` : '';
  const unsent = `${integer(notSent)}, as no connection was free for them in time: no fault of the target's`;
  return known([
    ['Load', `${threeDigits(load.ratePerSecond)}/s for ${duration(load.durationMs)}, evenly spaced`],
    ['Share', share && `${share.number} of ${share.of} from ${share.begin}`],
    ['Mix', mix.map(([name, weight]) => `${weight} ${name}`).join(', ')],
    [
      'Goodput',
      `${threeDigits(load.goodputPerSecond)}/s: ${integer(good)} of ${count(sent, 'request')} succeeded`,
    ],
    ['Rejected', `${integer(refused)} with 429${of(refused)}${waited}`],
    ['Errors', `${integer(errors)} with another error, or without a response${of(errors)}`],
    ['Not sent', notSent > 0 ? unsent : undefined],
    ['Statuses', statuses.join(', ') || 'no response'],
    // From the planned moment of a request to its response, and its two parts.
    ['Planned to answered', percentilesText(load.latency)],
    ['Sent to answered', percentilesText(load.service)],
    ['Planned to sent', percentilesText(load.service && load.lateness)],
    ...Object.entries(load.byOperation).map(([name, one]) => [name, sentText(one)] as const),
    ...shares.map((one) => [`Share ${one.number}`, sentText(one)] as const),
  ]);
}

function sentText({ sent, latency }: LoadMeasurement['byOperation'][string]): string {
  return [`${integer(sent)} sent`, percentilesText(latency)].filter(Boolean).join(': ');
}

function percentilesText(latency: Latency | undefined): string {
  const names = ['p50', 'p90', 'p99', 'p999', 'max'] as const;
  return latency ? names.map((name) => `${name} ${duration(latency[name])}`).join(', ') : '';
}

/** The limiter of a plan: what it behaves like, and which limiters explain it. */
export function limitPart({ plan, perMinute, explanation, algorithm }: PlanMeasurement): Part {
  const facts = known([
    ['Behaves like', explanation?.behavesLike ?? (algorithm && `${algorithm.name} (${algorithm.certainty})`)],
    ...(explanation?.candidates ?? []).map(({ name, conforming, unexplained }) => {
      const unlike = unexplained.join('; ');
      const how = unlike === '' ? 'explains every response' : `must assume, or cannot explain: ${unlike}`;
      return [conforming ? 'Conforming' : 'Not conforming', `${name}: ${how}`] as const;
    }),
  ]);
  return { title: `Limits: ${plan}, ${count(perMinute, 'request')} a minute`, facts };
}
