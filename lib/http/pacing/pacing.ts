import type { Plan } from '../../specification/plan.js';
import type { Clock } from '../clock/clock.js';
import type { Exchange } from '../exchange/exchange.js';
import { rateHeadersOf } from '../headers/rate-headers.js';
import { waitOf } from '../headers/retry-after.js';
import { RunStopped } from '../client/run-end.js';
import { Waits } from './waits.js';

/** Milliseconds that a window's announced end may be rounded down. */
const roundingGrace = 1_000;
const minute = 60_000;
/** Waits that are sat out one after the other without being served; section 8.3 threatens who goes on with a ban. */
export const maximumWaits = 6;
export const stillLimited = `the target still answers 429 after ${maximumWaits} waits as long as it asked for`;
/** Answers with requests remaining, behind a 429, before requests go out side by side again. */
const recovery = 8;
/** Milliseconds. After so long a wait a window has turned, or slid on by many requests, whatever the limiter. */
const longWait = minute / 2;

export interface PacingOptions {
  readonly plan: Plan;
  readonly clock: Clock;
  /** The target's clock minus ours, in milliseconds, as far as it is known. */
  readonly clockDifference: () => number | null;
  /** Requests under way at once. */
  readonly concurrency: number;
  /** Milliseconds. A longer wait ends the run rather than being sat out. */
  readonly longestWait: number;
  /** Where waits are counted; callers that share it are counted together. */
  readonly waits?: Waits;
  /** Told when a wait begins, with its end by our clock, and with `null` when it is over. */
  readonly onWait?: (wait: { until: number; reason: string } | null) => void;
}

/** What a sent request gives back when it has been answered or has failed. */
export interface Slot {
  /** Milliseconds spent waiting for it. */
  readonly waited: number;
  answered(exchange: Exchange): void;
  /** Gives it back: nothing was sent. */
  unused(): void;
}

/**
 * When the next request of one caller may be sent: one place for all suites. It goes by what the target says
 * (`Remaining`, `Reset`, `Retry-After`) and, where that is missing or makes no sense, by the plan's figure for a minute
 * counted over our own requests. Other clients may use the same key; a 429 is therefore always possible.
 */
export class Pacing {
  readonly #options: PacingOptions;
  #inFlight = 0;
  /** Admissions left before the window's end, as last told; undefined where the target has told nothing usable. */
  #remaining: number | undefined;
  #windowEnds = 0;
  /** Answers that told a figure: what was sent after the last of them is told a later one. */
  #told = 0;
  #blockedUntil = 0;
  #blockedReason = '';
  /** Set when `Remaining` turned out to say nothing: it was 0, and still was after a long wait, and we were served. */
  #distrusted = false;
  #waitedAtZero = 0;
  readonly #sentAt: number[] = [];
  #turn: Promise<unknown> = Promise.resolve();
  #wake: Array<() => void> = [];
  readonly #waits: Waits;
  /** Waits since the last answer that was no 429. */
  #refusals = 0;
  /** How many answers more are awaited one by one, and as far apart as the plan spreads its requests. */
  #careful = 0;
  #limit: number | undefined;

  constructor(options: PacingOptions) {
    this.#options = options;
    this.#waits = options.waits ?? new Waits();
  }

  /** Milliseconds in which nothing could be sent because of the limits. */
  get blockedMs(): number {
    return this.#waits.milliseconds;
  }

  /**
   * Waits for `count` requests' worth of room, so that a burst goes out together. Rejects when `signal` aborts.
   * @throws RunStopped where the wait would be too long, or follows on too many others.
   */
  async acquire(signal: AbortSignal, count = 1): Promise<Slot[]> {
    const { clock } = this.#options;
    const began = clock.now();
    // One after the other: first come, first served, and a burst is not split.
    const turn = this.#turn.then(() => this.#room(signal, count));
    this.#turn = turn.catch(() => undefined);
    await turn;
    const waited = clock.now() - began;
    return Array.from({ length: count }, () => this.#slot(waited));
  }

  /**
   * A 429 that no check asked for: everyone waits as long as it says, twice as long each time it says it again, and
   * then they go one by one for a while.
   */
  #refuse(exchange: Exchange): void {
    const { clock } = this.#options;
    const now = clock.now();
    this.#remaining = undefined;
    // Those that were under way together are refused together: that is one refusal.
    if (now >= this.#blockedUntil) this.#refusals += 1;
    this.#careful = recovery;
    const targetNow = now + (this.#options.clockDifference() ?? 0);
    const { retryAfter } = rateHeadersOf(exchange);
    const told = waitOf(retryAfter, targetNow) ?? this.#untilReset(exchange, now);
    const backOff = 1_000 * 2 ** (this.#refusals - 1);
    const wait =
      told === undefined ? Math.min(backOff * 2, minute) : Math.max(told, this.#refusals > 1 ? backOff : 0);
    this.#block(now + wait + (told === undefined ? 0 : 50), 'the target answered 429');
  }

  #untilReset(exchange: Exchange, now: number): number | undefined {
    const { reset } = rateHeadersOf(exchange);
    if (reset === undefined) return undefined;
    const ends = reset * 1000 - (this.#options.clockDifference() ?? 0) + roundingGrace;
    return ends > now && ends - now <= this.#options.longestWait ? ends - now : undefined;
  }

  #block(until: number, reason: string): void {
    if (until <= this.#blockedUntil) return;
    this.#blockedUntil = until;
    this.#blockedReason = reason;
  }

  async #room(signal: AbortSignal, count: number): Promise<void> {
    const { clock, concurrency } = this.#options;
    for (;;) {
      signal.throwIfAborted();
      const now = clock.now();
      if (this.#refusals > maximumWaits) {
        throw new RunStopped(stillLimited);
      }
      if (this.#blockedUntil > now) {
        await this.#wait(this.#blockedUntil, this.#blockedReason, signal);
        continue;
      }
      // After a 429 one goes ahead: the others need not all be told again.
      const most = this.#careful > 0 ? 1 : Math.max(concurrency, count);
      if (this.#inFlight > 0 && this.#inFlight + count > most) {
        await this.#nextAnswer(signal);
        continue;
      }
      const spaced = (this.#sentAt.at(-1) ?? 0) + this.#spacing();
      if (this.#careful > 0 && spaced > now) {
        await clock.sleep(spaced - now, signal);
        continue;
      }
      const wait = this.#waitForQuota(now, count);
      if (wait === 'answer') await this.#nextAnswer(signal);
      else if (wait === undefined) break;
      else this.#block(wait.until, wait.reason);
    }
    this.#inFlight += count;
  }

  /** Milliseconds from one request to the next where a minute's are spread evenly. */
  #spacing(): number {
    const { perMinute } = this.#options.plan;
    return minute / Math.min(perMinute, this.#limit ?? perMinute);
  }

  /** Until when to wait before `count` more can go, `'answer'` to wait for one under way, or undefined: go. */
  #waitForQuota(now: number, count: number): { until: number; reason: string } | 'answer' | undefined {
    if (this.#remaining !== undefined && !this.#distrusted) {
      // A new window: one goes ahead and is told what there is, so that nothing is assumed of it.
      if (now >= this.#windowEnds) return this.#inFlight > 0 ? 'answer' : undefined;
      if (this.#remaining - this.#inFlight < Math.min(count, this.#options.plan.perMinute)) {
        if (this.#inFlight > 0) return 'answer';
        if (this.#remaining === 0) this.#waitedAtZero = this.#windowEnds - now;
        return { until: this.#windowEnds, reason: 'the requests of this window are used up' };
      }
      return undefined;
    }
    // Nothing usable told: the plan's figure over our own requests of the last minute.
    const since = now - minute;
    while (this.#sentAt[0] !== undefined && this.#sentAt[0] <= since) this.#sentAt.shift();
    const oldest = this.#sentAt[this.#sentAt.length + count - this.#options.plan.perMinute - 1];
    if (this.#sentAt.length + count <= this.#options.plan.perMinute || oldest === undefined) return undefined;
    return { until: oldest + minute + 50, reason: "the plan's requests of this minute are used up" };
  }

  #slot(waited: number): Slot {
    const toldBefore = this.#told;
    const sentAt = this.#options.clock.now();
    this.#sentAt.push(sentAt);
    let open = true;
    const end = (then: () => void): void => {
      if (!open) return;
      open = false;
      this.#inFlight -= 1;
      then();
      for (const wake of this.#wake.splice(0)) wake();
    };
    return {
      waited,
      answered: (exchange) => end(() => this.#learn(exchange, this.#told === toldBefore)),
      unused: () =>
        end(() => {
          const index = this.#sentAt.lastIndexOf(sentAt);
          if (index >= 0) this.#sentAt.splice(index, 1);
        }),
    };
  }

  /** Learns from a response to another sender. A 429 that was provoked there is waited out, and no reason to go slowly. */
  observe(exchange: Exchange): void {
    this.#learn(exchange, true);
    this.#refusals = 0;
    this.#careful = 0;
  }

  /** @param latest nothing was told since this request was sent: what it is told is how things stand. */
  #learn(exchange: Exchange, latest: boolean): void {
    if (!exchange.response) return;
    if (exchange.response.status === 429) {
      this.#refuse(exchange);
      return;
    }
    const { limit, remaining, reset } = rateHeadersOf(exchange);
    const now = this.#options.clock.now();
    // What was admitted before a refusal may be answered behind it.
    if (now >= this.#blockedUntil) {
      this.#refusals = 0;
      if (remaining !== 0) this.#careful = Math.max(0, this.#careful - 1);
    }
    if (limit === undefined || remaining === undefined || remaining < 0 || remaining > limit) return;
    // A limit of 0 that serves us all the same says nothing.
    if (limit < 1) return;
    this.#limit = limit;
    // A target that still says 0 and serves us says nothing. (One that slides says 0 after each short wait.)
    if (remaining === 0 && limit > 1 && this.#waitedAtZero >= longWait) this.#distrusted = true;
    this.#waitedAtZero = 0;
    const announced = reset === undefined ? undefined : reset * 1000 - (this.#options.clockDifference() ?? 0);
    const plausible =
      announced !== undefined && announced > now - 2_000 && announced - now <= 25 * 60 * minute;
    const told = plausible ? announced + roundingGrace : now + minute;
    // A limit for the minute can't last longer, whatever Reset says.
    const ends = limit === this.#options.plan.perMinute ? Math.min(told, now + minute + roundingGrace) : told;
    const sameWindow = this.#remaining !== undefined && Math.abs(ends - this.#windowEnds) <= 2_000;
    // Answers to what was under way together arrive in any order: within one window the lowest figure is the latest.
    const known = sameWindow && !latest ? this.#remaining : undefined;
    this.#remaining = Math.min(known ?? remaining, remaining);
    this.#told += 1;
    if (!sameWindow || ends > this.#windowEnds) this.#windowEnds = ends;
  }

  async #wait(until: number, reason: string, signal: AbortSignal): Promise<void> {
    const { clock, longestWait, onWait } = this.#options;
    const wait = until - clock.now();
    if (wait > longestWait) throw new RunStopped(tooLong(wait, longestWait));
    onWait?.({ until, reason });
    this.#waits.begin(clock.now());
    try {
      await clock.sleep(wait, signal);
    } finally {
      this.#waits.end(clock.now());
      onWait?.(null);
    }
  }

  async #nextAnswer(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const aborted = (): void => reject(signal.reason as Error);
      signal.addEventListener('abort', aborted, { once: true });
      this.#wake.push(() => {
        signal.removeEventListener('abort', aborted);
        resolve();
      });
    });
  }
}

function tooLong(wait: number, longest: number): string {
  const seconds = Math.round(wait / 1000);
  return `the target asks for a wait of ${seconds.toLocaleString('en')} s; the run waits ${Math.round(longest / 1000)} s at the most`;
}
