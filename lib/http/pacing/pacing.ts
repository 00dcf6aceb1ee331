import type { Plan } from '../../specification/plan.js';
import type { Clock } from '../clock/clock.js';
import { RunStopped } from '../client/run-end.js';
import { brokenReason, type Exchange } from '../../evidence/recorded-exchange.js';
import { hasRateHeader, rateHeadersOf, waitOf } from '../headers/rate-headers.js';
import type { Concurrency } from './concurrency.js';

/** How long anybody waited, a time in which several did counted once. */
export class Waits {
  #waiting = 0;
  #since = 0;
  #milliseconds = 0;

  get milliseconds(): number {
    return this.#milliseconds;
  }

  begin(now: number): void {
    if (this.#waiting === 0) this.#since = now;
    this.#waiting += 1;
  }

  end(now: number): void {
    this.#waiting -= 1;
    if (this.#waiting === 0) this.#milliseconds += now - this.#since;
  }
}

const minute = 60_000;
/** Milliseconds by which the end of a window may be rounded down. */
const roundingGrace = 1_000;
/** Waits in a row that end with another 429. Section 8.3 threatens clients that go on with a ban. */
export const maximumWaits = 6;
export const stillLimited = `the target still responds with 429 after ${maximumWaits} waits as long as it asked for`;
/** Responses with requests remaining, after a 429, before requests are sent side by side again. */
const recovery = 8;
/** Milliseconds. After such a wait every window has ended, or slid on by many requests. */
const longWait = minute / 2;

interface Wait {
  /** By our clock. */
  readonly until: number;
  readonly reason: string;
}

export interface PacingOptions {
  readonly plan: Plan;
  readonly clock: Clock;
  /** The target's clock minus ours, in milliseconds, if it is known. */
  readonly clockDifference: () => number | null;
  readonly concurrency: Concurrency;
  /** Milliseconds. A longer wait ends the run. */
  readonly longestWait: number;
  /** Counts waits; callers that share it are counted together. */
  readonly waits?: Waits;
  /** Requests are not paced until a header or a 429 tells of a limit. */
  readonly untilLimited?: boolean;
  /** The options that end a wait: one that gives the plan if it is unknown, and one that sends fewer requests. */
  readonly optionNames?: { readonly plan?: string | undefined; readonly fewer: string } | undefined;
  /** Called when a wait begins, and with `null` when it is over. */
  readonly onWait?: (wait: Wait | null) => void;
}

/** Permission to send one request; it is given back when the request is answered, has failed or is not sent. */
export interface Slot {
  /** Milliseconds spent waiting for it. */
  readonly waited: number;
  answered(exchange: Exchange): void;
  unused(): void;
}

/**
 * Decides when the next request of one caller may be sent. It follows the target's headers (`Remaining`, `Reset`,
 * `Retry-After`). If these are missing or implausible, it counts our own requests against the plan's limit per minute.
 * Other clients may use the same key, so a 429 is always possible.
 */
export class Pacing {
  readonly #options: PacingOptions;
  readonly #waits: Waits;
  #inFlight = 0;
  /** Requests of all callers that were under way when the last one was sent. */
  #underWay = 0;
  #quota: { readonly remaining: number; readonly endsAt: number } | undefined;
  /** Responses that reported a quota: a request sent after the last of them gets a later report. */
  #reports = 0;
  #blocked: Wait = { until: 0, reason: '' };
  /** Remaining was 0, was still 0 after a long wait, and requests were admitted all the same. */
  #remainingUnreliable = false;
  #waitedAtZero = 0;
  readonly #sentAt: number[] = [];
  #queue: Promise<unknown> = Promise.resolve();
  /** Waits since the last response other than 429. */
  #rejections = 0;
  /** Responses to wait for one by one, with requests spread evenly over the minute. */
  #cautious = 0;
  #limit: number;
  /** Whether a header or a 429 has told of a limit. */
  #limited: boolean;

  constructor(options: PacingOptions) {
    this.#options = options;
    this.#waits = options.waits ?? new Waits();
    this.#limit = options.plan.perMinute;
    this.#limited = options.untilLimited !== true;
  }

  /**
   * Waits until `count` requests can be sent together. Rejects when `signal` aborts.
   * @throws RunStopped if the wait would be too long, or follows too many others
   */
  async acquire(signal: AbortSignal, count = 1): Promise<Slot[]> {
    const { clock } = this.#options;
    const began = clock.now();
    // First come, first served, and a burst is not split.
    const turn = this.#queue.then(() => this.#room(signal, count));
    this.#queue = turn.catch(() => undefined);
    await turn;
    const waited = clock.now() - began;
    return Array.from({ length: count }, () => this.#slot(waited));
  }

  async #room(signal: AbortSignal, count: number): Promise<void> {
    const { clock, concurrency } = this.#options;
    for (;;) {
      signal.throwIfAborted();
      const now = clock.now();
      if (this.#rejections > maximumWaits) throw new RunStopped(stillLimited);
      if (this.#blocked.until > now) {
        await this.#wait(this.#blocked, signal);
        continue;
      }
      // After a 429 one request goes first: the others need not all be rejected again.
      if (!concurrency.hasRoom(count) || (this.#cautious > 0 && this.#inFlight > 0)) {
        await concurrency.next(signal);
        continue;
      }
      const spaced =
        (this.#sentAt.at(-1) ?? 0) + minute / Math.min(this.#options.plan.perMinute, this.#limit);
      if (this.#cautious > 0 && spaced > now) {
        await clock.sleep(spaced - now, signal);
        continue;
      }
      const wait = this.#waitForQuota(now, count);
      if (wait === undefined) break;
      if (wait === 'response') await concurrency.next(signal);
      else this.#block(wait);
    }
    this.#inFlight += count;
    this.#underWay = concurrency.enter(count);
  }

  /** The wait until `count` requests can go, `'response'` to wait for one under way, or undefined: go. */
  #waitForQuota(now: number, count: number): Wait | 'response' | undefined {
    const { perMinute } = this.#options.plan;
    if (this.#quota && !this.#remainingUnreliable) {
      const { remaining, endsAt } = this.#quota;
      // A new window: one request goes first and reports what it holds.
      if (now >= endsAt) return this.#inFlight > 0 ? 'response' : undefined;
      if (remaining - this.#inFlight >= Math.min(count, perMinute)) return undefined;
      if (this.#inFlight > 0) return 'response';
      if (remaining === 0) this.#waitedAtZero = endsAt - now;
      return { until: endsAt, reason: `the requests of this window are used up${this.#fewer}` };
    }
    if (!this.#limited) return undefined;
    while (this.#sentAt[0] !== undefined && this.#sentAt[0] <= now - minute) this.#sentAt.shift();
    const oldest = this.#sentAt[this.#sentAt.length + count - perMinute - 1];
    if (this.#sentAt.length + count <= perMinute || oldest === undefined) return undefined;
    const { plan } = this.#options.optionNames ?? {};
    const reason =
      plan === undefined
        ? `the plan's requests of this minute are used up${this.#fewer}`
        : `${perMinute} requests a minute, until ${plan} tells the key's plan`;
    return { until: oldest + minute + 50, reason };
  }

  /** What a user can do against waits for a limit that is known. */
  get #fewer(): string {
    const { optionNames } = this.#options;
    return optionNames ? `; ${optionNames.fewer} sends fewer` : '';
  }

  #slot(waited: number): Slot {
    const reportsBefore = this.#reports;
    const underWay = this.#underWay;
    const { concurrency } = this.#options;
    const sentAt = this.#options.clock.now();
    this.#sentAt.push(sentAt);
    let open = true;
    const end = (then: () => void): void => {
      if (!open) return;
      open = false;
      this.#inFlight -= 1;
      then();
      concurrency.leave();
    };
    return {
      waited,
      answered: (exchange) =>
        end(() => {
          if (brokenReason(exchange) !== undefined && underWay > 1) concurrency.lost(underWay);
          this.#learn(exchange, this.#reports === reportsBefore);
        }),
      unused: () =>
        end(() => {
          const index = this.#sentAt.lastIndexOf(sentAt);
          if (index >= 0) this.#sentAt.splice(index, 1);
        }),
    };
  }

  /** Learns from a response to another sender. A 429 that it provoked is waited out, and no reason to go slowly. */
  observe(exchange: Exchange): void {
    this.#learn(exchange, true);
    this.#rejections = 0;
    this.#cautious = 0;
  }

  /** @param latest nothing was reported since this request was sent: its report is the current one */
  #learn(exchange: Exchange, latest: boolean): void {
    if (!exchange.response) return;
    const now = this.#options.clock.now();
    this.#limited ||= exchange.response.status === 429 || hasRateHeader(exchange);
    const headers = rateHeadersOf(exchange);
    const difference = this.#options.clockDifference() ?? 0;
    const resetAt = headers.reset === undefined ? undefined : headers.reset * 1000 - difference;
    if (exchange.response.status === 429) {
      const retryAfter = waitOf(headers.retryAfter, now + difference);
      const untilReset = resetAt === undefined ? 0 : resetAt + roundingGrace - now;
      const plausible = untilReset > 0 && untilReset <= this.#options.longestWait;
      this.#rejected(now, retryAfter ?? (plausible ? untilReset : undefined));
      return;
    }
    const { limit, remaining } = headers;
    // Requests that were admitted before a rejection may be answered after it.
    if (now >= this.#blocked.until) {
      this.#rejections = 0;
      if (remaining !== 0) this.#cautious = Math.max(0, this.#cautious - 1);
    }
    // A limit of 0 that admits requests says nothing.
    if (limit === undefined || remaining === undefined || limit < 1) return;
    if (remaining < 0 || remaining > limit) return;
    this.#limit = limit;
    // A sliding window reports 0 after each short wait. After a long one, 0 says nothing.
    if (remaining === 0 && limit > 1 && this.#waitedAtZero >= longWait) this.#remainingUnreliable = true;
    this.#waitedAtZero = 0;
    this.#reports += 1;
    this.#note(remaining, this.#endOfWindow(resetAt, limit, now), latest);
  }

  /** When the window ends by our clock: as Reset says, if that is plausible. */
  #endOfWindow(resetAt: number | undefined, limit: number, now: number): number {
    const plausible = resetAt !== undefined && resetAt > now - 2_000 && resetAt - now <= 25 * 60 * minute;
    const end = plausible ? resetAt + roundingGrace : now + minute;
    // The limit per minute can't last longer, whatever Reset says.
    return limit === this.#options.plan.perMinute ? Math.min(end, now + minute + roundingGrace) : end;
  }

  /** Responses to requests that were under way together come in any order: the lowest Remaining of a window is the latest. */
  #note(remaining: number, endsAt: number, latest: boolean): void {
    const before = this.#quota;
    const sameWindow = before !== undefined && Math.abs(endsAt - before.endsAt) <= 2_000;
    this.#quota = {
      remaining: sameWindow && !latest ? Math.min(before.remaining, remaining) : remaining,
      endsAt: sameWindow ? Math.max(endsAt, before.endsAt) : endsAt,
    };
  }

  /**
   * A 429 that no check wanted: all requests wait as long as it asks for, twice as long each time it comes again, and
   * then go one by one for a while.
   */
  #rejected(now: number, wanted: number | undefined): void {
    this.#quota = undefined;
    // Requests that were under way together are rejected together: that is one rejection.
    if (now >= this.#blocked.until) this.#rejections += 1;
    this.#cautious = recovery;
    const backoff = 1_000 * 2 ** (this.#rejections - 1);
    const wait =
      wanted === undefined
        ? Math.min(backoff * 2, minute)
        : Math.max(wanted, this.#rejections > 1 ? backoff : 0) + 50;
    this.#block({ until: now + wait, reason: `the target responded with 429${this.#fewer}` });
  }

  #block(wait: Wait): void {
    if (wait.until > this.#blocked.until) this.#blocked = wait;
  }

  async #wait(wait: Wait, signal: AbortSignal): Promise<void> {
    const { clock, longestWait, onWait } = this.#options;
    const milliseconds = wait.until - clock.now();
    if (milliseconds > longestWait) {
      const seconds = Math.round(milliseconds / 1000).toLocaleString('en');
      throw new RunStopped(
        `the target asks for a wait of ${seconds} s; the run waits ${Math.round(longestWait / 1000)} s at most`,
      );
    }
    onWait?.(wait);
    this.#waits.begin(clock.now());
    try {
      await clock.sleep(milliseconds, signal);
    } finally {
      this.#waits.end(clock.now());
      onWait?.(null);
    }
  }
}
