import type { Plan } from '../../specification/plan.js';
import { wireRequest, type PlannedRequest } from '../exchange/planned-request.js';
import { recordExchange } from '../exchange/record-exchange.js';
import { Breaker } from './circuit-breaker.js';
import { BodyRoom } from '../body/body-room.js';
import type { Clock } from '../clock/clock.js';
import type { Evidence } from '../exchange/evidence.js';
import type { Exchange } from '../exchange/exchange.js';
import { ExchangeLog, type ExchangeLogOptions } from '../exchange/exchange-log.js';
import { Garbage } from '../body/garbage.js';
import { Outage } from './outage.js';
import { Pace, patience, patienceLost, type Slot } from '../pacing/pacing.js';
import { type Redact } from '../body/recorded-body.js';
import { delayOfRepeat, isAnswer, repeatAfter, type Repeat } from './retry.js';
import { BudgetSpent, RunStopped } from './run-end.js';
import type { Transport } from '../connection/transport.js';
import { Waits } from '../pacing/waits.js';

export interface ClientOptions extends ExchangeLogOptions {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly plan: Plan;
  readonly transport: Transport;
  readonly redact: Redact;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly concurrency: number;
  /** Milliseconds that the run is ready to wait in one go. */
  readonly longestWait: number;
  readonly maximumRequests?: number;
  readonly userAgent: string;
  readonly onWait?: (wait: { until: number; reason: string } | null) => void;
}

/** Times that a target which has answered before is tried again where no connection comes about; one that never has, once. */
const triesToReach = 3;
/** Times that a target which seemed to be lost is found to be there. What leaves more unanswered is given up. */
const mostRevivals = 3;

/**
 * Sends requests, at the pace that target and plan allow, and records every exchange. It repeats what the network or
 * the limiter kept from being answered (see repeat.ts), never beyond the budget.
 */
export class Client {
  /** What was sent, and what came of it. */
  readonly log: ExchangeLog;
  readonly #breaker = new Breaker();
  readonly #outage = new Outage();
  readonly #garbage = new Garbage();
  readonly #bodyRoom = new BodyRoom();
  #stopped: RunStopped | undefined;
  #reserved = 0;
  /** The last request that was answered as it was to be. */
  #answered: PlannedRequest | undefined;
  #revivals = 0;
  readonly #options: ClientOptions;
  /** The limiter counts callers apart: what it says to a stranger is nothing about the key. */
  readonly #paces: Record<'key' | 'stranger', Pace>;
  readonly #waits = new Waits();

  constructor(options: ClientOptions) {
    this.#options = options;
    this.log = new ExchangeLog({ ...options, evidence: this.#endingTheRun(options.evidence) });
    const pace = (): Pace =>
      new Pace({
        ...options,
        waits: this.#waits,
        clockDifference: () => this.log.clockDifference.milliseconds,
      });
    this.#paces = { key: pace(), stranger: pace() };
  }

  /** What leaves no evidence is not asked: where the disk takes no more, the run ends. */
  #endingTheRun(evidence: Evidence): Evidence {
    return {
      append: (exchange) => {
        try {
          evidence.append(exchange);
        } catch (error) {
          throw error instanceof RunStopped ? this.stop(error.message) : error;
        }
      },
      close: () => evidence.close(),
    };
  }

  get baseUrl(): string {
    return this.#options.baseUrl;
  }

  /** Milliseconds in which nothing could be sent because of the limits. */
  get waitedMs(): number {
    return Math.round(this.#waits.milliseconds);
  }

  /** Requests that the budget still allows. */
  get left(): number {
    return (this.#options.maximumRequests ?? Number.POSITIVE_INFINITY) - this.log.sent - this.#reserved;
  }

  /** What is said when the budget allows no more. */
  get spent(): string {
    return new BudgetSpent(this.#options.maximumRequests ?? 0).message;
  }

  /** Keeps a part of the budget for requests that another sender has; returns how many it allows. */
  reserve(requests: number): number {
    const granted = Math.max(0, Math.min(requests, this.left));
    this.#reserved += granted;
    return granted;
  }

  /** Gives back what was kept, when it was recorded or not sent after all. */
  release(requests: number): void {
    this.#reserved -= requests;
  }

  /** Why nothing more is sent; undefined while the run goes on. */
  get stopped(): RunStopped | undefined {
    return this.#stopped;
  }

  /** Ends the run: what is asked from now on is refused with this reason. */
  stop(reason: string): RunStopped {
    this.#stopped ??= new RunStopped(reason);
    return this.#stopped;
  }

  /** Where the target was lost: the exchanges since its last whole answer. */
  get lostSince(): readonly Exchange[] {
    return this.#breaker.lostSince;
  }

  /** True once the target has answered anything in HTTP. */
  get answeredEver(): boolean {
    return this.#breaker.answeredEver;
  }

  /**
   * Sends a request and waits for its answer; a broken one is an exchange with a `failure`.
   * @param repeats the exchange that this request is sent in the place of, where there is one
   * @throws BudgetSpent, RunStopped, or the signal's reason.
   */
  async send(ask: PlannedRequest, repeats?: Exchange): Promise<Exchange> {
    if (repeats) await this.#pause(repeats);
    const [slot] = await this.#slots(ask);
    return this.#sendInto(slot, ask, repeats?.id);
  }

  /** Sends several at the same moment, as nearly as one process can. All have one caller. */
  async sendTogether(asks: readonly PlannedRequest[]): Promise<Exchange[]> {
    const slots = await this.#slots(asks[0], asks.length);
    return Promise.all(slots.map((slot, index) => this.#sendInto(slot, asks[index])));
  }

  /** Waits until so many requests can go out one right after the other, as far as the limiter's answers tell. */
  async room(ask: PlannedRequest, count: number): Promise<void> {
    for (const slot of await this.#slots(ask, count)) slot.unused();
  }

  /** Room for so many requests, when the target is not being waited for. */
  async #slots(ask: PlannedRequest | undefined, count = 1): Promise<Slot[]> {
    for (;;) {
      await this.#outage.over();
      const slots = await this.#paced(ask, count);
      if (!this.#outage.lasts) return slots;
      for (const slot of slots) slot.unused();
    }
  }

  async #paced(ask: PlannedRequest | undefined, count = 1): Promise<Slot[]> {
    try {
      return await this.#paceOf(ask).acquire(this.#options.signal, count);
    } catch (error) {
      throw error instanceof RunStopped ? this.stop(error.message) : error;
    }
  }

  async #sendInto(
    slot: Slot | undefined,
    ask: PlannedRequest | undefined,
    repeats?: string,
  ): Promise<Exchange> {
    if (!ask || !slot) throw new Error('a slot for each request');
    let exchange = await this.#exchange(ask, slot, repeats);
    let repeated = false;
    for (let attempt = 0; ; attempt += 1) {
      const repeat = repeatAfter(exchange, repeated);
      if (repeat === undefined) return exchange;
      if (attempt >= patience) {
        throw this.stop(
          repeat.cause === 'limited'
            ? patienceLost
            : `a request was sent ${patience} times again, and still: ${repeat.reason}`,
        );
      }
      if (repeat.cause === 'unreachable') exchange = await this.#onceReachable(ask, exchange, repeat);
      else {
        // What the limiter refused waits in the pace.
        if (repeat.cause === 'broken') await this.#pause(exchange);
        repeated ||= repeat.cause === 'broken';
        exchange = await this.#again(ask, exchange, repeat);
      }
    }
  }

  /** Where much breaks off, it is not asked for again at once. */
  async #pause(broken: Exchange): Promise<void> {
    const delay = delayOfRepeat(broken, this.#breaker.broken);
    if (delay > 0) await this.#options.clock.sleep(delay, this.#options.signal);
  }

  async #again(ask: PlannedRequest, exchange: Exchange, { reason }: Repeat): Promise<Exchange> {
    const [slot] = await this.#slots(ask);
    if (!slot) throw new Error('a slot for each request');
    const next = await this.#exchange(ask, slot, exchange.id);
    this.log.noteRepeat(exchange, reason);
    return next;
  }

  /**
   * Nothing was sent: no connection came about. The request that finds so first tries again, some times and ever later;
   * what else is to be sent waits for it, so that a target that is gone is not stormed by all.
   */
  async #onceReachable(ask: PlannedRequest, exchange: Exchange, repeat: Repeat): Promise<Exchange> {
    if (this.#outage.lasts) return this.#again(ask, exchange, repeat);
    return this.#outage.during(async () => {
      const { clock, signal } = this.#options;
      let last = { exchange, repeat };
      for (let tries = 0; tries < (this.answeredEver ? triesToReach : 1); tries += 1) {
        await clock.sleep(500 * 2 ** tries, signal);
        const [slot] = await this.#paced(ask);
        if (!slot) throw new Error('a slot for each request');
        const next = await this.#exchange(ask, slot, last.exchange.id);
        this.log.noteRepeat(last.exchange, last.repeat.reason);
        const again = repeatAfter(next, false);
        if (again?.cause !== 'unreachable') return next;
        last = { exchange: next, repeat: again };
      }
      throw this.stop(`the target can't be reached: ${last.repeat.reason}`);
    });
  }

  /**
   * The target seems to be lost. It may be that it leaves some requests unanswered and serves all others, so one that it
   * has answered before is sent again, alone: where that is answered, too, the run goes on, some times.
   */
  async #makeSure(why: string): Promise<void> {
    const known = this.#answered;
    // Whoever tries to reach it already will say what came of it.
    if (this.#outage.lasts) return;
    if (!known || this.#breaker.unanswered === 0 || this.#revivals >= mostRevivals || this.left <= 0) {
      this.stop(why);
      return;
    }
    this.#revivals += 1;
    await this.#outage.during(async () => {
      const [slot] = await this.#paced(known);
      if (!slot) throw new Error('a slot for each request');
      const { response } = await this.#exchange({ ...known, purpose: 'survey' }, slot);
      if (!response) this.stop(why);
    });
  }

  #paceOf(ask: PlannedRequest | undefined): Pace {
    return this.#paces[
      ask?.credential.kind === 'valid' || ask?.credential.kind === 'equivalent' ? 'key' : 'stranger'
    ];
  }

  async #exchange(ask: PlannedRequest, slot: Slot, repeats?: string): Promise<Exchange> {
    const { maximumRequests } = this.#options;
    const refusal = this.#stopped ?? (this.left <= 0 ? new BudgetSpent(maximumRequests ?? 0) : undefined);
    if (refusal) {
      slot.unused();
      throw refusal;
    }
    const intoSilence = this.#breaker.unanswered > 0;
    const id = this.log.nextId();
    const sentAt = this.#options.clock.now();
    const result = await this.#options.transport.send({
      ...wireRequest(ask, this.#options),
      signal: this.#options.signal,
    });
    const outcome = { sentAt, waitMs: slot.waited, ...this.#bodyRoom.within(result) };
    const exchange: Exchange = {
      id,
      ...recordExchange(ask, outcome, this.#options),
      ...(repeats === undefined ? {} : { repeats }),
    };
    // The pace goes by the clocks' difference.
    this.log.clockDifference.see(exchange);
    slot.answered(exchange);
    // What was under way when the run was interrupted was sent, too.
    this.log.keep(exchange);
    this.#garbage.passed(Math.max(result.response?.body.length ?? 0, result.response?.bytes ?? 0));
    const lost = this.#breaker.see(exchange, intoSilence);
    if (this.#options.signal.aborted) throw this.#options.signal.reason;
    if (ask.method === 'GET' && exchange.response?.status === 200 && isAnswer(exchange)) this.#answered = ask;
    if (lost !== undefined) await this.#makeSure(lost);
    return exchange;
  }
}
