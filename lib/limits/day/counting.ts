import { isNoConnection } from '../../http/exchange/exchange.js';
import { listPets, type PlannedRequest } from '../../http/exchange/planned-request.js';
import type { LedgerEntry } from '../../load/ledger.js';
import { paced } from '../../load/paced.js';
import { recordedEntry } from '../../load/ledger-exchange.js';
import type { PlanMeasurement } from '../../record/record.js';
import type { Plan } from '../../specification/plan.js';
import { clockDifferenceOf } from '../history/clock.js';
import { observationOf, type Observation } from '../history/observation.js';
import type { Sending } from '../probe/limit-session.js';
import type { DayEvidence, DayStretch } from '../rows/day.js';
import { tolerances } from '../tolerances.js';
import { DayCount, type Journal, type JournalLine } from './journal.js';

export interface DayOptions extends Sending {
  readonly plan: Plan;
  readonly journal: Journal;
  /** What an interrupted run had counted. */
  readonly counted?: DayCount | undefined;
  /** What the run sent with the key before the counting. */
  readonly usedBefore?: readonly DayStretch[] | undefined;
  /** Milliseconds of "a day"; 86,400,000 outside of tests. */
  readonly dayMs?: number | undefined;
  readonly windowMs?: number | undefined;
}

type DayPhase = PlanMeasurement['phases'][number];

export interface CountedDay {
  readonly evidence: DayEvidence;
  readonly phase: DayPhase;
  /** Why it did not get to its end; it can be resumed. */
  readonly stopped?: string | undefined;
}

/** Just under the minute's limit, so that it is never reached. */
function requestsPerSecond({ perMinute }: Plan, windowMs: number): number {
  return (Math.max(1, perMinute - 1) / windowMs) * 1_000;
}

/** Minutes that counting a day takes: Free 17, Pro 34, Business about 100. A few seconds more are not a minute. */
export function minutesOfDay(plan: Plan, already = 0): number {
  const seconds = Math.max(0, plan.perDay + 1 - already) / requestsPerSecond(plan, 60_000);
  return Math.max(1, Math.ceil((seconds - 10) / 60));
}

/** Responses kept as evidence: the first ones, every hundredth, and all that are not a success. */
const recordedFirst = 100;
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
  const counting = new DayCounting(options);
  await counting.run();
  return counting.result;
}

class DayCounting {
  readonly #options: DayOptions;
  readonly #windowMs: number;
  readonly #dayMs: number;
  readonly #count: DayCount;
  readonly #startedAt: number;
  /** Observations that narrow the difference of the clocks. */
  readonly #first: Observation[] = [];
  readonly #now = { sent: 0, admitted: 0, refused: 0, failed: 0 };
  #rejection: Observation | undefined;
  #rejections = 0;
  #silentSince: number | undefined;
  #heldBackUntil: number | undefined;
  #ended = false;
  #stopped: string | undefined;
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(options: DayOptions) {
    this.#options = options;
    this.#windowMs = options.windowMs ?? 60_000;
    this.#dayMs = options.dayMs ?? 86_400_000;
    this.#startedAt = options.clock.now();
    this.#count = options.counted ?? new DayCount();
    if (!this.#goesOn()) this.#begin();
  }

  /** Whether what was counted belongs to a day that still lasts. */
  #goesOn(): boolean {
    const { end, firstSentAt, begun } = this.#count;
    if (!begun) return false;
    // Midnight ends the day of some limiters, 24 hours that of others: after either it is counted anew.
    if (!end) return firstSentAt === undefined || this.#dayOf(firstSentAt) === this.#dayOf(this.#startedAt);
    return this.#startedAt < (end.resetsAt ?? end.at + this.#dayMs);
  }

  #dayOf(moment: number): number {
    return Math.floor(moment / this.#dayMs);
  }

  #begin(): void {
    const { plan, target } = this.#options;
    const fresh = this.#count.end !== undefined;
    const { name, ...quotas } = plan;
    this.#note({ kind: 'begin', plan: name, ...quotas, baseUrl: target.baseUrl, at: this.#startedAt, fresh });
  }

  get #usedBefore(): number {
    const { usedBefore = [] } = this.#options;
    return usedBefore.reduce((sum, { admitted, uncertain }) => sum + admitted + uncertain, 0);
  }

  #note(line: JournalLine): void {
    this.#options.journal.write(line);
    this.#count.add(line);
  }

  async run(): Promise<void> {
    if (this.#count.end) {
      this.#stopped = "the day's limit has been reached already; it is counted anew when it has reset";
      return;
    }
    const { target, credential, clock, signal, plan } = this.#options;
    const request: PlannedRequest = {
      ...listPets([['limit', 1]]),
      purpose: 'LIMIT-10',
      phase: 'day',
      credential,
      input: 'specified',
    };
    const ratePerSecond = requestsPerSecond(plan, this.#windowMs);
    // As many as a second has: a response that takes longer slows the counting down and falsifies nothing.
    const underWay = Math.min(20, Math.ceil(ratePerSecond));
    await paced({
      target,
      clock,
      signal,
      ratePerSecond,
      count: Number.MAX_SAFE_INTEGER,
      connections: underWay,
      underWayAtMost: underWay,
      request: () => {
        if (this.#ended || !this.#withinBudget()) return undefined;
        this.#report();
        this.#note({ kind: 's', at: clock.now() });
        this.#now.sent += 1;
        return request;
      },
      answered: ({ entry }) => this.#answered(entry),
      heldBackUntil: () => this.#heldBackUntil,
    });
    if (signal.aborted) this.#stopped ??= 'the run was interrupted: resume it with --resume=DIR';
  }

  #withinBudget(): boolean {
    const { budget } = this.#options;
    if (!budget || budget.reserve(1) === 1) return true;
    this.#stopped = `${budget.spent}: resume it with --resume=DIR`;
    this.#ended = true;
    return false;
  }

  #report(): void {
    const { clock, plan, progress } = this.#options;
    const now = clock.now();
    if (now - this.#reportedAt < 1_000) return;
    this.#reportedAt = now;
    const [admitted, perDay] = [this.#count.admitted, plan.perDay].map((count) => count.toLocaleString('en'));
    progress({
      text: `the day: ${admitted} of ${perDay} admitted, about ${minutesOfDay(plan, this.#count.admitted)} min left`,
    });
  }

  #answered(entry: LedgerEntry): void {
    const one = this.#recorded(entry);
    const { headers, status, outcome } = one;
    const remaining = headers.period === 'day' ? headers.remaining : undefined;
    const whole =
      this.#count.admitted === 0 && remaining !== undefined && remaining >= this.#options.plan.perDay - 1;
    if (whole && outcome === 'admitted' && this.#count.begun?.fresh === false) this.#beginAgain(one);
    this.#note({ kind: 'a', status, ...(remaining === undefined ? {} : { remaining }) });
    if (outcome === 'admitted') this.#admission(one);
    else if (outcome === 'rejected') this.#rejected(one);
    else this.#failure(entry, one);
  }

  /** Remaining shows that nothing of this day had been used before. */
  #beginAgain({ sentAt }: Observation): void {
    const { begun } = this.#count;
    if (!begun) return;
    this.#note({ ...begun, fresh: true });
    this.#note({ kind: 's', at: sentAt });
  }

  #admission(one: Observation): void {
    const { plan } = this.#options;
    this.#now.admitted += 1;
    // A day that gives back little by little is reached again and again.
    if (this.#count.admitted + this.#usedBefore < plan.perDay) this.#rejections = 0;
    this.#silentSince = undefined;
    if (this.#first.length < recordedFirst) this.#first.push(one);
    // More than any limiter admits that gives the day back little by little. A 429 soon after tells when the day ends.
    const span = one.receivedAt - (this.#count.firstSentAt ?? this.#startedAt);
    const most = plan.perDay + Math.floor((plan.perDay * span) / this.#dayMs) + beyondLimit;
    if (this.#count.admitted > most) this.#ended = true;
  }

  #rejected(one: Observation): void {
    const { clock } = this.#options;
    const { receivedAt, headers } = one;
    const { retryAfter, date } = headers;
    this.#now.refused += 1;
    this.#rejections += 1;
    const asked =
      retryAfter?.form === 'seconds'
        ? retryAfter.seconds * 1000
        : retryAfter?.form === 'date' && date !== undefined
          ? retryAfter.date - date
          : undefined;
    const longest = this.#windowMs + tolerances.longestWaitMs;
    const beyondMinute = asked !== undefined && asked > longest;
    const usedUp = headers.period === 'day' && headers.remaining === 0;
    if (!usedUp && !beyondMinute && this.#rejections < rejectionsOfTheDay) {
      // The minute's, then: other clients, or a window that does not begin when ours does.
      this.#heldBackUntil = receivedAt + Math.max(1_000, Math.min(asked ?? this.#windowMs, longest));
      return;
    }
    this.#rejection = one;
    this.#ended = true;
    const ahead = clockDifferenceOf([...this.#first, one])?.[0] ?? 0;
    const reset = headers.reset === undefined ? undefined : headers.reset - ahead;
    const ofTheDay = reset !== undefined && reset > clock.now() + this.#windowMs ? reset : null;
    this.#note({ kind: 'end', at: clock.now(), resetsAt: beyondMinute ? receivedAt + asked : ofTheDay });
  }

  /** No response, or one of a server in trouble: more and more slowly, until it has been away for too long. */
  #failure({ failure }: LedgerEntry, { status }: Observation): void {
    this.#now.failed += 1;
    if (status === 401 || status === 403) {
      this.#stopped = `the target refuses the key with ${status}`;
      this.#ended = true;
      return;
    }
    const now = this.#options.clock.now();
    this.#silentSince ??= now;
    const silent = now - this.#silentSince;
    if (silent > patienceMs) {
      const why = failure && isNoConnection(failure.kind) ? failure.message : 'it does not respond';
      this.#stopped = `the target was lost (${why}): resume the run with --resume=DIR`;
      this.#ended = true;
      return;
    }
    this.#heldBackUntil = now + Math.min(30_000, Math.max(1_000, silent));
  }

  #recorded(entry: LedgerEntry): Observation {
    const { target, record, plan } = this.#options;
    const exchange = recordedEntry(entry, target);
    const { sent } = this.#now;
    const kept =
      sent <= recordedFirst || sent % recordedEvery === 0 || entry.status !== 200
        ? record(exchange)
        : { id: 'not recorded', ...exchange };
    return observationOf(kept, plan, this.#windowMs);
  }

  /** Whether the day was seen to begin, or ends as long after the first request of the run as a day lasts. */
  get fresh(): boolean {
    const { begun, end, firstSentAt = this.#startedAt } = this.#count;
    const first = this.#options.usedBefore?.[0]?.from ?? firstSentAt;
    const begins = (end?.resetsAt ?? Number.NEGATIVE_INFINITY) - this.#dayMs;
    return begun?.fresh === true || begins >= first - tolerances.longestWaitMs;
  }

  get result(): CountedDay {
    const { plan, usedBefore = [], clock } = this.#options;
    const { stretches } = this.#count;
    const { fresh } = this;
    const stopped = this.#stopped;
    return {
      evidence: {
        plan,
        dayMs: this.#dayMs,
        // A day that was seen to begin has nothing before it.
        stretches: this.#count.begun?.fresh ? stretches : [...usedBefore, ...stretches],
        ...(this.#rejection ? { rejection: this.#rejection.exchange } : {}),
        fresh,
        ...(this.#first.length > 0 ? { clock: clockDifferenceOf(this.#first) } : {}),
        stopped,
      },
      phase: {
        name: 'day',
        startedAt: new Date(this.#startedAt).toISOString(),
        durationMs: Math.round(clock.now() - this.#startedAt),
        ...this.#now,
        sentAfterFirst429: Math.max(0, this.#now.refused - 1),
        sender: 'undici pool, evenly paced',
        exact: stretches.every(({ uncertain }) => uncertain === 0),
        windows: [],
        series: stretches.map(({ from, remaining, rejected }) => ({
          t: Math.round(from - this.#startedAt),
          status: rejected > 0 ? 429 : 200,
          ...(remaining === undefined ? {} : { remaining }),
        })),
        seriesOmitted: Math.max(0, this.#now.sent - stretches.length),
      },
      stopped,
    };
  }
}
