import type { Histogram } from 'hdr-histogram-js';
import { isTaken } from '../session/creation.js';
import { isNoConnection, type Exchange } from '../http/exchange/exchange.js';
import { parseRateHeaders } from '../http/headers/rate-headers.js';
import { waitOf } from '../http/headers/retry-after.js';
import type { Redact } from '../http/redaction/redaction.js';
import type { LoadMeasurement, PlanMeasurement } from '../record/record.js';
import { latencyHistogram, recordLatency, summarize } from '../load/latency.js';
import { isRefused, type LedgerEntry } from '../load/ledger.js';
import type { Mix } from './mix.js';
import type { PacedEntry } from '../load/paced.js';
import { recordedEntry } from '../load/recorded-entry.js';
import type { PlannedRequest } from '../http/exchange/planned-request.js';
import type { LoadTarget } from '../load/load-target.js';
import { judgeThreshold, type LoadFigures, type Threshold } from './thresholds.js';

/** Exchanges kept as evidence; behind them only failures, refusals and a sample. */
const mostRecorded = 2_000;
const sampleEvery = 100;
/** Points of the time series. */
const mostPoints = 600;
const progressEvery = 500;
/** Requests in a row without a connection that are no restart of the target. */
const lostAfter = 3;
/** Longest pause that is kept to, where a 429 asks for one. */
const longestPause = 600_000;

export interface TallyOptions {
  readonly target: LoadTarget;
  readonly ratePerSecond: number;
  readonly durationMs: number;
  readonly mix: Mix;
  readonly thresholds: readonly Threshold[];
  readonly created: (entry: LedgerEntry, name: string) => void;
  readonly redact: Redact;
  readonly record: (exchange: Omit<Exchange, 'id'>) => Exchange;
  /** How it stands, about once a second. */
  readonly progress: (state: LoadState) => void;
}

/** How a load stands. */
export interface LoadState {
  readonly elapsedMs: number;
  readonly durationMs: number;
  readonly sent: number;
  readonly good: number;
  readonly refused: number;
  readonly errors: number;
  readonly withheld: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Milliseconds for which nothing is sent, as the target asked. */
  readonly waitingMs: number;
}

export interface LoadRun {
  readonly load: LoadMeasurement;
  readonly phase: PlanMeasurement['phases'][number];
  /** At the end nobody was there: request after request found no connection. */
  readonly lost: boolean;
}

/** Counts what comes back, in memory that does not grow with the load. */
export class Tally {
  readonly names = new Map<PlannedRequest, string>();
  readonly #options: TallyOptions;
  readonly #all = latencyHistogram();
  readonly #byOperation = new Map<string, { sent: number; histogram: Histogram }>();
  readonly #byStatus = new Map<string, number>();
  readonly #series: PlanMeasurement['phases'][number]['series'] = [];
  readonly #every: number;
  #sent = 0;
  #good = 0;
  #refused = 0;
  #errors = 0;
  #recorded = 0;
  #sentAfterFirst429 = 0;
  #firstRefusalAt = Number.POSITIVE_INFINITY;
  #refusalsInARow = 0;
  #pausedUntil = 0;
  #unconnectedInARow = 0;
  #startedAt: number | undefined;
  #toldAt = 0;
  #withheld = 0;

  constructor(options: TallyOptions, count: number) {
    this.#options = options;
    this.#every = Math.max(1, Math.ceil(count / mostPoints));
  }

  /** Called before each arrival: tells how it stands, and until when nothing is to be sent. */
  tick(now: number): number | undefined {
    this.#startedAt ??= now;
    const paused = now < this.#pausedUntil ? this.#pausedUntil : undefined;
    if (paused !== undefined) this.#withheld += 1;
    if (now - this.#toldAt >= progressEvery) {
      this.#toldAt = now;
      this.#options.progress(this.#state(now));
    }
    return paused;
  }

  #state(now: number): LoadState {
    return {
      elapsedMs: now - (this.#startedAt ?? now),
      durationMs: this.#options.durationMs,
      sent: this.#sent,
      good: this.#good,
      refused: this.#refused,
      errors: this.#errors,
      withheld: this.#withheld,
      p50Ms: this.#all.getValueAtPercentile(50) / 1000,
      p99Ms: this.#all.getValueAtPercentile(99) / 1000,
      waitingMs: Math.max(0, this.#pausedUntil - now),
    };
  }

  add(one: PacedEntry): void {
    const { entry, latencyMs } = one;
    const index = this.#sent;
    this.#sent += 1;
    if (entry.sentAt > this.#firstRefusalAt) this.#sentAfterFirst429 += 1;
    const operation = entry.request.operation ?? 'unlisted';
    const own = this.#byOperation.get(operation) ?? { sent: 0, histogram: latencyHistogram() };
    this.#byOperation.set(operation, own);
    own.sent += 1;
    // What got no answer at all still had somebody waiting for it.
    recordLatency(this.#all, latencyMs);
    recordLatency(own.histogram, latencyMs);
    const status = entry.status === null ? (entry.failure?.kind ?? 'no answer') : String(entry.status);
    this.#byStatus.set(status, (this.#byStatus.get(status) ?? 0) + 1);
    const unconnected = entry.failure !== undefined && isNoConnection(entry.failure.kind);
    this.#unconnectedInARow = unconnected ? this.#unconnectedInARow + 1 : 0;
    if (isRefused(entry)) this.#refusal(entry);
    else if (entry.status !== null && entry.status < 400 && !entry.failure) this.#success(entry);
    else this.#errors += 1;
    if (index % this.#every === 0 || (isRefused(entry) && this.#series.length < mostPoints * 2))
      this.#plot(one);
    this.#keep(entry, index);
  }

  #success(entry: LedgerEntry): void {
    this.#good += 1;
    this.#refusalsInARow = 0;
    const name = this.names.get(entry.request);
    if (name !== undefined && isTaken(entry.status)) this.#options.created(entry, name);
    this.names.delete(entry.request);
  }

  /** Section 8.2 and 8.3: wait as told, and longer each time that it was not enough. */
  #refusal(entry: LedgerEntry): void {
    this.#refused += 1;
    this.#firstRefusalAt = Math.min(this.#firstRefusalAt, entry.at);
    this.names.delete(entry.request);
    // Several may have been under way when the first was refused: they are one refusal.
    if (entry.sentAt < this.#pausedUntil) return;
    this.#refusalsInARow += 1;
    // A date is read against the target's clock, which may be wrong.
    const { date, retryAfter } = parseRateHeaders(entry.headers);
    const told = waitOf(retryAfter, date ?? entry.at) ?? 0;
    const backOff = 1_000 * 2 ** Math.min(this.#refusalsInARow - 1, 6);
    this.#pausedUntil = entry.at + Math.min(longestPause, Math.max(told, backOff));
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

  #keep(entry: LedgerEntry, index: number): void {
    const failed = entry.status === null || entry.status >= 400;
    if (
      this.#recorded >= mostRecorded &&
      index % sampleEvery !== 0 &&
      !(failed && this.#recorded < 2 * mostRecorded)
    )
      return;
    this.#recorded += 1;
    const { target, redact, record } = this.#options;
    record(recordedEntry(entry, target, redact));
  }

  measurement(startedAt: number, endedAt: number, withheld: number): LoadRun {
    const durationMs = endedAt - startedAt;
    const { ratePerSecond, mix, thresholds } = this.#options;
    const latency = this.#sent === 0 ? undefined : summarize(this.#all, true);
    const goodputPerSecond = Math.round((this.#good / Math.max(0.001, durationMs / 1000)) * 100) / 100;
    const figures: LoadFigures = {
      sent: this.#sent,
      errors: this.#errors,
      refused: this.#refused,
      goodputPerSecond,
      latency,
    };
    return {
      load: {
        ratePerSecond,
        durationMs: Math.round(durationMs),
        mix: { ...mix },
        sent: this.#sent,
        good: this.#good,
        goodputPerSecond,
        refused: this.#refused,
        errors: this.#errors,
        withheld,
        byStatus: Object.fromEntries([...this.#byStatus].sort(([one], [other]) => one.localeCompare(other))),
        ...(latency === undefined ? {} : { latency }),
        byOperation: Object.fromEntries(
          [...this.#byOperation].map(([name, { sent, histogram }]) => [
            name,
            { sent, latency: summarize(histogram, false) },
          ]),
        ),
        thresholds: thresholds.map((threshold) => judgeThreshold(threshold, figures)),
      },
      phase: {
        name: 'load',
        startedAt: new Date(startedAt).toISOString(),
        durationMs: Math.round(durationMs),
        sent: this.#sent,
        admitted: this.#good,
        refused: this.#refused,
        failed: this.#errors,
        sentAfterFirst429: this.#sentAfterFirst429,
        sender: 'undici pool, evenly paced',
        exact: true,
        windows: [],
        ...(latency === undefined ? {} : { latency: summarize(this.#all, false) }),
        series: this.#series.sort((a, b) => a.t - b.t),
        seriesOmitted: Math.max(0, this.#sent - this.#series.length),
      },
      lost: this.#unconnectedInARow >= lostAfter,
    };
  }
}
