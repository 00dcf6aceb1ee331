import type { Latency, LoadMeasurement } from '../../lib/record/record.js';
import { stagesText } from '../summary/load-summary.js';
import { duration, rate } from '../text/quantity.js';

/** One figure of two loads. `equal`: the difference is within the tolerance. */
export interface MeasureChange {
  readonly kind: 'worse' | 'better' | 'equal';
  readonly name: string;
  readonly before: string;
  readonly after: string;
  /** In percent of the earlier figure: `+37 %`. */
  readonly difference: string;
}

export interface LoadComparison {
  /** A share of the earlier figure, from 0: 0.1 is 10 %. */
  readonly tolerance: number;
  readonly measures: readonly MeasureChange[];
}

/** The tolerance of `report compare` if none is given: 10 %. */
export const usualTolerance = 0.1;

/** Milliseconds. Below it a latency differs by the machine's scheduling, not by the service. */
const leastLatencyMs = 1;

/** With fewer requests than these the percentile is the slowest request alone, which says nothing of the service. */
const leastRequests = { p50: 2, p90: 10, p99: 100, p999: 1_000 } as const;
const percentiles = ['p50', 'p90', 'p99', 'p999'] as const;

interface Measure {
  readonly name: string;
  readonly values: readonly [before: number, after: number];
  readonly better: 'more' | 'less';
  /** A smaller difference is none. */
  readonly least?: number;
  readonly text: (value: number) => string;
}

/** What makes two loads different experiments, each with its two values: another rate or stages, another mix of operations. */
export function differentLoads(before: LoadMeasurement, after: LoadMeasurement): string[] {
  const [was, is] = [before, after].map((load) => ({
    rate: stagesText(load.stages) ?? rate(load.ratePerSecond),
    mix: mixText(load),
  }));
  return (['rate', 'mix'] as const).flatMap((name) =>
    was?.[name] === is?.[name] ? [] : [`${name} (${was?.[name]} and ${is?.[name]})`],
  );
}

/**
 * Compares what was sent, what succeeded, errors, 429 responses and percentiles of latency. A figure is worse or better
 * if it differs by more than the tolerance, and a latency also by at least 1 ms.
 */
export function compareLoads(
  before: LoadMeasurement,
  after: LoadMeasurement,
  tolerance: number,
): LoadComparison {
  const both = (figure: (load: LoadMeasurement) => number): [number, number] => [
    figure(before),
    figure(after),
  ];
  const measures: Measure[] = [
    { name: 'sent', values: both(sentPerSecond), better: 'more', text: rate },
    { name: 'goodput', values: both((load) => load.goodputPerSecond), better: 'more', text: rate },
    { name: 'errors', values: both((load) => shareOf(load.errors, load)), better: 'less', text: percent },
    { name: 'refused', values: both((load) => shareOf(load.refused, load)), better: 'less', text: percent },
    ...latencyMeasures('latency', before, after),
    ...latencyMeasures('service', before, after),
  ];
  return { tolerance, measures: measures.map((measure) => changeOf(measure, tolerance)) };
}

/** Empty if one of the loads did not measure it. */
function latencyMeasures(
  name: 'latency' | 'service',
  before: LoadMeasurement,
  after: LoadMeasurement,
): Measure[] {
  const [was, is]: (Latency | undefined)[] = [before[name], after[name]];
  if (!was || !is) return [];
  const fewest = Math.min(before.sent, after.sent);
  return percentiles
    .filter((percentile) => fewest >= leastRequests[percentile])
    .map((percentile) => ({
      name: `${name} ${percentile}`,
      values: [was[percentile], is[percentile]],
      better: 'less',
      least: leastLatencyMs,
      text: duration,
    }));
}

function changeOf({ name, values, better, least = 0, text }: Measure, tolerance: number): MeasureChange {
  const [was, is] = values;
  const isBeyond = Math.abs(is - was) > tolerance * was && Math.abs(is - was) >= least;
  const isBetter = better === 'more' ? is > was : is < was;
  const kind = !isBeyond ? 'equal' : isBetter ? 'better' : 'worse';
  return { kind, name, before: text(was), after: text(is), difference: differenceText(was, is) };
}

function differenceText(was: number, is: number): string {
  if (was === is) return '0 %';
  if (was === 0) return 'from none';
  return `${is > was ? '+' : '−'}${percent(Math.abs(is - was) / was)}`;
}

/** `12.5 %` */
export function percent(share: number): string {
  return `${Number((100 * share).toPrecision(3))} %`;
}

const sentPerSecond = ({ sent, durationMs }: LoadMeasurement): number => (1_000 * sent) / durationMs;

const shareOf = (part: number, { sent }: LoadMeasurement): number => part / Math.max(1, sent);

/** The operations by their share of the load: a mix of 8 to 2 is one of 4 to 1. */
function mixText({ mix }: LoadMeasurement): string {
  const all = Object.values(mix).reduce((sum, weight) => sum + weight, 0);
  return Object.entries(mix)
    .filter(([, weight]) => weight > 0)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([name, weight]) => `${percent(weight / all)} ${name}`)
    .join(', ');
}
