import { ClockDifference } from '../../http/clock/clock-difference.js';
import { isNoConnection } from '../../http/exchange/exchange.js';
import { listPets, type PlannedRequest } from '../../http/exchange/planned-request.js';
import { type LedgerEntry, recordedEntry } from '../../load/ledger.js';
import { paced } from '../../load/paced.js';
import type { PlanMeasurement } from '../../record/record.js';
import type { Plan } from '../../specification/plan.js';
import { integer } from '../../usage/count.js';
import {
  asksBeyondMinute,
  isRejected,
  isServed,
  observationOf,
  type Observation,
  waitEnds,
} from '../history/observation.js';
import type { Sending } from '../probe/limit-session.js';
import { minuteMs, tolerances } from '../tolerances.js';
import { DayCount, type Journal, type JournalLine, type Stretch } from './journal.js';

export interface DayOptions extends Sending {
  readonly plan: Plan;
  readonly journal: Journal;
  /** What an interrupted run had counted. */
  readonly counted?: DayCount | undefined;
  /** What the run sent with the key before the counting. */
  readonly usedBefore?: readonly Stretch[] | undefined;
  /** Milliseconds of "a day"; 86,400,000 outside of tests. */
  readonly dayMs?: number | undefined;
}

/** As the record keeps it. A day that did not get to its end can be resumed. */
type CountedDay = NonNullable<PlanMeasurement['day']>;

/** Just under the minute's limit, so that it is never reached. */
function requestsPerSecond({ perMinute }: Plan): number {
  return Math.max(1, perMinute - 1) / 60;
}

/** Minutes that counting a day takes: Free 17, Pro 34, Business about 100. A few seconds more are not a minute. */
export function minutesOfDay(plan: Plan, already = 0): number {
  const seconds = Math.max(0, plan.perDay + 1 - already) / requestsPerSecond(plan);
  return Math.max(1, Math.ceil((seconds - 10) / 60));
}

/** Responses kept as evidence: those of the first minute, every hundredth, and all that are not a success. */
const recordedEvery = 100;
/** A minute's 429 in between is waited out; so many in a row are the day's. */
const rejectionsOfTheDay = 3;
/** Requests beyond the limit that are tried before the day is taken for unlimited. */
const beyondLimit = 3;
/** Milliseconds for which a target that does not respond is tried again. */
const patienceMs = 10 * 60_000;

/**
 * Sends a plan's day, paced just under its minute, until the day's 429 comes or more is admitted than any conforming
 * limiter lets through. Every request stands in the journal before it is sent, so that the counting survives its end.
 */
export async function countDay(options: DayOptions): Promise<CountedDay> {
  return new DayCounting(options).run();
}

class DayCounting {
  readonly #options: DayOptions;
  readonly #dayMs: number;
  readonly #startedAt: number;
  readonly #count: DayCount;
  /** What the run sent on this day before it counted. */
  readonly #before: readonly Stretch[];
  /** Requests of this run. */
  #sent = 0;
  readonly #clock = new ClockDifference();
  #rejection: Observation | undefined;
  #rejections = 0;
  #silentSince: number | undefined;
  /** Set until a response shows whether this was long enough. */
  #heldBackUntil: number | undefined;
  /** Why nothing more is sent. */
  #ended: { readonly stopped: string | undefined } | undefined;

  constructor(options: DayOptions) {
    const { plan, clock, counted = new DayCount(), usedBefore = [], dayMs = 86_400_000 } = options;
    this.#options = options;
    this.#dayMs = dayMs;
    this.#startedAt = clock.now();
    this.#count = counted;
    const at = this.#startedAt;
    if (!counted.goesOn(at, dayMs)) {
      const { perMinute, perDay } = plan;
      const { end } = counted;
      const since = end ? (end.resetsAt ?? end.at + dayMs) : 0;
      const fresh = end !== undefined && at >= end.wholeAt;
      this.#note({ kind: 'begin', perMinute, perDay, since, fresh });
    }
    const { since = 0 } = counted.begun ?? {};
    this.#before = usedBefore.filter(({ from }) => from >= since);
  }

  #note(line: JournalLine): void {
    this.#options.journal(line);
    this.#count.add(line);
  }

  /** Sends nothing more. @param stopped why, if the counting did not get to its end */
  #end(stopped?: string): void {
    this.#ended ??= { stopped };
  }

  async run(): Promise<CountedDay> {
    const { target, credential, clock, signal, plan, budget } = this.#options;
    if (this.#count.end)
      this.#end("the day's limit has been reached already; it is counted anew when it has reset");
    const listing = { ...listPets([['limit', 1]]), input: 'specified' } as const;
    const request: PlannedRequest = { ...listing, purpose: 'LIMIT-10', phase: 'day', credential };
    // As many as a second has: a response that takes longer slows the counting down and falsifies nothing.
    const underWay = Math.min(20, Math.ceil(requestsPerSecond(plan)));
    await paced({
      target,
      clock,
      signal,
      ratePerSecond: requestsPerSecond(plan),
      count: Number.MAX_SAFE_INTEGER,
      connections: underWay,
      underWayAtMost: underWay,
      request: () => {
        if (!this.#ended && budget?.reserve(1) === 0)
          this.#end(`${budget.spent}: resume it with --resume=DIR`);
        if (this.#ended) return undefined;
        this.#report();
        this.#note({ kind: 's', at: clock.now() });
        this.#sent += 1;
        return request;
      },
      answered: ({ entry }) => this.#answered(entry),
      heldBackUntil: () => this.#heldBackUntil,
    });
    if (signal.aborted) this.#end('the run was interrupted: resume it with --resume=DIR');
    return this.#day;
  }

  #report(): void {
    const { plan, progress } = this.#options;
    const admitted = this.#count.total('admitted');
    const left = minutesOfDay(plan, admitted);
    progress({
      text: `the day: ${integer(admitted)} of ${integer(plan.perDay)} admitted, about ${left} min left`,
    });
  }

  #answered(entry: LedgerEntry): void {
    const { target, record, plan } = this.#options;
    const exchange = recordedEntry(entry, target);
    const isKept =
      entry.sentAt < this.#startedAt + minuteMs ||
      this.#count.sent % recordedEvery === 0 ||
      entry.status !== 200 ||
      this.#heldBackUntil !== undefined;
    const kept = isKept ? record(exchange) : { id: 'not recorded', ...exchange };
    const one = observationOf(kept, plan);
    const { headers, status, sentAt, receivedAt } = one;
    if (isKept) this.#clock.add({ date: headers.date, sentAt, receivedAt });
    const remaining = headers.period === 'day' ? headers.remaining : undefined;
    this.#note({ kind: 'a', status, ...(remaining === undefined ? {} : { remaining }) });
    if (isServed(one)) this.#admitted(one);
    else if (isRejected(one)) this.#rejected(one);
    else this.#failed(one);
  }

  #admitted({ sentAt, receivedAt }: Observation): void {
    const { perDay } = this.#options.plan;
    const admitted = this.#count.total('admitted');
    // A day that gives back little by little is reached again and again.
    if (admitted + this.#usedBefore < perDay) this.#rejections = 0;
    this.#silentSince = undefined;
    if (sentAt >= (this.#heldBackUntil ?? 0)) this.#heldBackUntil = undefined;
    // A day may have ended meanwhile, unless it was seen to begin; and some limiters give the day back little by little.
    const days = this.#isFresh ? 1 : 2;
    const span = receivedAt - (this.#count.stretches[0]?.from ?? this.#startedAt);
    if (admitted > days * perDay + Math.floor((perDay * span) / this.#dayMs) + beyondLimit) this.#end();
  }

  #rejected(one: Observation): void {
    const { receivedAt, headers } = one;
    const clock = this.#clock.interval;
    this.#rejections += 1;
    const due = waitEnds(one, clock);
    const isBeyondMinute = asksBeyondMinute(one, clock);
    const isUsedUp = headers.period === 'day' && headers.remaining === 0;
    if (!isUsedUp && !isBeyondMinute && this.#rejections < rejectionsOfTheDay) {
      // The minute's, then: other clients, or a window that does not begin when ours does.
      this.#heldBackUntil = Math.max(receivedAt + 1_000, due ?? receivedAt + minuteMs);
      return;
    }
    this.#rejection = one;
    this.#end();
    const at = this.#options.clock.now();
    const [ahead] = clock ?? [0];
    // A longer wait than a day is not the day's (LIMIT-04).
    const named = [isBeyondMinute ? due : undefined, (headers.reset ?? 0) - ahead];
    const resetsAt =
      named.find((time = 0) => time > at + minuteMs && time <= at + this.#dayMs + minuteMs) ?? null;
    const sinceMidnight = ((resetsAt ?? Number.NaN) + ahead + tolerances.agreementMs) % this.#dayMs;
    const isMidnight = sinceMidnight <= 2 * tolerances.agreementMs;
    // What slides is whole two days later at the latest: a sliding counter remembers the day before.
    const wholeAt = isMidnight && resetsAt !== null ? resetsAt : at + 2 * this.#dayMs;
    this.#note({ kind: 'end', at, resetsAt, wholeAt });
  }

  /** No response, or one of a server in trouble: more and more slowly, until it has been away for too long. */
  #failed({ status, exchange: { failure } }: Observation): void {
    if (status === 401 || status === 403) return this.#end(`the target refuses the key with ${status}`);
    const now = this.#options.clock.now();
    this.#silentSince ??= now;
    const silent = now - this.#silentSince;
    this.#heldBackUntil = now + Math.min(30_000, Math.max(1_000, silent));
    if (silent <= patienceMs) return;
    const why = failure && isNoConnection(failure.kind) ? failure.message : 'it does not respond';
    this.#end(`the target was lost (${why}): resume the run with --resume=DIR`);
  }

  /** What the run sent before it counted, at the most. */
  get #usedBefore(): number {
    return this.#before.reduce((sum, { admitted, uncertain }) => sum + admitted + uncertain, 0);
  }

  /** Whether nothing of the day was used by others when it began. */
  get #isFresh(): boolean {
    const { begun } = this.#count;
    return begun?.fresh === true || this.#count.seesWhole(this.#options.plan.perDay, this.#usedBefore);
  }

  get #day(): CountedDay {
    const { stretches, end } = this.#count;
    return {
      dayMs: this.#dayMs,
      stretches: [...this.#before, ...stretches],
      rejection: this.#rejection?.id,
      fresh: this.#isFresh,
      ...(end?.resetsAt == null ? {} : { began: end.resetsAt - this.#dayMs }),
      ...(end && { wholeAt: end.wholeAt }),
      sent: this.#sent,
      stopped: this.#ended?.stopped,
    };
  }
}
