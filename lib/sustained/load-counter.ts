import type { Histogram } from 'hdr-histogram-js';
import { isNoConnection } from '../http/exchange/exchange.js';
import { parseRateHeaders } from '../http/headers/rate-headers.js';
import { latencyHistogram, recordLatency, summarize } from '../load/latency-histogram.js';
import { isRefused, type LedgerEntry } from '../load/ledger.js';
import type { PacedEntry, PacedResult } from '../load/paced.js';
import type { LoadMeasurement, PlanMeasurement } from '../record/record.js';
import type { LoadPlan } from './load-options.js';
import { Pause } from './pause.js';
import { judgeThreshold, type Threshold } from './thresholds.js';

/** Exchanges kept as evidence; after them only failures, 429s and a sample. */
const mostRecorded = 2_000;
const sampleEvery = 100;
/** Points of the time series. */
const mostPoints = 600;
/** Requests in a row without a connection: the target is not just restarting. */
const lostAfter = 3;

export interface LoadCounterOptions extends LoadPlan {
  readonly thresholds: readonly Threshold[];
  /** Requests that are planned. */
  readonly planned: number;
  /** Called for each request: whether its exchange is kept as evidence. */
  readonly keep: (entry: LedgerEntry, asEvidence: boolean) => void;
}

/** The state of a load while it runs. */
export interface LoadState extends Readonly<Pick<LoadMeasurement, Count | 'durationMs'>> {
  readonly elapsedMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Milliseconds for which nothing is sent, because a 429 asked for it. */
  readonly waitingMs: number;
}
type Count = 'sent' | 'good' | 'refused' | 'errors' | 'withheld';

type Phase = PlanMeasurement['phases'][number];

export interface LoadResult {
  readonly load: LoadMeasurement;
  readonly phase: Phase;
  /** At the end request after request found no connection. */
  readonly lost: boolean;
}

/** Counts the responses of a load, in memory that does not grow with it. */
export class LoadCounter {
  readonly #options: LoadCounterOptions;
  readonly #latency = latencyHistogram();
  readonly #byOperation = new Map<string, Histogram>();
  readonly #byStatus = new Map<string, number>();
  readonly #series: Phase['series'] = [];
  readonly #pause = new Pause();
  readonly #counts: Record<Count, number> = { sent: 0, good: 0, refused: 0, errors: 0, withheld: 0 };
  /** Latencies above the bound of a threshold. */
  readonly #slower = new Map<Threshold, number>();
  #recorded = 0;
  #sentAfterFirst429 = 0;
  #first429At = Number.POSITIVE_INFINITY;
  #unconnectedInARow = 0;
  #startedAt: number | undefined;

  constructor(options: LoadCounterOptions) {
    this.#options = options;
  }

  /** Called before each request: until when nothing may be sent. */
  pausedUntil(now: number): number | undefined {
    this.#startedAt ??= now;
    if (now >= this.#pause.until) return undefined;
    this.#counts.withheld += 1;
    return this.#pause.until;
  }

  state(now: number): LoadState {
    return {
      ...this.#counts,
      elapsedMs: now - (this.#startedAt ?? now),
      durationMs: this.#options.durationMs,
      p50Ms: this.#latency.getValueAtPercentile(50) / 1000,
      p99Ms: this.#latency.getValueAtPercentile(99) / 1000,
      waitingMs: Math.max(0, this.#pause.until - now),
    };
  }

  add(one: PacedEntry): void {
    const { entry, latencyMs } = one;
    const { status, failure } = entry;
    const index = this.#counts.sent;
    this.#counts.sent += 1;
    if (entry.sentAt > this.#first429At) this.#sentAfterFirst429 += 1;
    // A request without a response has a latency, too: a client waited for it.
    recordLatency(this.#latency, latencyMs);
    for (const threshold of this.#options.thresholds)
      if (latencyMs > threshold.bound) this.#slower.set(threshold, (this.#slower.get(threshold) ?? 0) + 1);
    const operation = entry.request.operation ?? 'unlisted';
    const own = this.#byOperation.get(operation) ?? latencyHistogram();
    this.#byOperation.set(operation, own);
    recordLatency(own, latencyMs);
    const label = status === null ? (failure?.kind ?? 'no response') : String(status);
    this.#byStatus.set(label, (this.#byStatus.get(label) ?? 0) + 1);
    this.#unconnectedInARow = failure && isNoConnection(failure.kind) ? this.#unconnectedInARow + 1 : 0;
    if (isRefused(entry)) {
      this.#counts.refused += 1;
      this.#first429At = Math.min(this.#first429At, entry.at);
      this.#pause.rejected(entry);
    } else if (status !== null && status < 400 && !failure) {
      this.#counts.good += 1;
      this.#pause.admitted();
    } else this.#counts.errors += 1;
    const every = Math.max(1, Math.ceil(this.#options.planned / mostPoints));
    if (index % every === 0 || (isRefused(entry) && this.#series.length < mostPoints * 2)) this.#plot(one);
    const failed = status === null || status >= 400;
    const most = failed ? 2 * mostRecorded : mostRecorded;
    const asEvidence = this.#recorded < most || index % sampleEvery === 0;
    if (asEvidence) this.#recorded += 1;
    this.#options.keep(entry, asEvidence);
  }

  #plot({ entry, plannedAt, latencyMs }: PacedEntry): void {
    const { remaining, reset } = parseRateHeaders(entry.headers);
    this.#series.push({
      t: Math.round((plannedAt - (this.#startedAt ?? plannedAt)) * 10) / 10,
      status: entry.status,
      ...(remaining === undefined ? {} : { remaining }),
      ...(reset === undefined ? {} : { reset }),
      latencyMs: Math.round(latencyMs * 100) / 100,
    });
  }

  result({ startedAt, endedAt, withheld }: Omit<PacedResult, 'sent'>): LoadResult {
    const { ratePerSecond, mix, thresholds } = this.#options;
    const { sent, good, refused, errors } = this.#counts;
    const durationMs = Math.round(endedAt - startedAt);
    const goodputPerSecond = Math.round((good / Math.max(0.001, durationMs / 1000)) * 100) / 100;
    const latency = sent === 0 ? {} : { latency: summarize(this.#latency, true) };
    const figures = { sent, errors, refused, goodputPerSecond, ...latency };
    const slower = (threshold: Threshold): number => this.#slower.get(threshold) ?? 0;
    return {
      load: {
        ...figures,
        ratePerSecond,
        durationMs,
        mix: { ...mix },
        good,
        withheld,
        byStatus: Object.fromEntries([...this.#byStatus].sort(([one], [other]) => one.localeCompare(other))),
        byOperation: Object.fromEntries(
          [...this.#byOperation].map(([name, histogram]) => [
            name,
            { sent: histogram.totalCount, latency: summarize(histogram, false) },
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
        ...(sent === 0 ? {} : { latency: summarize(this.#latency, false) }),
        series: this.#series.sort((a, b) => a.t - b.t),
        seriesOmitted: Math.max(0, sent - this.#series.length),
      },
      lost: this.#unconnectedInARow >= lostAfter,
    };
  }
}
