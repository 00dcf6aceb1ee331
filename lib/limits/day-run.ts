import { summarize } from '../load/latency.js';
import type { PlanMeasurement } from '../record/record.js';
import { DayCounting, type DayRunOptions } from './day-counting.js';
import { nothingUsed, type DayEvidence } from './judge-day.js';
import { clockDifference, clockDifferenceOf } from './target-clock.js';

export { minutesOfDay, type DayRunOptions } from './day-counting.js';

export interface DayRun {
  readonly evidence: DayEvidence;
  readonly phase: PlanMeasurement['phases'][number];
  /** Why it did not get to its end; it can be gone on with. */
  readonly stopped?: string;
}

/**
 * Sends a plan's day, paced just under its minute, until the day's 429 comes or more is admitted than any honest limiter
 * lets through. Every request stands in the journal before it is sent, so that the counting survives its end.
 */
export async function countDay(options: DayRunOptions): Promise<DayRun> {
  const counting = new DayCounting(options);
  await counting.run();
  const evidence = evidenceOf(counting, options);
  const { stopped } = counting;
  return {
    evidence,
    phase: phaseOf(counting, evidence.span),
    ...(stopped === undefined ? {} : { stopped }),
  };
}

function evidenceOf(
  counting: DayCounting,
  { plan, clock, dayMs = 86_400_000, usedBefore = nothingUsed }: DayRunOptions,
): DayEvidence {
  const now = clock.now();
  const begun = counting.count.firstSentAt ?? counting.startedAt;
  const ahead = clockDifference(clockDifferenceOf(counting.first));
  const dayOf = (moment: number): number => Math.floor((moment + ahead) / dayMs);
  const reachedBefore = counting.count.end !== undefined && counting.refusal === undefined;
  return {
    plan,
    dayMs,
    count: counting.count,
    mayRefill: counting.mayRefill,
    span: now - begun,
    usedBefore,
    refusal: counting.refusal,
    beyond: counting.beyond,
    others: counting.others,
    crossedMidnight: dayOf(begun) !== dayOf(now),
    stopped:
      counting.stopped ??
      (reachedBefore
        ? "the day's limit has been reached already; it is counted anew when it has reset"
        : undefined),
  };
}

function phaseOf(counting: DayCounting, span: number): DayRun['phase'] {
  const { sentNow, admittedNow, refusedNow, failedNow, series, count, histogram } = counting;
  return {
    name: 'day',
    startedAt: new Date(counting.startedAt).toISOString(),
    durationMs: Math.round(span),
    sent: sentNow,
    admitted: admittedNow,
    refused: refusedNow,
    failed: failedNow,
    sentAfterFirst429: Math.max(0, refusedNow - 1),
    sender: 'undici pool, evenly paced',
    exact: count.sent === count.answered,
    windows: [],
    ...(sentNow === 0 ? {} : { latency: summarize(histogram, false) }),
    series: [...series],
    seriesOmitted: Math.max(0, sentNow - series.length),
  };
}
