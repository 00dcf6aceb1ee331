import { ExchangeLog } from '../../evidence/exchange-log.js';
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

export interface ClientOptions extends Destination, Terms {
  /** Writes an exchange. @throws RunStopped if it can no longer be written */
  readonly onExchange: (exchange: Exchange) => void;
  readonly transport: Pick<Transport, 'send'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly maxRequests?: number | undefined;
  /** Called when a wait because of a limit begins, and with `null` when it is over. */
  readonly onWait?: (wait: Pause | null) => void;
}

/** Permission to send requests of one caller together: as many as the budget allows. */
interface Turn {
  readonly count: number;
  /** Milliseconds spent waiting for it. */
  readonly waited: number;
}

/** A request as it is sent, which exchange it replaces, and what that was. */
interface Attempt {
  readonly request: PlannedRequest;
  readonly repeats?: Exchange;
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
  readonly signal: AbortSignal;
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
    this.signal = AbortSignal.any([options.signal, this.#end.signal]);
    this.#waits = new Waits(options.clock, this.signal, options.onWait);
    this.log = new ExchangeLog((exchange) => {
      try {
        options.onExchange(exchange);
      } catch (error) {
        throw error instanceof RunStopped ? this.stop(error.message) : error;
      }
    });
    this.budget = new Budget(options.maxRequests);
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
    return this.#deliver(request, await this.#inTurn(request));
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
    for (;;) {
      this.signal.throwIfAborted();
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
        this.signal.throwIfAborted();
        const action = this.#next(this.#wanted(request, count));
        if (action.do === 'send') {
          this.budget.take(action.count);
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

  /** Waits for a turn ahead of those that wait already: it stands in its queue before they are woken. */
  #ahead(request: PlannedRequest): Promise<Turn> {
    const turn = this.#inTurn(request, 1, true);
    this.#waits.changed();
    return turn;
  }

  /** Sends a request, and again until an exchange is accepted. */
  async #deliver(request: PlannedRequest, turn: Turn): Promise<Exchange> {
    let attempt: Attempt = { request, retries: noRetries };
    for (let next = turn; ;) {
      const [exchange, found] = await this.#exchange(attempt, next);
      const action = found.do === 'probe' ? await this.#probe(found) : found;
      if (action.do !== 'retry') {
        this.#waits.changed();
        if (action.do === 'accept') return exchange;
        throw this.stopped ?? this.budget.error;
      }
      next = await this.#ahead(request);
      this.log.repeated.push({ exchange: exchange.id, reason: action.reason });
      const again = (action.cause === 'broken' && request.again?.()) || request;
      attempt = { request: again, repeats: exchange, retries: action.retries };
    }
  }

  /** The target may leave some requests without a response and serve all others: if it serves this one, the run goes on. */
  async #probe({ reason, after }: Extract<Action, { do: 'probe' }>): Promise<Action> {
    if (!this.#known || this.budget.left < 1) throw this.stop(reason);
    const request = { ...this.#known, purpose: 'survey' };
    const [{ response, failure }] = await this.#exchange(
      { request, retries: noRetries },
      await this.#ahead(request),
    );
    this.#waits.changed();
    if (!response || failure) throw this.stop(reason);
    return after;
  }

  async #exchange({ request, repeats, retries }: Attempt, { waited }: Turn): Promise<[Exchange, Action]> {
    const { signal, transport } = this.#options;
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
    const line = recordExchange(sent, received, this.#options, waited);
    const exchange = new Exchange({ id, ...line, ...(repeats && { repeats: repeats.id }) });
    this.log.clockDifference.see(exchange);
    const facts = { caller: callerOf(request), hasSubstitute: request.again !== undefined, hasRunOut };
    const action = this.#next({ type: 'ended', exchange, retries, ...facts, ...this.#time });
    this.log.keep(exchange);
    // A request that was under way when the run was interrupted was sent too.
    signal.throwIfAborted();
    if (request.method === 'GET' && exchange.status === 200 && exchange.broken === undefined)
      this.#known = request;
    return [exchange, action];
  }
}
