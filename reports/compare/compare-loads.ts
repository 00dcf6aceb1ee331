import type { LoadMeasurement } from '../../lib/evidence/record/load-measurement.js';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { UsageProblem } from '../../lib/explain/usage-problem.js';
import { isLoad, stagesText } from '../summary/load-summary.js';
import { duration, percent, rate } from '../text/quantity.js';
import type { Change } from './change.js';

/** The tolerance of `report compare` if none is given: 10 %. */
export const usualTolerance = 0.1;

/** With fewer requests than these the percentile is the slowest request alone, which says nothing of the service. */
const leastRequests = { p50: 2, p90: 10, p99: 100, p999: 1_000 } as const;
const percentiles = Object.keys(leastRequests) as (keyof typeof leastRequests)[];

/** A figure of a load, which may be undefined. */
interface Figure {
  readonly name: string;
  readonly of: (load: LoadMeasurement) => number | undefined;
  readonly better: 'more' | 'less';
  /** A smaller difference is none. */
  readonly least?: number;
  readonly text: (value: number) => string;
}

const shareOf =
  (part: 'errors' | 'refused') =>
  (load: LoadMeasurement): number =>
    load[part] / Math.max(1, load.sent);

/** Below a millisecond a latency differs by the machine's scheduling, not by the service. */
const latencies = (['latency', 'service'] as const).flatMap((kind) =>
  percentiles.map((percentile): Figure => {
    const of = (load: LoadMeasurement): number | undefined =>
      load.sent >= leastRequests[percentile] ? load[kind]?.[percentile] : undefined;
    return { name: `${kind} ${percentile}`, of, better: 'less', least: 1, text: duration };
  }),
);

/** What of two loads is compared. */
const figures: readonly Figure[] = [
  { name: 'sent', of: (load) => (1_000 * load.sent) / load.durationMs, better: 'more', text: rate },
  { name: 'goodput', of: (load) => load.goodputPerSecond, better: 'more', text: rate },
  { name: 'errors', of: shareOf('errors'), better: 'less', text: percent },
  { name: 'refused', of: shareOf('refused'), better: 'less', text: percent },
  ...latencies,
];

/** Compares the figures that both loads have: one is worse or better if it differs by more than the tolerance. */
export function compareLoads(before: LoadMeasurement, after: LoadMeasurement, tolerance: number): Change[] {
  return figures.flatMap(({ name, of, better, least = 0, text }) => {
    const [was, is] = [of(before), of(after)];
    if (was === undefined || is === undefined) return [];
    const isBeyond = Math.abs(is - was) > tolerance * was && Math.abs(is - was) >= least;
    const kind = !isBeyond ? 'equal' : is > was === (better === 'more') ? 'better' : 'worse';
    const code = kind === 'worse' ? 1 : 0;
    return [{ kind, name, before: text(was), after: text(is), detail: differenceText(was, is), code }];
  });
}

function differenceText(was: number, is: number): string {
  if (was === is) return '0 %';
  if (was === 0) return 'from none';
  return `${is > was ? '+' : '−'}${percent(Math.abs(is - was) / was)}`;
}

/** @throws UsageProblem for a load beside a run of the suite, loads of another rate or mix, and a tolerance without loads. */
export function refuseIncomparable(before: RunRecord, after: RunRecord, tolerance?: number): void {
  if (isLoad(before) !== isLoad(after))
    throw new UsageProblem('one is a load, the other is not: compare two of one kind');
  if (!isLoad(before)) {
    if (tolerance !== undefined) throw new UsageProblem('--tolerance is for two loads');
    return;
  }
  if (!before.load || !after.load)
    throw new UsageProblem('a load that measured nothing is compared with none');
  const differing = differentLoads(before.load, after.load).join(' and ');
  if (differing !== '')
    throw new UsageProblem(`the loads differ in ${differing}: compare loads of one rate and mix`);
}

/** What makes two loads different experiments, each with its two values: another rate or stages, another mix. */
export function differentLoads(before: LoadMeasurement, after: LoadMeasurement): string[] {
  const differing = (name: string, of: (load: LoadMeasurement) => string): string[] =>
    of(before) === of(after) ? [] : [`${name} (${of(before)} and ${of(after)})`];
  return [...differing('rate', rateText), ...differing('mix', mixText)];
}

function rateText(load: LoadMeasurement): string {
  return (load.stages ?? []).length > 1 ? stagesText(load) : rate(load.ratePerSecond);
}

/** The operations by their share of the load: a mix of 8 to 2 is one of 4 to 1. */
function mixText({ mix }: LoadMeasurement): string {
  const all = Object.values(mix).reduce((sum, weight) => sum + weight, 0);
  return Object.entries(mix)
    .filter(([, weight]) => weight > 0)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([name, weight]) => `${percent(weight / all)} ${name}`)
    .join(', ');
}
