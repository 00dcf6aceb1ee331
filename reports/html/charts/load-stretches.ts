import type { PlanMeasurement } from '../../../lib/record/record.js';

type Phase = PlanMeasurement['phases'][number];

/** What came back in one stretch of a load. */
export interface Stretch {
  /** Its middle, in seconds since the load began. */
  readonly seconds: number;
  readonly goodPerSecond: number;
  /** Rejected with 429, another error, or no response. */
  readonly missedPerSecond: number;
  /** Milliseconds; undefined if there was no response. */
  readonly median: number | undefined;
  readonly longest: number | undefined;
}

const mostStretches = 60;
/** A stretch of fewer would go up and down by one request. */
const fewestPlanned = 10;
const lengths = [0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600];

/**
 * A load over time, in stretches of equal length. A series that is a sample holds nearly every rejection, and of all else
 * one in so many: each kind counts for as many as it stands for.
 */
export function stretchesOf({ series, durationMs, sent, refused }: Phase, planned: number): Stretch[] {
  if (series.length === 0) return [];
  const seconds = durationMs / 1_000;
  const length =
    lengths.find((each) => seconds / each <= mostStretches && each * planned >= fewestPlanned) ??
    Math.max(seconds / mostStretches, fewestPlanned / planned);
  const rejections = series.filter(({ status }) => status === 429).length;
  const weightOfRejection = refused / Math.max(1, rejections);
  const weight = (sent - refused) / Math.max(1, series.length - rejections);
  const number = Math.max(1, Math.round(seconds / length));
  return Array.from({ length: number }, (_, index) => {
    const from = index * length * 1_000;
    const last = index === number - 1;
    const lasted = last ? seconds - index * length : length;
    const own = series.filter(({ t }) => t >= from && (last || t < from + length * 1_000));
    const good = own.filter(({ status }) => status !== null && status < 400).length;
    const rejected = own.filter(({ status }) => status === 429).length;
    const failed = own.length - rejected - good;
    const latencies = own.flatMap(({ latencyMs }) => latencyMs ?? []).toSorted((one, other) => one - other);
    return {
      seconds: index * length + lasted / 2,
      goodPerSecond: (good * weight) / lasted,
      missedPerSecond: (rejected * weightOfRejection + failed * weight) / lasted,
      median: latencies[Math.floor((latencies.length - 1) / 2)],
      longest: latencies.at(-1),
    };
  });
}
