import type { LoadMeasurement } from '../../lib/evidence/record/load-measurement.js';
import { stagesText } from '../summary/load-summary.js';
import { duration, percent, rate } from '../text/quantity.js';
import type { Change } from './change.js';

/** The tolerance of `report compare` if none is given: 10 %. */
export const usualTolerance = 0.1;

/** Milliseconds. Below it a latency differs by the machine's scheduling, not by the service. */
const leastLatencyMs = 1;

/** With fewer requests than these the percentile is the slowest request alone, which says nothing of the service. */
const leastRequests = { p50: 2, p90: 10, p99: 100, p999: 1_000 } as const;
const percentiles = ['p50', 'p90', 'p99', 'p999'] as const;

/** One figure of two loads. */
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
    rate: (load.stages ?? []).length > 1 ? stagesText(load) : rate(load.ratePerSecond),
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
export function compareLoads(before: LoadMeasurement, after: LoadMeasurement, tolerance: number): Change[] {
  const both = (figure: (load: LoadMeasurement) => number): [number, number] => [
    figure(before),
    figure(after),
  ];
  const share = (part: 'errors' | 'refused'): Measure => ({
    name: part,
    values: both((load) => load[part] / Math.max(1, load.sent)),
    better: 'less',
    text: percent,
  });
  const sent = both((load) => (1_000 * load.sent) / load.durationMs);
  const measures: Measure[] = [
    { name: 'sent', values: sent, better: 'more', text: rate },
    { name: 'goodput', values: both((load) => load.goodputPerSecond), better: 'more', text: rate },
    share('errors'),
    share('refused'),
    ...latencyMeasures('latency', before, after),
    ...latencyMeasures('service', before, after),
  ];
  return measures.map((measure) => changeOf(measure, tolerance));
}

/** Empty if one of the loads did not measure it. */
function latencyMeasures(
  name: 'latency' | 'service',
  { [name]: was, sent: sentBefore }: LoadMeasurement,
  { [name]: is, sent: sentAfter }: LoadMeasurement,
): Measure[] {
  if (!was || !is) return [];
  return percentiles
    .filter((percentile) => Math.min(sentBefore, sentAfter) >= leastRequests[percentile])
    .map((percentile) => ({
      name: `${name} ${percentile}`,
      values: [was[percentile], is[percentile]],
      better: 'less',
      least: leastLatencyMs,
      text: duration,
    }));
}

function changeOf({ name, values, better, least = 0, text }: Measure, tolerance: number): Change {
  const [was, is] = values;
  const isBeyond = Math.abs(is - was) > tolerance * was && Math.abs(is - was) >= least;
  const kind = !isBeyond ? 'equal' : is > was === (better === 'more') ? 'better' : 'worse';
  const code = kind === 'worse' ? 1 : 0;
  return { kind, name, before: text(was), after: text(is), detail: differenceText(was, is), code };
}

function differenceText(was: number, is: number): string {
  if (was === is) return '0 %';
  if (was === 0) return 'from none';
  return `${is > was ? '+' : '−'}${percent(Math.abs(is - was) / was)}`;
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
