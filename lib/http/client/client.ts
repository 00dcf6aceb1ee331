import { ExchangeLog, type ExchangeLogOptions } from '../../evidence/exchange-log.js';
import { Exchange } from '../../evidence/exchange.js';
import type { RecordedExchange } from '../../evidence/recorded-exchange.js';
import type { Clock } from '../clock/clock.js';
import type { Transport } from '../connection/transport.js';
import { runOut } from '../exchange/credential.js';
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
  type Retries,
} from './next.js';
import type { Pause, Terms } from './pace.js';
import { RunStopped } from './run-end.js';
import { Waits } from './waits.js';

export interface ClientOptions extends ExchangeLogOptions, Destination, Terms {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly maximumRequests?: number;
  /** Called when a wait because of a limit begins, and with `null` when it is over. */
  readonly onWait?: (wait: Pause | null) => void;
}

/** Permission to send requests of one caller together: as many as the budget allows. */
interface Turn {
  readonly count: number;
  /** Milliseconds spent waiting for it. */
  readonly waited: number;
}

/** A request as it is sent, and which exchange it replaces. */
interface Attempt {
  readonly request: PlannedRequest;
  readonly repeats?: Exchange | undefined;
  readonly retries: Retries;
}

const callerOf = ({ credential: { kind } }: PlannedRequest): Caller =>
  kind === 'valid' || kind === 'equivalent' ? 'key' : 'other';

/** Sends requests when `next` says so, and records every exchange. */
export class Client {
  readonly log: ExchangeLog;
  readonly budget: Budget;
  readonly #options: ClientOptions;
  readonly #end = new AbortController();
  /** Aborts when the run is interrupted, or stopped. */
  readonly #signal: AbortSignal;
  /** First come, first served, but a retry goes ahead; a burst is not split. Who may be the first now is told. */
  readonly #queues: Readonly<Record<Caller, Array<{ moved: () => void }>>> = { key: [], other: [] };
  readonly #waits: Waits;
  #state;
  #keyWasAccepted = false;
  /** The last request that the target answered as expected: a probe sends it again. */
  #known: PlannedRequest | undefined;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#state = initialState(options);
    this.#signal = AbortSignal.any([options.signal, this.#end.signal]);
    this.#waits = new Waits(options.clock, this.#signal, options.onWait);
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
    return this.#waits.totalMs;
  }

  /** Why nothing more is sent; undefined while the run goes on. */
  get stopped(): RunStopped | undefined {
    const reason: unknown = this.#end.signal.reason;
    return reason instanceof RunStopped ? reason : undefined;
  }

  /** Ends the run: every further request is refused with the first reason. */
  stop(reason: string): RunStopped {
    const stopped = this.stopped ?? new RunStopped(reason);
    this.#end.abort(stopped);
    return stopped;
  }

  /**
   * Sends a request and waits for its response; a failed one is an exchange with a `failure`.
   * @throws BudgetSpent, RunStopped, or the signal's reason
   */
  async send(request: PlannedRequest): Promise<Exchange> {
    return this.#deliver({ request, retries: noRetries }, await this.#inTurn(request));
  }

  /** Sends several requests at the same moment, as nearly as one process can. All have one caller. */
  async sendTogether(requests: readonly PlannedRequest[]): Promise<Exchange[]> {
    const [first] = requests;
    if (!first) return [];
    const turn = await this.#inTurn(first, requests.length);
    const sent = requests
      .slice(0, turn.count)
      .map((request) => this.#deliver({ request, retries: noRetries }, turn));
    if (turn.count < requests.length) sent.push(Promise.reject(this.budget.error));
    return Promise.all(sent);
  }

  /** Waits until so many requests can go out one right after the other, as far as the plan tells. */
  async room(request: PlannedRequest, count: number): Promise<void> {
    for (;;) {
      this.#signal.throwIfAborted();
      const [, action] = next(this.#state, this.#wanted(request, count));
      if (action.do !== 'wait') return;
      await this.#waits.wait(action);
    }
  }

  /** Keeps an exchange that another sender had, and paces what follows with the same key by it. */
  record(exchange: Omit<RecordedExchange, 'id'>): Exchange {
    const kept = this.log.record(exchange);
    if (kept.credential === 'valid') this.#next({ type: 'observed', exchange: kept, ...this.#time });
    return kept;
  }

  /** Waits for what is under way: a probe that was ended by one request may have sent others. */
  async settled(): Promise<void> {
    while (this.#state.underWay > 0) await this.#waits.wait();
  }

  get #time(): Pick<Ended, 'now' | 'clockDifference'> {
    const { milliseconds } = this.log.clockDifference;
    return { now: this.#options.clock.now(), clockDifference: milliseconds ?? 0 };
  }

  /** Decides, and learns what the decision is based on. */
  #next(event: Event): Action {
    const [state, action] = next(this.#state, event);
    this.#state = state;
    if (action.do === 'stop' && action.reason !== undefined) this.stop(action.reason);
    return action;
  }

  #wanted(request: PlannedRequest, count: number): Event {
    return { type: 'wanted', ...this.#time, caller: callerOf(request), count, left: this.budget.left };
  }

  /** Waits until requests of one caller may be sent together. */
  async #inTurn(request: PlannedRequest, count = 1, isAhead = false): Promise<Turn> {
    const queue = this.#queues[callerOf(request)];
    const place = { moved: (): void => undefined };
    queue[isAhead ? 'unshift' : 'push'](place);
    const began = this.#options.clock.now();
    try {
      for (;;) {
        while (queue[0] !== place) await new Promise<void>((resolve) => (place.moved = resolve));
        this.#signal.throwIfAborted();
        const action = this.#next(this.#wanted(request, count));
        if (action.do === 'send') {
          this.budget.reserve(action.count);
          return { count: action.count, waited: this.#options.clock.now() - began };
        }
        if (action.do !== 'wait') throw this.budget.error;
        await this.#waits.wait(action);
      }
    } finally {
      queue.splice(queue.indexOf(place), 1);
      queue[0]?.moved();
      this.#waits.changed();
    }
  }

  /** Sends a request, and again until an exchange is accepted. */
  async #deliver(attempt: Attempt, turn: Turn): Promise<Exchange> {
    try {
      const [exchange, action] = await this.#exchange(attempt, turn);
      return this.#follow(attempt.request, exchange, action);
    } finally {
      // A retry stands in its queue already: it goes ahead of those who are woken.
      this.#waits.changed();
    }
  }

  async #follow(request: PlannedRequest, exchange: Exchange, action: Action): Promise<Exchange> {
    if (action.do === 'accept') return exchange;
    if (action.do === 'probe') {
      await this.#probe(action.reason);
      return this.#follow(request, exchange, action.after);
    }
    if (action.do !== 'retry') throw this.stopped ?? this.budget.error;
    const turn = await this.#inTurn(request, 1, true);
    this.log.noteRetry(exchange, action.reason);
    const again = (action.cause === 'broken' && request.again?.()) || request;
    return this.#deliver({ request: again, repeats: exchange, retries: action.retries }, turn);
  }

  /** The target may leave some requests without a response and serve all others: if it serves this one, the run goes on. */
  async #probe(reason: string): Promise<void> {
    if (!this.#known || this.budget.left < 1) throw this.stop(reason);
    const request = { ...this.#known, purpose: 'survey' };
    const turn = await this.#inTurn(request, 1, true);
    const [{ response, failure }] = await this.#exchange({ request, retries: noRetries }, turn);
    this.#waits.changed();
    if (!response || failure) throw this.stop(reason);
  }

  async #exchange({ request, repeats, retries }: Attempt, { waited }: Turn): Promise<[Exchange, Action]> {
    const { signal, transport } = this.#options;
    this.budget.release(1);
    const id = this.log.nextId();
    const { maximumBytes } = this.log;
    const { credential } = request;
    const { authorization } = credential;
    const received = await transport.send({ ...wireRequest(request, this.#options), signal, maximumBytes });
    const { status } = received;
    const isRefused = status === 401 && this.#keyWasAccepted;
    const hasRunOut = isRefused && (await credential.renew?.(authorization)) === true;
    if (credential.kind === 'valid' && status !== null && status < 400) this.#keyWasAccepted = true;
    const sent = hasRunOut ? { ...request, credential: runOut(credential) } : request;
    const exchange = new Exchange({
      id,
      ...recordExchange(sent, received, this.#options, waited),
      ...(repeats === undefined ? {} : { repeats: repeats.id }),
    });
    this.log.clockDifference.see(exchange);
    const caller = callerOf(request);
    const hasSubstitute = request.again !== undefined;
    const ended = { caller, exchange, retries, hasSubstitute, hasRunOut, ...this.#time };
    const action = this.#next({ type: 'ended', ...ended });
    this.log.keep(exchange);
    // A request that was under way when the run was interrupted was sent too.
    signal.throwIfAborted();
    if (request.method === 'GET' && exchange.status === 200 && exchange.broken === undefined)
      this.#known = request;
    return [exchange, action];
  }
}
