import { ExchangeLog, type ExchangeLogOptions } from '../../evidence/exchange-log.js';
import { Exchange } from '../../evidence/exchange.js';
import type { RecordedExchange } from '../../evidence/recorded-exchange.js';
import type { Clock } from '../clock/clock.js';
import type { Transport } from '../connection/transport.js';
import { type Destination, type PlannedRequest, wireRequest } from '../exchange/planned-request.js';
import { recordExchange } from '../exchange/record-exchange.js';
import { Budget } from './budget.js';
import {
  initialState,
  next,
  noRetries,
  type Action,
  type Caller,
  type Ended,
  type Event,
  type Sending,
} from './next.js';
import type { Pause, Terms } from './pace.js';
import { RunStopped } from './run-end.js';

export interface ClientOptions extends ExchangeLogOptions, Destination, Terms {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly maximumRequests?: number;
  /** Called when a wait because of a limit begins, and with `null` when it is over. */
  readonly onWait?: (wait: Pause | null) => void;
}

/** Permission to send requests of one caller together: as many as the budget allows. */
interface Turn extends Sending {
  readonly count: number;
  /** Milliseconds spent waiting for it. */
  readonly waited: number;
}

/** Sends requests when `next` says so, and records every exchange. */
export class Client {
  readonly log: ExchangeLog;
  readonly budget: Budget;
  readonly #options: ClientOptions;
  readonly #end = new AbortController();
  /** Aborts when the run is interrupted, or stopped. */
  readonly #signal: AbortSignal;
  /** First come, first served, and a burst is not split. */
  readonly #queues: Record<Caller, Promise<unknown>> = { key: Promise.resolve(), other: Promise.resolve() };
  /** Those who wait until a request is no longer under way. */
  readonly #waiting: Array<() => void> = [];
  #state;
  #waitedMs = 0;
  #waitedUntil = 0;
  /** The last request that the target answered as expected: a probe sends it again. */
  #known: PlannedRequest | undefined;
  #stopped: RunStopped | undefined;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#state = initialState(options);
    this.#signal = AbortSignal.any([options.signal, this.#end.signal]);
    this.#signal.addEventListener('abort', () => this.#wake());
    const append = (exchange: RecordedExchange): void => {
      try {
        options.evidence.append(exchange);
      } catch (error) {
        throw error instanceof RunStopped ? this.stop(error.message) : error;
      }
    };
    this.log = new ExchangeLog({ ...options, evidence: { ...options.evidence, append } });
    this.budget = new Budget(options.maximumRequests, () => this.log.sent);
  }

  /** Milliseconds in which nothing could be sent because of the limits; if several waited, they count once. */
  get waitedMs(): number {
    return Math.round(this.#waitedMs);
  }

  /** Why nothing more is sent; undefined while the run goes on. */
  get stopped(): RunStopped | undefined {
    return this.#stopped;
  }

  /** Ends the run: every further request is refused with this reason. */
  stop(reason: string): RunStopped {
    this.#stopped ??= new RunStopped(reason);
    this.#end.abort(this.#stopped);
    return this.#stopped;
  }

  /**
   * Sends a request and waits for its response; a failed one is an exchange with a `failure`.
   * @param repeats the exchange that this request replaces, if there is one
   * @throws BudgetSpent, RunStopped, or the signal's reason
   */
  async send(request: PlannedRequest, repeats?: Exchange): Promise<Exchange> {
    return this.#deliver(request, await this.#inTurn(request), repeats);
  }

  /** Sends several requests at the same moment, as nearly as one process can. All have one caller. */
  async sendTogether(requests: readonly PlannedRequest[]): Promise<Exchange[]> {
    const [first] = requests;
    if (!first) return [];
    const turn = await this.#inTurn(first, requests.length);
    const sent = requests.slice(0, turn.count).map((request) => this.#deliver(request, turn));
    if (turn.count < requests.length) sent.push(Promise.reject(this.budget.error));
    return Promise.all(sent);
  }

  /** Waits until so many requests can go out one right after the other, as far as the plan tells. */
  async room(request: PlannedRequest, count: number): Promise<void> {
    await this.#inTurn(request, count, true);
  }

  /** Keeps an exchange that another sender had, and paces what follows with the same key by it. */
  record(exchange: Omit<RecordedExchange, 'id'>): Exchange {
    const kept = this.log.record(exchange);
    if (kept.credential === 'valid') this.#next({ type: 'observed', exchange: kept, ...this.#time });
    return kept;
  }

  /** Waits for what is under way: a probe that was ended by one request may have sent others. */
  async settled(): Promise<void> {
    while (this.#state.underWay > 0) await this.#wait({ do: 'wait' });
  }

  get #time(): Pick<Ended, 'now' | 'clockDifference'> {
    return {
      now: this.#options.clock.now(),
      clockDifference: this.log.clockDifference.milliseconds ?? 0,
    };
  }

  /** Decides, and learns what the decision is based on. */
  #next(event: Event): Action {
    const [state, action] = next(this.#state, event);
    this.#state = state;
    if (action.do === 'stop' && action.reason !== undefined) this.stop(action.reason);
    return action;
  }

  /** Waits until requests of one caller may be sent together. For `room` they are not: only the wait counts. */
  async #inTurn({ credential }: PlannedRequest, count = 1, forRoom = false): Promise<Turn> {
    const { clock } = this.#options;
    const began = clock.now();
    const caller = credential.kind === 'valid' || credential.kind === 'equivalent' ? 'key' : 'other';
    const turn = this.#queues[caller].then(() => this.#turn(caller, count, forRoom));
    this.#queues[caller] = turn.catch(() => undefined);
    return { ...(await turn), waited: clock.now() - began };
  }

  async #turn(caller: Caller, count: number, forRoom = false): Promise<Omit<Turn, 'waited'>> {
    for (;;) {
      this.#signal.throwIfAborted();
      const wanted = { type: 'wanted', ...this.#time, caller, count, left: this.budget.left } as const;
      const action = forRoom ? next(this.#state, wanted)[1] : this.#next(wanted);
      if (action.do === 'send') {
        if (!forRoom) this.budget.reserve(action.count);
        return { ...action.sending, count: action.count };
      }
      if (action.do !== 'wait') throw this.budget.error;
      await this.#wait(action);
    }
  }

  async #wait({ until, reason = '' }: Action & { do: 'wait' }): Promise<void> {
    const { clock, onWait } = this.#options;
    if (until === undefined) return new Promise((resolve) => void this.#waiting.push(resolve));
    const began = clock.now();
    if (reason === '') return clock.sleep(until - began, this.#signal);
    onWait?.({ until, reason });
    try {
      await clock.sleep(until - began, this.#signal);
    } finally {
      const ended = clock.now();
      this.#waitedMs += Math.max(0, ended - Math.max(began, this.#waitedUntil));
      this.#waitedUntil = ended;
      onWait?.(null);
    }
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Does what is decided after each exchange, until one is accepted. */
  async #deliver(request: PlannedRequest, first: Turn, repeats?: Exchange): Promise<Exchange> {
    let [exchange, action] = await this.#exchange(request, first, noRetries, repeats);
    while (action.do !== 'accept') {
      if (action.do === 'probe') {
        await this.#probe(action.reason);
        action = action.after;
        continue;
      }
      if (action.do !== 'retry') throw this.#stopped ?? this.budget.error;
      const { reason, retries } = action;
      const replaced = exchange;
      [exchange, action] = await this.#exchange(request, await this.#inTurn(request), retries, replaced);
      this.log.noteRetry(replaced, reason);
    }
    return exchange;
  }

  /** The target may leave some requests without a response and serve all others: if it serves this one, the run goes on. */
  async #probe(reason: string): Promise<void> {
    if (!this.#known || this.budget.left < 1) throw this.stop(reason);
    const request = { ...this.#known, purpose: 'survey' };
    const turn = { ...(await this.#turn('key', 1)), waited: 0 };
    const [{ response }] = await this.#exchange(request, turn, noRetries);
    if (!response) throw this.stop(reason);
  }

  async #exchange(
    request: PlannedRequest,
    { waited, ...sending }: Turn,
    retries: Ended['retries'],
    repeats?: Exchange,
  ): Promise<[Exchange, Action]> {
    const { clock, signal, transport } = this.#options;
    this.budget.release(1);
    const id = this.log.nextId();
    const sentAt = clock.now();
    const { maximumBytes } = this.log;
    const result = await transport.send({ ...wireRequest(request, this.#options), signal, maximumBytes });
    const exchange = new Exchange({
      id,
      ...recordExchange(request, { sentAt, waitMs: waited, ...result }, this.#options),
      ...(repeats === undefined ? {} : { repeats: repeats.id }),
    });
    this.log.clockDifference.see(exchange);
    const action = this.#next({ type: 'ended', ...sending, exchange, retries, ...this.#time });
    this.#wake();
    this.log.keep(exchange);
    // A request that was under way when the run was interrupted was sent too.
    signal.throwIfAborted();
    if (request.method === 'GET' && exchange.status === 200 && exchange.broken === undefined)
      this.#known = request;
    return [exchange, action];
  }
}
