import { paced, type PacedEntry } from '../load/paced.js';
import { isAdmittedStatus } from '../load/ledger.js';
import { latencyOf } from '../load/latency.js';
import { recordedEntry } from '../load/recorded-entry.js';
import { RequestMaker } from '../load/request-maker.js';
import type { PlanMeasurement, RequirementResult } from '../run/record.js';
import type { Plan } from '../specification/plans.js';
import { rowOf } from '../verdict/row.js';
import { Trial } from '../verdict/trial.js';
import { counted, dayPurpose, nothingCounted, type DayCount, type UsedBefore } from './day-count.js';
import { dayRefill, judgeDay } from './judge-day.js';
import type { LimitRunOptions } from './limit-run.js';
import { seen, type Seen } from './seen.js';
import { viewOf } from './told.js';

export interface DayRunOptions extends Omit<LimitRunOptions, 'otherCredential' | 'unknownCredential' | 'newPet' | 'quietStatus' | 'readOnly'> {
  /** What this run used of the key before. */
  readonly usedBefore: UsedBefore;
  /** How far an interrupted counting had come. */
  readonly goOnFrom?: DayCount | undefined;
  /** Milliseconds of a day; 86,400,000 outside of tests. */
  readonly dayMs?: number | undefined;
}

export interface DayRun {
  readonly row: RequirementResult;
  readonly phase: PlanMeasurement['phases'][number];
  /** Why it did not get to its end. */
  readonly stopped?: string;
}

/** Requests under way at once: a service that takes half a second for each has to keep pace with 16 a second. */
export const dayConnections = 16;
/** 429s in a row, each waited out as long as a minute's window, after which the day's limit is what refuses. */
const minuteRefusals = 3;
/** Milliseconds in which nothing is answered before the counting gives the target up. */
const longestOutage = 10 * 60_000;
/** Points that the series holds. */
const mostPoints = 600;

/** Requests a second, just under the limit of the minute: one in a hundred less, and at least one. */
export function dayRate({ perMinute }: Plan, windowMs: number): number {
  return Math.max(perMinute - Math.ceil(perMinute / 100), perMinute / 2) / (windowMs / 1_000);
}

/** Milliseconds that the counting takes at the least. */
export function dayDuration(plan: Plan, windowMs = 60_000): number {
  return ((plan.perDay + 1) / dayRate(plan, windowMs)) * 1_000;
}

/**
 * Counts how many requests of a day a key is admitted (LIMIT-10): evenly spaced, just under the minute's limit, until a
 * 429 that the minute does not explain, or until more were admitted than the day's figure and a refill allow. Its
 * exchanges are its checkpoint: an interrupted counting goes on from them. Never rejects for what a target does.
 */
export async function measureDay(options: DayRunOptions): Promise<DayRun> {
  const counting = new Counting(options);
  const stopped = await counting.run();
  const trial = new Trial('LIMIT-10');
  let thrown: unknown;
  try {
    judgeDay(trial, { ...counting.evidence, stopped });
  } catch (error) {
    thrown = error;
  }
  return { row: rowOf(trial, thrown), phase: counting.phase, ...(stopped === undefined ? {} : { stopped }) };
}

class Counting {
  readonly #options: DayRunOptions;
  readonly #windowMs: number;
  readonly #dayMs: number;
  readonly #origin: string;
  readonly #startedAt: number;
  readonly #latencies: number[] = [];
  readonly #points: Array<PlanMeasurement['phases'][number]['series'][number]> = [];
  #count: DayCount;
  #refused = 0;
  #sentAfterFirst429 = 0;
  #refusal: Seen | undefined;
  #last: Seen | undefined;
  #turned = false;
  #heldBackUntil = 0;
  #minuteRefusals = 0;
  #silentSince: number | undefined;
  #lost: string | undefined;

  constructor(options: DayRunOptions) {
    this.#options = options;
    this.#windowMs = options.windowMs ?? 60_000;
    this.#dayMs = options.dayMs ?? 86_400_000;
    this.#origin = new URL(options.target.baseUrl).origin;
    this.#count = options.goOnFrom ?? nothingCounted;
    this.#startedAt = options.clock.now();
  }

  get evidence() {
    return {
      plan: this.#options.plan,
      windowMs: this.#windowMs,
      dayMs: this.#dayMs,
      count: this.#count,
      usedBefore: this.#options.usedBefore,
      refusal: this.#refusal,
      dayTurned: this.#turned,
    };
  }

  get phase(): PlanMeasurement['phases'][number] {
    const sent = this.#latencies.length + this.#count.uncertain;
    return {
      name: 'day',
      startedAt: new Date(this.#count.firstAt ?? this.#startedAt).toISOString(),
      durationMs: Math.max(0, Math.round(this.#options.clock.now() - this.#startedAt)),
      sent: this.#count.sent,
      admitted: this.#count.admitted,
      refused: this.#refused,
      failed: this.#count.uncertain,
      sentAfterFirst429: this.#sentAfterFirst429,
      sender: 'evenly spaced',
      exact: this.#count.uncertain === 0,
      windows: [],
      ...(this.#latencies.length === 0 ? {} : { latency: latencyOf(this.#latencies) }),
      series: this.#points,
      seriesOmitted: Math.max(0, sent - this.#points.length),
    };
  }

  /** Sends until there is a verdict, and gives the reason where there is none. */
  async run(): Promise<string | undefined> {
    const { options, clock, signal, plan, target } = { options: this.#options, ...this.#options };
    const maker = new RequestMaker(target.baseUrl, options.userAgent, options.credential);
    // What was sent a moment ago still counts in the minute.
    if (options.usedBefore.most > 0) await clock.sleep(this.#windowMs, signal).catch(() => undefined);
    await paced({
      target: { ...target, origin: this.#origin },
      clock,
      signal,
      ratePerSecond: dayRate(plan, this.#windowMs),
      count: Number.MAX_SAFE_INTEGER,
      connections: dayConnections,
      request: () => (this.#ended ? undefined : maker.list(dayPurpose)),
      answered: (entry) => this.#answered(entry),
      heldBackUntil: () => this.#heldBackUntil,
    });
    if (this.#refusal || this.#isOver) return undefined;
    return signal.aborted ? 'the run was interrupted' : (this.#lost ?? 'the counting ended');
  }

  get #ended(): boolean {
    return this.#refusal !== undefined || this.#isOver || this.#lost !== undefined;
  }

  /** More than the figure and a refill explain: nothing more is to be learnt. */
  get #isOver(): boolean {
    const { plan, usedBefore } = this.#options;
    const elapsed = (this.#count.lastAt ?? 0) - (this.#count.firstAt ?? 0);
    return this.#count.admitted + usedBefore.least > plan.perDay + dayRefill(plan, elapsed, this.#dayMs);
  }

  #answered({ entry, latencyMs }: PacedEntry): void {
    const { credential, redact, record, plan } = this.#options;
    const exchange = record(recordedEntry(entry, this.#origin, credential, redact));
    const one = seen(exchange, { sentAt: entry.sentAt, at: entry.at });
    this.#count = counted(this.#count, exchange);
    this.#keepPoint(one, latencyMs);
    if (entry.status === null) {
      this.#silent(entry.at, entry.failure?.message ?? 'no answer came');
      return;
    }
    this.#silentSince = undefined;
    this.#latencies.push(latencyMs);
    if (entry.status === 429) {
      this.#refuse(one);
      return;
    }
    if (isAdmittedStatus(entry.status)) {
      this.#minuteRefusals = 0;
      this.#seeTurn(one);
    }
    const left = dayDuration(plan, this.#windowMs) * (1 - this.#count.admitted / (plan.perDay + 1));
    this.#options.progress(
      `${plan.name}: ${this.#count.admitted.toLocaleString('en')} of the ${plan.perDay.toLocaleString('en')} requests of a day, ${Math.max(1, Math.ceil(left / 60_000))} minutes left`,
    );
  }

  /** A 429 whose wait is longer than a minute's window is the day's; so is one that outlasts several of them. */
  #refuse(one: Seen): void {
    this.#refused += 1;
    if (one.sentAt > (this.#refusal?.at ?? Number.POSITIVE_INFINITY)) this.#sentAfterFirst429 += 1;
    if (this.#refusal) return;
    const wait = this.#waitOf(one);
    // Those that were under way together are one refusal.
    if (one.sentAt < this.#heldBackUntil - (wait ?? this.#windowMs)) return;
    this.#minuteRefusals += 1;
    if ((wait !== undefined && wait > this.#windowMs + 5_000) || this.#minuteRefusals >= minuteRefusals) {
      this.#refusal = one;
      return;
    }
    this.#heldBackUntil = one.at + Math.max(wait ?? this.#windowMs, 1_000) + 100;
  }

  #waitOf({ told, at }: Seen): number | undefined {
    const now = told.date ?? at;
    if (told.retryAfter?.form === 'seconds') return told.retryAfter.seconds * 1_000;
    if (told.retryAfter?.form === 'date') return told.retryAfter.date - now;
    return told.reset === undefined ? undefined : told.reset.at - now;
  }

  /** A lost connection: a pause that grows, and after ten minutes the end. */
  #silent(at: number, why: string): void {
    this.#silentSince ??= at;
    const silence = at - this.#silentSince;
    if (silence > longestOutage) this.#lost = `the target gave no answer for ${Math.round(silence / 60_000)} minutes: ${why}`;
    this.#heldBackUntil = Math.max(this.#heldBackUntil, at + Math.min(60_000, 2_000 + silence / 2));
  }

  /** A day that turns gives back what was counted: midnight in UTC by the target's clock, or Remaining that rises. */
  #seeTurn(one: Seen): void {
    const { plan } = this.#options;
    const before = this.#last;
    this.#last = one;
    if (!before || this.#turned) return;
    const day = ({ told, at }: Seen): number => Math.floor((told.date ?? at) / this.#dayMs);
    const showsDay = viewOf(one.told, plan, this.#windowMs) === 'day' && viewOf(before.told, plan, this.#windowMs) === 'day';
    const rise = (one.told.remaining ?? 0) - (before.told.remaining ?? 0);
    this.#turned = day(one) > day(before) || (showsDay && rise > dayRefill(plan, one.at - before.at, this.#dayMs) + dayConnections);
  }

  #keepPoint({ sentAt, status, told }: Seen, latencyMs: number): void {
    const every = Math.max(1, Math.ceil((this.#options.plan.perDay * 1.1) / (mostPoints / 2)));
    const changed = this.#points.at(-1)?.status !== status;
    if (this.#points.length >= mostPoints || !(changed || this.#count.sent % every === 1 || every === 1)) return;
    this.#points.push({
      t: Math.round(sentAt - (this.#count.firstAt ?? this.#startedAt)),
      status,
      ...(told.remaining === undefined ? {} : { remaining: told.remaining }),
      ...(told.reset === undefined ? {} : { reset: Math.round(told.reset.at / 1_000) }),
      latencyMs: Math.round(latencyMs * 100) / 100,
    });
  }
}
