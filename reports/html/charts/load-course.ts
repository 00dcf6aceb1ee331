import type { PlanMeasurement } from '../../../lib/record/record.js';

type Phase = PlanMeasurement['phases'][number];

/** What came back in one stretch of a load. */
export interface Stretch {
  /** Its middle, in seconds since the load began. */
  readonly seconds: number;
  readonly goodPerSecond: number;
  /** Refused with 429, answered with another error, or not at all. */
  readonly missedPerSecond: number;
  /** Milliseconds; absent where nothing was answered. */
  readonly median: number | undefined;
  readonly longest: number | undefined;
}

const mostStretches = 60;
/** A stretch of fewer would go up and down by one request. */
const fewestPlanned = 10;
const lengths = [0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600];

/**
 * A load's course, stretch by stretch of equal length. A series that is a sample holds each refusal, or nearly, and of
 * all else one in so many: each kind counts for as many as it stands for.
 */
export function courseOf({ series, durationMs, sent, refused }: Phase, planned: number): Stretch[] {
  if (series.length === 0) return [];
  const seconds = durationMs / 1_000;
  const length =
    lengths.find((each) => seconds / each <= mostStretches && each * planned >= fewestPlanned) ??
    Math.max(seconds / mostStretches, fewestPlanned / planned);
  const refusals = series.filter(({ status }) => status === 429).length;
  const weightOfRefusal = refused / Math.max(1, refusals);
  const weight = (sent - refused) / Math.max(1, series.length - refusals);
  const count = Math.max(1, Math.round(seconds / length));
  return Array.from({ length: count }, (_, index) => {
    const from = index * length * 1_000;
    const last = index === count - 1;
    const lasted = last ? seconds - index * length : length;
    const own = series.filter(({ t }) => t >= from && (last || t < from + length * 1_000));
    const good = own.filter(({ status }) => isGood(status)).length * weight;
    const refusedHere = own.filter(({ status }) => status === 429).length;
    const failed = own.length - refusedHere - own.filter(({ status }) => isGood(status)).length;
    const latencies = own
      .flatMap(({ latencyMs }) => (latencyMs === undefined ? [] : [latencyMs]))
      .toSorted((one, other) => one - other);
    return {
      seconds: index * length + lasted / 2,
      goodPerSecond: good / lasted,
      missedPerSecond: (refusedHere * weightOfRefusal + failed * weight) / lasted,
      median: latencies[Math.floor((latencies.length - 1) / 2)],
      longest: latencies.at(-1),
    };
  });
}

function isGood(status: number | null): boolean {
  return status !== null && status < 400;
}
