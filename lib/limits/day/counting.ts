import { ClockDifference } from '../../http/clock/clock-difference.js';
import { Exchange } from '../../evidence/exchange.js';
import { isNoConnection } from '../../evidence/recorded-exchange.js';
import { listPets, type PlannedRequest } from '../../http/exchange/planned-request.js';
import { countsAgree, type LedgerEntry, recordedEntry } from '../../load/ledger.js';
import { plannedLine } from '../../load/ledger-file.js';
import { paced, type PacedEntry } from '../../load/paced.js';
import type { Plan } from '../../specification/plan.js';
import { integer } from '../../explain/count.js';
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
import {
  type CountedDay,
  countedSince,
  dayBegins,
  type DayCount,
  dayMilliseconds,
  dayVolley,
  type LedgerOfDays,
  resetOf,
  type Stretch,
} from './day-count.js';

export interface DayOptions extends Sending {
  readonly plan: Plan;
  /** What earlier runs have counted: the lines of their ledger, and the day as the last finished one recorded it. */
  readonly before?: (LedgerOfDays & { readonly day: CountedDay | undefined }) | undefined;
  /** What the run sent with the key before the counting. */
  readonly usedBefore?: readonly Stretch[] | undefined;
  /** Milliseconds of "a day"; 86,400,000 outside of tests. */
  readonly dayMs?: number | undefined;
}

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
 * limiter lets through. Every request stands in the ledger, so that the counting survives its end.
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
  /** Nothing of this day was used before, as the day before it tells. */
  readonly #beganFresh: boolean;
  /** Requests under way at once, as many as a second has: a response that takes longer slows the counting down and falsifies nothing. */
  readonly #underWay: number;
  /** Requests of this run. */
  #sent = 0;
  /** Admitted so far; the count follows when all that was sent before has ended, too. */
  #admittedNow: number;
  readonly #clock = new ClockDifference();
  /** The day's 429, and the exchange that it became. */
  #rejection: LedgerEntry | undefined;
  #rejectionId: string | undefined;
  #rejections = 0;
  #silentSince: number | undefined;
  /** Set until a response shows whether this was long enough. */
  #heldBackUntil: number | undefined;
  /** Why nothing more is sent. */
  #ended: { readonly stopped: string | undefined } | undefined;
  /** When the day's limit was reached, when it resets if the target says so, and when it is whole. */
  #end: { readonly resetsAt: number | undefined; readonly wholeAt: number } | undefined;
  /** Of what has not settled yet: whether it is kept as evidence, and what it told of the day. */
  readonly #seen = new Map<
    LedgerEntry,
    { readonly isKept: boolean; readonly remaining: number | undefined }
  >();

  constructor(options: DayOptions) {
    const { plan, clock, ledger, before, usedBefore = [], dayMs = dayMilliseconds } = options;
    this.#options = options;
    this.#dayMs = dayMs;
    this.#startedAt = clock.now();
    this.#underWay = Math.min(20, Math.ceil(requestsPerSecond(plan)));
    const day = before?.day && { ...before.day, dayMs };
    const resets = day && resetOf(day);
    const begin = dayBegins(this.#startedAt, dayMs, day);
    if (resets !== undefined && this.#startedAt < resets)
      this.#stop("the day's limit has been reached already; it is counted anew when it has reset");
    const lines = [...(before?.lines ?? [])];
    // A run that was killed has sent up to so many more, and what came of them is not known.
    if (before?.wasCutOff)
      for (let lost = 0; lost < this.#underWay; lost += 1) {
        const sent = lines.at(-1)?.sent ?? this.#startedAt;
        const line = {
          volley: dayVolley(plan.name, before.volleys),
          outcome: 'lost',
          reason: 'aborted',
          sent,
        } as const;
        ledger(line);
        lines.push(line);
      }
    this.#count = countedSince(lines, begin);
    this.#admittedNow = this.#count.total('admitted');
    this.#before = usedBefore.filter(({ from }) => from >= begin);
    this.#beganFresh =
      day?.wholeAt !== undefined && (this.#count.stretches[0]?.from ?? this.#startedAt) >= day.wholeAt;
  }

  /** Sends nothing more. @param stopped why, if the counting did not get to its end */
  #stop(stopped?: string): void {
    this.#ended ??= { stopped };
  }

  async run(): Promise<CountedDay> {
    const { target, credential, clock, signal, plan, budget, ledger, before } = this.#options;
    const listing = { ...listPets([['limit', 1]]), input: 'specified' } as const;
    const request: PlannedRequest = { ...listing, purpose: 'LIMIT-10', phase: 'day', credential };
    const volley = dayVolley(plan.name, (before?.volleys ?? 0) + 1);
    const { counts } = await paced({
      target,
      clock,
      signal,
      plannedAt: (index) => this.#startedAt + (index * 1_000) / requestsPerSecond(plan),
      count: Number.MAX_SAFE_INTEGER,
      connections: this.#underWay,
      request: () => {
        if (!this.#ended && budget?.reserve(1) === 0)
          this.#stop(`${budget.spent}: resume it with --resume=DIR`);
        if (this.#ended) return undefined;
        this.#report();
        this.#sent += 1;
        return request;
      },
      answered: (entry) => this.#answered(entry),
      settled: (one) => this.#settled(volley, one),
      heldBackUntil: () => this.#heldBackUntil,
    });
    if (this.#sent > 0) ledger({ volley, autocannon: counts.autocannon });
    if (!countsAgree(counts)) this.#ended = { stopped: 'autocannon and the ledger do not count the same' };
    if (signal.aborted) this.#stop('the run was interrupted: resume it with --resume=DIR');
    return { ...this.#day, counts };
  }

  #settled(volley: string, one: PacedEntry): void {
    const { entry } = one;
    const { isKept = false, remaining } = (entry && this.#seen.get(entry)) ?? {};
    const kept =
      entry && isKept ? this.#options.record(recordedEntry(entry, this.#options.target)) : undefined;
    if (entry) this.#seen.delete(entry);
    if (entry && entry === this.#rejection) this.#rejectionId = kept?.id;
    const line = plannedLine(volley, one, {
      ...(kept && { exchange: kept.id }),
      ...(remaining === undefined ? {} : { remaining }),
    });
    this.#count.add(line);
    this.#options.ledger(line);
  }

  #report(): void {
    const { plan, progress } = this.#options;
    const admitted = this.#admittedNow;
    const left = minutesOfDay(plan, admitted);
    progress({
      text: `the day: ${integer(admitted)} of ${integer(plan.perDay)} admitted, about ${left} min left`,
    });
  }

  #answered(entry: LedgerEntry): void {
    const { target, plan } = this.#options;
    const exchange = recordedEntry(entry, target);
    const isKept =
      entry.sentAt < this.#startedAt + minuteMs ||
      this.#sent % recordedEvery === 0 ||
      entry.status !== 200 ||
      this.#heldBackUntil !== undefined;
    const one = observationOf(new Exchange({ id: '', ...exchange }), plan);
    const { headers, sentAt, receivedAt } = one;
    if (isKept) this.#clock.add({ date: headers.date, sentAt, receivedAt });
    const remaining = headers.period === 'day' ? headers.remaining : undefined;
    this.#seen.set(entry, { isKept, remaining });
    if (isServed(one)) this.#admitted(one);
    else if (isRejected(one)) this.#rejected(one, entry);
    else this.#failed(one);
  }

  #admitted({ sentAt, receivedAt }: Observation): void {
    const { perDay } = this.#options.plan;
    this.#admittedNow += 1;
    const admitted = this.#admittedNow;
    // A day that gives back little by little is reached again and again.
    if (admitted + this.#usedBefore < perDay) this.#rejections = 0;
    this.#silentSince = undefined;
    if (sentAt >= (this.#heldBackUntil ?? 0)) this.#heldBackUntil = undefined;
    // A day may have ended meanwhile, unless it was seen to begin; and some limiters give the day back little by little.
    const days = this.#isFresh ? 1 : 2;
    const span = receivedAt - (this.#count.stretches[0]?.from ?? this.#startedAt);
    if (admitted > days * perDay + Math.floor((perDay * span) / this.#dayMs) + beyondLimit) this.#stop();
  }

  #rejected(one: Observation, entry: LedgerEntry): void {
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
    this.#rejection = entry;
    this.#stop();
    const at = this.#options.clock.now();
    const [ahead] = clock ?? [0];
    // A longer wait than a day is not the day's (LIMIT-04).
    const named = [isBeyondMinute ? due : undefined, (headers.reset ?? 0) - ahead];
    const resetsAt =
      named.find((time = 0) => time > at + minuteMs && time <= at + this.#dayMs + minuteMs) ?? undefined;
    const sinceMidnight = ((resetsAt ?? Number.NaN) + ahead + tolerances.agreementMs) % this.#dayMs;
    const isMidnight = sinceMidnight <= 2 * tolerances.agreementMs;
    // What slides is whole two days later at the latest: a sliding counter remembers the day before.
    const wholeAt = isMidnight && resetsAt !== undefined ? resetsAt : at + 2 * this.#dayMs;
    this.#end = { resetsAt, wholeAt };
  }

  /** No response, or one of a server in trouble: more and more slowly, until it has been away for too long. */
  #failed({ status, exchange: { failure } }: Observation): void {
    if (status === 401 || status === 403) return this.#stop(`the target refuses the key with ${status}`);
    const now = this.#options.clock.now();
    this.#silentSince ??= now;
    const silent = now - this.#silentSince;
    this.#heldBackUntil = now + Math.min(30_000, Math.max(1_000, silent));
    if (silent <= patienceMs) return;
    const why = failure && isNoConnection(failure.kind) ? failure.message : 'it does not respond';
    this.#stop(`the target was lost (${why}): resume the run with --resume=DIR`);
  }

  /** What the run sent before it counted, at the most. */
  get #usedBefore(): number {
    return this.#before.reduce((sum, { admitted, uncertain }) => sum + admitted + uncertain, 0);
  }

  /** Whether nothing of the day was used by others when it began. */
  get #isFresh(): boolean {
    return this.#beganFresh || this.#count.seesWhole(this.#options.plan.perDay, this.#usedBefore);
  }

  get #day(): CountedDay {
    const { before } = this.#options;
    const isAsBefore = this.#sent === 0 && before?.day?.wholeAt !== undefined;
    const { began, wholeAt } = (isAsBefore && before.day) || {
      began: this.#end?.resetsAt === undefined ? undefined : this.#end.resetsAt - this.#dayMs,
      wholeAt: this.#end?.wholeAt,
    };
    return {
      dayMs: this.#dayMs,
      stretches: [...this.#before, ...this.#count.stretches],
      rejection: this.#rejectionId,
      fresh: this.#isFresh,
      ...(began !== undefined && { began }),
      ...(wholeAt !== undefined && { wholeAt }),
      sent: this.#sent,
      stopped: this.#ended?.stopped,
    };
  }
}
