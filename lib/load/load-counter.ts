import type { Histogram } from 'hdr-histogram-js';
import { parseTimestamp, roundedDuration } from '../http/clock/clock.js';
import { isNoConnection, type Exchange } from '../http/exchange/exchange.js';
import type { Mix } from './load-operations.js';
import { latencyHistogram, recordLatency, summarize } from './latency.js';
import type { PacedResult } from './paced.js';
import type { LoadMeasurement, PlanMeasurement } from '../record/record.js';
import { Pause } from './pause.js';
import { judgeThreshold, type Threshold } from './thresholds.js';

/** Exchanges kept as evidence; after them only failures, 429s and a sample. */
const mostRecorded = 2_000;
const sampleEvery = 100;
/** Requests in a row without a connection: the target is not just restarting. */
const lostAfter = 3;

/** What is known of a load before its first response. */
export interface LoadFacts {
  /** Requests per second. */
  readonly ratePerSecond: number;
  readonly mix: Mix;
  /** Requests that are planned. */
  readonly planned: number;
  /** The planned moment of the whole load's first request, in epoch milliseconds. */
  readonly startedAt: number;
  readonly thresholds: readonly Threshold[];
}

/** The state of a load while it runs. */
export interface LoadState extends Readonly<Record<Count, number>> {
  /** Negative before the load begins. */
  readonly elapsedMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Milliseconds for which nothing is sent, because a 429 asked for it. */
  readonly waitingMs: number;
}
type Count = 'sent' | 'good' | 'refused' | 'errors' | 'withheld';

export interface LoadResult {
  readonly load: LoadMeasurement;
  readonly phase: PlanMeasurement['phases'][number];
  /** At the end request after request found no connection. */
  readonly lost: boolean;
}

/**
 * Counts the exchanges of a load, in memory that does not grow with it. It reads what is recorded of an exchange and
 * nothing else, so that the recorded exchanges give the same figures again.
 */
export class LoadCounter {
  readonly #facts: LoadFacts;
  readonly #latency = latencyHistogram();
  readonly #byOperation = new Map<string, Histogram>();
  readonly #byStatus = new Map<string, number>();
  readonly #pause = new Pause();
  readonly #counts: Record<Count, number> = { sent: 0, good: 0, refused: 0, errors: 0, withheld: 0 };
  /** Latencies above the bound of a threshold. */
  readonly #slower = new Map<Threshold, number>();
  #recorded = 0;
  #sentAfterFirst429 = 0;
  #first429At = Number.POSITIVE_INFINITY;
  #unconnectedInARow = 0;

  constructor(facts: LoadFacts) {
    this.#facts = facts;
  }

  /** Called before each request: until when nothing may be sent. */
  pausedUntil(now: number): number | undefined {
    if (now >= this.#pause.until) return undefined;
    this.#counts.withheld += 1;
    return this.#pause.until;
  }

  state(now: number): LoadState {
    return {
      ...this.#counts,
      elapsedMs: now - this.#facts.startedAt,
      p50Ms: this.#latency.getValueAtPercentile(50) / 1000,
      p99Ms: this.#latency.getValueAtPercentile(99) / 1000,
      waitingMs: Math.max(0, this.#pause.until - now),
    };
  }

  /** Counts an exchange. Returns whether the exchange is kept as evidence, or stands for others like it. */
  add({ operation, sentAt, timing, response, failure }: Omit<Exchange, 'id'>): boolean {
    const status = response?.status ?? null;
    const headers = response?.headers ?? [];
    const sent = parseTimestamp(sentAt);
    const at = sent + (timing.firstByte ?? timing.total);
    // From the planned moment: a service that is late makes later requests wait, and that counts. A request without a
    // response has a latency, too: a client waited for it.
    const latencyMs = roundedDuration(timing.wait + (timing.firstByte ?? timing.total));
    const index = this.#counts.sent;
    this.#counts.sent += 1;
    if (sent > this.#first429At) this.#sentAfterFirst429 += 1;
    recordLatency(this.#latency, latencyMs);
    for (const threshold of this.#facts.thresholds)
      if (latencyMs > threshold.bound) this.#slower.set(threshold, (this.#slower.get(threshold) ?? 0) + 1);
    const name = operation ?? 'unlisted';
    const own = this.#byOperation.get(name) ?? latencyHistogram();
    this.#byOperation.set(name, own);
    recordLatency(own, latencyMs);
    const label = status === null ? (failure?.kind ?? 'no response') : String(status);
    this.#byStatus.set(label, (this.#byStatus.get(label) ?? 0) + 1);
    this.#unconnectedInARow = failure && isNoConnection(failure.kind) ? this.#unconnectedInARow + 1 : 0;
    if (status === 429) {
      this.#counts.refused += 1;
      this.#first429At = Math.min(this.#first429At, at);
      this.#pause.rejected({ sentAt: sent, at, headers });
    } else if (status !== null && status < 400 && !failure) {
      this.#counts.good += 1;
      this.#pause.admitted();
    } else this.#counts.errors += 1;
    const failed = status === null || status >= 400;
    const isEvidence =
      this.#recorded < (failed ? 2 * mostRecorded : mostRecorded) || index % sampleEvery === 0;
    if (isEvidence) this.#recorded += 1;
    return isEvidence;
  }

  result({ endedAt, withheld }: PacedResult): LoadResult {
    const { ratePerSecond, mix, planned, thresholds, startedAt } = this.#facts;
    const { sent, good, refused, errors } = this.#counts;
    const durationMs = Math.round(endedAt - startedAt);
    const goodputPerSecond = Math.round((good / Math.max(0.001, durationMs / 1000)) * 100) / 100;
    const latency = sent === 0 ? {} : { latency: summarize(this.#latency) };
    const figures = { sent, errors, refused, goodputPerSecond, ...latency };
    const slower = (threshold: Threshold): number => this.#slower.get(threshold) ?? 0;
    return {
      load: {
        ...figures,
        ratePerSecond,
        durationMs,
        mix: { ...mix },
        planned,
        good,
        withheld,
        byStatus: Object.fromEntries([...this.#byStatus].sort(([one], [other]) => one.localeCompare(other))),
        byOperation: Object.fromEntries(
          [...this.#byOperation].map(([name, histogram]) => [
            name,
            { sent: histogram.totalCount, latency: summarize(histogram) },
          ]),
        ),
        thresholds: thresholds.map((threshold) => judgeThreshold(threshold, { ...figures, slower })),
      },
      phase: {
        name: 'load',
        startedAt: new Date(startedAt).toISOString(),
        durationMs,
        sent,
        admitted: good,
        refused,
        failed: errors,
        sentAfterFirst429: this.#sentAfterFirst429,
        sender: 'undici pool, evenly paced',
        exact: true,
        windows: [],
        ...latency,
        series: [],
        seriesOmitted: sent,
      },
      lost: this.#unconnectedInARow >= lostAfter,
    };
  }
}
