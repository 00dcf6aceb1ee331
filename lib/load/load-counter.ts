import type { Histogram } from 'hdr-histogram-js';
import { isNoConnection } from '../evidence/recorded-exchange.js';
import type { LoadMeasurement } from '../evidence/record/load-measurement.js';
import type { PlanMeasurement } from '../evidence/record/plan-measurement.js';
import { latencyHistogram, recordLatency, summarize } from './latency-histogram.js';
import type { LedgerLine } from './ledger-file.js';
import type { Mix } from './load-operations.js';
import { durationOfStages, stageAt, type Stage } from './stages.js';
import { canStillBeKept, judgeThreshold, type LoadFigures, type Threshold } from './thresholds.js';

/** Requests in a row without a connection: the target is not just restarting. */
const lostAfter = 3;

/** What is known of a load before its first response. */
export interface LoadFacts {
  readonly stages: readonly Stage[];
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
}
type Count = 'sent' | 'good' | 'refused' | 'errors' | 'notSent';

export interface LoadResult {
  readonly load: LoadMeasurement;
  readonly phase: PlanMeasurement['phases'][number];
  /** At the end request after request found no connection. */
  readonly lost: boolean;
}

/** The latencies of one kind: those of all requests, and how many are above the bound of a threshold. */
class Latencies {
  readonly histogram = latencyHistogram();
  readonly #slower = new Map<Threshold, number>();
  readonly #thresholds: readonly Threshold[];

  constructor(thresholds: readonly Threshold[]) {
    this.#thresholds = thresholds;
  }

  add(milliseconds: number): void {
    recordLatency(this.histogram, milliseconds);
    for (const threshold of this.#thresholds)
      if (milliseconds > threshold.bound) this.#slower.set(threshold, this.slower(threshold) + 1);
  }

  readonly slower = (threshold: Threshold): number => this.#slower.get(threshold) ?? 0;

  get latency() {
    return this.histogram.totalCount > 0 ? summarize(this.histogram) : undefined;
  }
}

const nothing = (): Record<Count, number> => ({ sent: 0, good: 0, refused: 0, errors: 0, notSent: 0 });

/** Counts the lines of a load's ledger, in memory that does not grow with it: while it runs, and again from its file. */
export class LoadCounter {
  readonly #facts: LoadFacts;
  /** From the planned moment: a service that is late makes later requests wait, and that counts. */
  readonly #felt: Latencies;
  /** The same without what the harness itself was late. */
  readonly #withoutOwn: Latencies;
  readonly #service = latencyHistogram();
  readonly #lateness = latencyHistogram();
  readonly #byOperation = new Map<string, Histogram>();
  readonly #byStatus = new Map<string, number>();
  readonly #counts = nothing();
  readonly #byStage: ReadonlyArray<{ stage: Stage; counts: Record<Count, number>; latency: Histogram }>;
  #sentAfterFirst429 = 0;
  #first429At = Number.POSITIVE_INFINITY;
  #unconnectedInARow = 0;

  constructor(facts: LoadFacts) {
    this.#facts = facts;
    this.#felt = new Latencies(facts.thresholds);
    this.#withoutOwn = new Latencies(facts.thresholds);
    this.#byStage = facts.stages.map((stage) => ({ stage, counts: nothing(), latency: latencyHistogram() }));
  }

  state(now: number): LoadState {
    const { histogram } = this.#felt;
    return {
      ...this.#counts,
      elapsedMs: now - this.#facts.startedAt,
      p50Ms: histogram.getValueAtPercentile(50) / 1000,
      p99Ms: histogram.getValueAtPercentile(99) / 1000,
    };
  }

  add(line: LedgerLine): void {
    const { operation, planned = 0, sent = 0, ownLate = 0, took = 0, status, reason } = line;
    const stage = this.#byStage[stageAt(this.#facts.stages, planned - this.#facts.startedAt)];
    const count = (name: Count): void => {
      this.#counts[name] += 1;
      if (stage) stage.counts[name] += 1;
    };
    if (line.outcome === 'not sent') return count('notSent');
    count('sent');
    // A request without a response has a latency, too: a client waited for it. A timer may fire a moment early.
    const lateMs = Math.max(0, sent - planned);
    this.#felt.add(lateMs + took);
    this.#withoutOwn.add(lateMs - ownLate + took);
    recordLatency(this.#service, took);
    recordLatency(this.#lateness, lateMs);
    if (stage) recordLatency(stage.latency, lateMs + took);
    const name = operation ?? 'unlisted';
    const own = this.#byOperation.get(name) ?? latencyHistogram();
    this.#byOperation.set(name, own);
    recordLatency(own, lateMs + took);
    const label = status === undefined ? (reason ?? 'no response') : String(status);
    this.#byStatus.set(label, (this.#byStatus.get(label) ?? 0) + 1);
    this.#unconnectedInARow = reason && isNoConnection(reason) ? this.#unconnectedInARow + 1 : 0;
    if (sent > this.#first429At) this.#sentAfterFirst429 += 1;
    if (status === 429) {
      count('refused');
      this.#first429At = Math.min(this.#first429At, sent + took);
    } else count(status !== undefined && status < 400 && !reason ? 'good' : 'errors');
  }

  /** The first bound that can no longer be kept, whatever still comes. */
  get missed(): Threshold | undefined {
    const durationMs = durationOfStages(this.#facts.stages);
    const figures = this.#figures(durationMs);
    return this.#facts.thresholds.find(
      (one) => !canStillBeKept(one, figures, this.#facts.planned, durationMs),
    );
  }

  #figures(durationMs: number): LoadFigures {
    return {
      ...this.#counts,
      goodputPerSecond: Math.round((this.#counts.good / Math.max(0.001, durationMs / 1000)) * 100) / 100,
      felt: this.#felt,
      withoutOwn: this.#withoutOwn,
    };
  }

  /** @param withheld requests that were left out because the target required a wait */
  result({ endedAt, withheld }: { readonly endedAt: number; readonly withheld: number }): LoadResult {
    const { stages, mix, planned, thresholds, startedAt } = this.#facts;
    const durationMs = Math.round(endedAt - startedAt);
    const figures = this.#figures(durationMs);
    const { sent, good, errors, refused, notSent, goodputPerSecond } = figures;
    const { latency } = this.#felt;
    const latencies = latency && {
      latency,
      service: summarize(this.#service),
      lateness: summarize(this.#lateness),
    };
    const [first] = stages;
    return {
      load: {
        sent,
        errors,
        refused,
        goodputPerSecond,
        ...latencies,
        ratePerSecond:
          stages.length === 1 && first
            ? first.ratePerSecond
            : Math.round((planned * 100_000) / durationOfStages(stages)) / 100,
        durationMs,
        mix: { ...mix },
        planned,
        good,
        withheld,
        notSent,
        byStatus: Object.fromEntries([...this.#byStatus].sort(([one], [other]) => one.localeCompare(other))),
        byOperation: Object.fromEntries(
          [...this.#byOperation].map(([name, histogram]) => [
            name,
            { sent: histogram.totalCount, latency: summarize(histogram) },
          ]),
        ),
        stages: this.#byStage.map(({ stage, counts, latency: histogram }) => ({
          ...stage,
          ...counts,
          ...(histogram.totalCount > 0 && { latency: summarize(histogram) }),
        })),
        thresholds: thresholds.map((threshold) => judgeThreshold(threshold, figures)),
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
        sender: 'autocannon',
        exact: true,
        ...(latency && { latency }),
      },
      lost: this.#unconnectedInARow >= lostAfter,
    };
  }
}
