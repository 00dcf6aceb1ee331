import { isNoConnection } from '../http/exchange/exchange.js';
import { listPets } from '../http/exchange/planned-request.js';
import { latencyHistogram, recordLatency } from '../load/latency.js';
import type { LedgerEntry } from '../load/ledger.js';
import { paced } from '../load/paced.js';
import { recordedEntry } from '../load/ledger-exchange.js';
import type { PlanMeasurement } from '../record/record.js';
import type { Plan } from '../specification/plan.js';
import { countLine, nothingCounted, type DayCount, type Journal, type JournalLine } from './day-journal.js';
import { identify } from './identify.js';
import { nothingUsed, waitMs, type UsedBefore } from './judge-day.js';
import { dayUsedUp } from './day-used-up.js';
import { OthersWatch } from './others-watch.js';
import type { LimitRunOptions } from './limit-run.js';
import { admitted, refused, seen, type Seen } from './seen.js';
import { clockDifference, clockDifferenceOf } from './target-clock.js';
import { viewOf } from './told.js';

export interface DayRunOptions extends Omit<
  LimitRunOptions,
  'otherCredential' | 'unknownCredential' | 'readOnly' | 'newPet' | 'quietStatus' | 'petId'
> {
  readonly journal: Journal;
  /** What an interrupted run had counted. */
  readonly counted?: DayCount | undefined;
  /** What the run itself sent with the key before; nothing where it is not given. */
  readonly usedBefore?: UsedBefore | undefined;
  /** Milliseconds of "a day"; 86,400,000 outside of tests. */
  readonly dayMs?: number | undefined;
}

/** Just under the minute's limit, so that it is never reached. */
function dayRatePerSecond({ perMinute }: Plan, windowMs: number): number {
  return (Math.max(1, perMinute - 1) / windowMs) * 1_000;
}

/** Milliseconds that it takes to reach a plan's limit of the day: Free 17 minutes, Pro 34, Business about 100. */
function estimateDay(plan: Plan, already = 0, windowMs = 60_000): number {
  return (Math.max(0, plan.perDay + 1 - already) / dayRatePerSecond(plan, windowMs)) * 1_000;
}

/** How long a day's counting takes, in the words of people: a few seconds more are no minute. */
export function minutesOfDay(plan: Plan, already = 0): number {
  return Math.max(1, Math.ceil((estimateDay(plan, already) - 10_000) / 60_000));
}

/** Requests kept for telling the algorithm, and at the end. */
const firstKept = 400;
/** Answers that are recorded as evidence: the first ones, every hundredth, and all that are no success. */
const recordedFirst = 100;
const recordedEvery = 100;
const mostPoints = 600;
/** A minute's 429 in between is waited out; so many in a row are none of the minute. */
const refusalsOfTheDay = 3;
/** A target that does not answer is tried again for so long. */
const patience = 10 * 60_000;

/** The counting of one day: what was sent and what came, and when it is over. */
export class DayCounting {
  readonly #options: DayRunOptions;
  readonly #windowMs: number;
  readonly #dayMs: number;
  readonly histogram = latencyHistogram();
  readonly series: PlanMeasurement['phases'][number]['series'] = [];
  readonly first: Seen[] = [];
  readonly startedAt: number;
  count: DayCount;
  sentNow = 0;
  admittedNow = 0;
  refusedNow = 0;
  failedNow = 0;
  readonly #watch = new OthersWatch();
  refusal: Seen | undefined;
  beyond: Seen | undefined;
  #refusalsInARow = 0;
  #refusalsBeyond = 0;
  #silentSince: number | undefined;
  #heldBackUntil: number | undefined;
  ended = false;
  stopped: string | undefined;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(options: DayRunOptions) {
    this.#options = options;
    this.#windowMs = options.windowMs ?? 60_000;
    this.#dayMs = options.dayMs ?? 86_400_000;
    this.startedAt = options.clock.now();
    this.count = this.#begin(options.counted ?? nothingCounted);
  }

  /** Goes on with what was counted of this day, or begins a new one. */
  #begin(counted: DayCount): DayCount {
    const { plan, clock, target } = this.#options;
    const now = clock.now();
    const { end, firstSentAt, begun } = counted;
    // The day whose limit was reached has ended when its reset has passed; that of an unfinished count, a day later.
    const hasReset = end !== undefined && now >= (end.resetsAt ?? end.at + this.#dayMs);
    const dayOf = (moment: number): number => Math.floor(moment / this.#dayMs);
    // A midnight ends the day of some limiters, 24 hours that of others: behind either it is counted anew.
    const isOver = firstSentAt !== undefined && dayOf(firstSentAt) !== dayOf(now);
    if (begun && !hasReset && (!isOver || end)) return counted;
    const line: JournalLine = {
      kind: 'begin',
      plan: plan.name,
      perMinute: plan.perMinute,
      perDay: plan.perDay,
      baseUrl: target.baseUrl,
      at: now,
      fresh: hasReset,
    };
    this.#options.journal.write(line);
    return countLine(nothingCounted, line);
  }

  #note(line: JournalLine): void {
    this.#options.journal.write(line);
    this.count = countLine(this.count, line);
  }

  async run(): Promise<void> {
    if (this.count.end) return;
    const { target, credential, userAgent, clock, signal, plan } = this.#options;
    const request = {
      ...listPets([['limit', 1]]),
      purpose: 'LIMIT-10',
      credential,
      input: 'specified',
    } as const;
    const rate = dayRatePerSecond(plan, this.#windowMs);
    // As many as a second has: an answer that takes longer slows the counting down and falsifies nothing.
    const underWay = Math.min(20, Math.ceil(rate));
    await paced({
      target: { ...target, userAgent },
      clock,
      signal,
      ratePerSecond: rate,
      count: Number.MAX_SAFE_INTEGER,
      connections: underWay,
      underWayAtMost: underWay,
      request: () => {
        if (this.ended || !this.#withinBudget()) return undefined;
        this.#tell();
        this.#note({ kind: 's', at: clock.now() });
        this.sentNow += 1;
        return request;
      },
      answered: ({ entry, latencyMs }) => this.#answered(entry, latencyMs),
      heldBackUntil: () => this.#heldBackUntil,
    });
    if (signal.aborted) this.stopped ??= 'the run was interrupted: go on with --resume=DIR';
  }

  #withinBudget(): boolean {
    const { budget } = this.#options;
    if (!budget || budget.reserve(1) === 1) return true;
    this.stopped = `${budget.spent}: go on with --resume=DIR`;
    this.ended = true;
    return false;
  }

  #tell(): void {
    const { clock, plan, progress } = this.#options;
    const now = clock.now();
    if (now - this.#toldAt < 1_000) return;
    this.#toldAt = now;
    const left = Math.max(0, estimateDay(plan, this.count.admitted, this.#windowMs));
    progress(
      `the day: ${this.count.admitted.toLocaleString('en')} of ${plan.perDay.toLocaleString('en')} admitted, about ${Math.ceil(left / 60_000)} min left`,
    );
  }

  #answered(entry: LedgerEntry, latencyMs: number): void {
    this.#note({ kind: 'a', status: entry.status });
    const one = this.#recorded(entry);
    recordLatency(this.histogram, latencyMs);
    this.#plot(one, latencyMs);
    if (admitted(one)) this.#admission(one);
    else if (refused(one)) this.#refusal429(one);
    else this.#failure(entry, one);
  }

  #admission(one: Seen): void {
    const { plan } = this.#options;
    this.admittedNow += 1;
    this.#refusalsInARow = 0;
    this.#silentSince = undefined;
    if (this.first.length < firstKept) this.first.push(one);
    const answered = this.admittedNow + this.refusedNow + this.failedNow;
    this.#watch.see(one.told, { sent: this.sentNow, answered });
    const fresh =
      this.count.admitted === 1 &&
      viewOf(one.told, plan, this.#windowMs) === 'day' &&
      (one.told.remaining ?? 0) >= Math.min(plan.perDay, one.told.limit ?? plan.perDay) - 1;
    if (fresh && this.count.begun && !this.count.begun.fresh) {
      // Remaining shows that nothing of this day had been used up.
      const begun = { ...this.count.begun, fresh: true };
      this.#options.journal.write(begun);
      this.#options.journal.write({ kind: 's', at: one.sentAt });
      this.#options.journal.write({ kind: 'a', status: one.status });
      this.count = { ...this.count, begun };
    }
    if (this.count.admitted > plan.perDay && this.count.admitted > plan.perDay + this.#allowance()) {
      this.beyond = one;
      this.ended = true;
    }
  }

  #allowance(): number {
    if (!this.mayRefill) return 0;
    const span = this.#options.clock.now() - (this.count.firstSentAt ?? this.startedAt);
    return Math.floor((this.#options.plan.perDay * span) / this.#dayMs + 1e-9);
  }

  get others(): number {
    return this.#watch.others;
  }

  /** Whether elapsed time may explain admissions above the figure, as far as the minute's Remaining shows. */
  get mayRefill(): boolean {
    const { plan } = this.#options;
    const difference = clockDifferenceOf(this.first);
    const options = { plan, windowMs: this.#windowMs, difference, uncounted: new Set<number>() };
    const { candidates } = identify(this.first, options);
    // A sliding counter gives back what the day before held, and never more than the figure within one day.
    return candidates.length === 0 || candidates.includes('token bucket');
  }

  #refusal429(one: Seen): void {
    const { plan, clock } = this.#options;
    this.refusedNow += 1;
    this.#refusalsInARow += 1;
    const asked = waitMs(one);
    // What is sent cannot reach the minute's limit. Where the day refills, it is reached again and again.
    const { most } = this.#options.usedBefore ?? nothingUsed;
    if (this.count.admitted + most >= plan.perDay) this.#refusalsBeyond += 1;
    const beyondMinute = asked !== undefined && asked > this.#windowMs + 2_500;
    const isOfTheDay =
      dayUsedUp(one, { plan, windowMs: this.#windowMs }) ||
      beyondMinute ||
      Math.max(this.#refusalsInARow, this.#refusalsBeyond) >= refusalsOfTheDay;
    if (!isOfTheDay) {
      // The minute's, then: other clients, or a window that does not begin when ours does.
      this.#heldBackUntil =
        one.at + Math.max(1_000, Math.min(asked ?? this.#windowMs, this.#windowMs + 2_500));
      return;
    }
    this.refusal = one;
    this.ended = true;
    const ahead = clockDifference(clockDifferenceOf([...this.first, one]));
    const ofTheDay = one.told.reset !== undefined && one.told.reset.at - ahead > clock.now() + this.#windowMs;
    const resetsAt = beyondMinute
      ? one.at + asked
      : ofTheDay && one.told.reset
        ? one.told.reset.at - ahead
        : null;
    this.#note({ kind: 'end', at: clock.now(), resetsAt });
  }

  /** No answer, or one of a server in trouble: more and more slowly, until it has been away for too long. */
  #failure(entry: LedgerEntry, one: Seen): void {
    this.failedNow += 1;
    if (one.status === 401 || one.status === 403) {
      this.stopped = `the target refuses the key with ${one.status}`;
      this.ended = true;
      return;
    }
    const now = this.#options.clock.now();
    this.#silentSince ??= now;
    const silent = now - this.#silentSince;
    if (silent > patience) {
      const why =
        entry.failure && isNoConnection(entry.failure.kind) ? entry.failure.message : 'it does not answer';
      this.stopped = `the target was lost (${why}): go on with --resume=DIR`;
      this.ended = true;
      return;
    }
    this.#heldBackUntil = now + Math.min(30_000, Math.max(1_000, silent));
  }

  #recorded(entry: LedgerEntry): Seen {
    const { target, userAgent, redact, record } = this.#options;
    const exchange = recordedEntry(entry, { baseUrl: target.baseUrl, userAgent }, redact);
    const kept =
      this.sentNow <= recordedFirst || this.sentNow % recordedEvery === 0 || entry.status !== 200
        ? record(exchange)
        : { id: 'not recorded', ...exchange };
    return seen(kept, { sentAt: entry.sentAt, at: entry.at });
  }

  #plot(one: Seen, latencyMs: number): void {
    const every = Math.max(1, Math.ceil(this.#options.plan.perDay / (mostPoints - 100)));
    if (this.sentNow % every !== 0 && admitted(one)) return;
    if (this.series.length >= mostPoints) return;
    this.series.push({
      t: Math.round(one.sentAt - this.startedAt),
      status: one.status,
      ...(one.told.remaining === undefined ? {} : { remaining: one.told.remaining }),
      ...(one.told.reset === undefined ? {} : { reset: Math.round(one.told.reset.at / 1000) }),
      latencyMs: Math.round(latencyMs * 100) / 100,
    });
  }
}
