import { setMaxListeners } from 'node:events';
import { ExchangeLog } from '../../evidence/exchange-log.js';
import { Exchange } from '../../evidence/exchange.js';
import type { RecordedExchange } from '../../evidence/recorded-exchange.js';
import type { Clock } from '../clock/clock.js';
import type { Transport } from '../connection/transport.js';
import { runOut } from '../exchange/credential.js';
import { type Destination, type PlannedRequest, wireRequest } from '../exchange/planned-request.js';
import { recordExchange } from '../exchange/record-exchange.js';
import { initialState, next, noRetries, type Action, type Caller, type Event } from './next.js';
import type { Pause, Terms } from './pace.js';
import { Budget, RunStopped } from './run-end.js';

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

/** A request as it is sent: `since` it was asked for; `repeats` is the exchange that it replaces. */
interface Attempt {
  readonly request: PlannedRequest;
  readonly since: number;
  readonly retries: typeof noRetries;
  readonly repeats?: string;
}

const callerOf = ({ credential: { kind } }: PlannedRequest): Caller =>
  kind === 'valid' || kind === 'equivalent' ? 'key' : 'other';

/** Sends requests when `next` says so, and records every exchange. */
export class Client {
  readonly log: ExchangeLog;
  readonly budget: Budget;
  /** Aborts when the run is interrupted, or stopped. */
  readonly signal: AbortSignal;
  readonly #end = new AbortController();
  /** First come, first served, but a retry goes ahead; a burst is not split. */
  readonly #queues: Readonly<Record<Caller, symbol[]>> = { key: [], other: [] };
  #state;
  /** Who waits until a request has ended, or a queue has moved. */
  #waiting: Array<() => void> = [];
  #waited = { ms: 0, until: 0 };
  #keyWasAccepted = false;
  /** The last request that the target answered as expected: a probe sends it again. */
  #known: PlannedRequest | undefined;

  constructor(private readonly options: ClientOptions) {
    this.#state = initialState(options);
    this.budget = new Budget(options.maxRequests);
    this.signal = AbortSignal.any([options.signal, this.#end.signal]);
    // Each request and each wait listens for the end; none of them leaks.
    setMaxListeners(0, this.signal);
    this.signal.addEventListener('abort', () => this.#changed());
    this.log = new ExchangeLog((exchange) => {
      try {
        options.onExchange(exchange);
      } catch (error) {
        throw error instanceof RunStopped ? this.stop(error.message) : error;
      }
    });
  }

  /** Milliseconds of all waits because of a limit; what several wait at once counts once. */
  get waitedMs(): number {
    return Math.round(this.#waited.ms);
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
   * @throws RunStopped, or the signal's reason
   */
  async send(request: PlannedRequest): Promise<Exchange> {
    const since = this.#now;
    await this.#turn(request);
    return this.#deliver(request, since);
  }

  /** Sends several requests at the same moment, as nearly as one process can. All have one caller. */
  async sendTogether(requests: readonly PlannedRequest[]): Promise<Exchange[]> {
    const [first] = requests;
    if (!first) return [];
    const since = this.#now;
    const granted = await this.#turn(first, { count: requests.length });
    const sent = requests.slice(0, granted).map((request) => this.#deliver(request, since));
    if (granted < requests.length) sent.push(Promise.reject(this.budget.error));
    return Promise.all(sent);
  }

  /** Waits until so many requests can go out one right after the other, as far as the plan tells. */
  async room(request: PlannedRequest, count: number): Promise<void> {
    for (;;) {
      this.signal.throwIfAborted();
      const [, action] = next(this.#state, this.#wanted(request, count));
      if (action.do !== 'wait') return;
      await this.#wait(action);
    }
  }

  /** Keeps an exchange that another sender had, and paces what follows with the same key by it. */
  record(line: Omit<RecordedExchange, 'id'>, isKept?: boolean): Exchange {
    const exchange = this.log.record(line, isKept);
    if (exchange.credential === 'valid') this.#next({ type: 'observed', now: this.#now, exchange });
    return exchange;
  }

  /** Waits for what is under way: a probe that one request ended may have sent others. */
  async settled(): Promise<void> {
    while (this.#state.underWay > 0) await this.#wait();
  }

  get #now(): number {
    return this.options.clock.now();
  }

  #wanted(request: PlannedRequest, count: number): Event {
    return { type: 'wanted', now: this.#now, caller: callerOf(request), count, left: this.budget.left };
  }

  #next(event: Event): Action {
    const [state, action] = next(this.#state, event);
    this.#state = state;
    if (action.do === 'stop' && action.reason !== undefined) this.stop(action.reason);
    return action;
  }

  /** Waits until requests of one caller may be sent together; gives how many the budget allows. */
  async #turn(request: PlannedRequest, { count = 1, isAhead = false } = {}): Promise<number> {
    const queue = this.#queues[callerOf(request)];
    const place = Symbol('a place in the queue');
    queue[isAhead ? 'unshift' : 'push'](place);
    // Others may wait for the request that is retried: it stands before them when they look.
    if (isAhead) this.#changed();
    try {
      for (;;) {
        this.signal.throwIfAborted();
        const isFirst = queue[0] === place;
        const action: Action = isFirst ? this.#next(this.#wanted(request, count)) : { do: 'wait' };
        if (action.do === 'send') return this.budget.take(action.count);
        if (action.do !== 'wait') throw this.budget.error;
        await this.#wait(action);
      }
    } finally {
      queue.splice(queue.indexOf(place), 1);
      this.#changed();
    }
  }

  #changed(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Waits until a moment; without one, until something has changed. @throws the signal's reason if it aborts first */
  async #wait({ until, reason = '' }: Partial<Pause> = {}): Promise<void> {
    if (until === undefined) return new Promise((resolve) => void this.#waiting.push(resolve));
    const { clock, onWait } = this.options;
    const began = this.#now;
    if (reason === '') return clock.sleep(until - began, this.signal);
    onWait?.({ until, reason });
    try {
      await clock.sleep(until - began, this.signal);
    } finally {
      const ms = this.#waited.ms + Math.max(0, this.#now - Math.max(began, this.#waited.until));
      this.#waited = { ms, until: this.#now };
      onWait?.(null);
    }
  }

  /** Sends a request whose turn it is, and again until an exchange is accepted. */
  async #deliver(request: PlannedRequest, since: number): Promise<Exchange> {
    let attempt: Attempt = { request, since, retries: noRetries };
    try {
      for (;;) {
        const [exchange, found] = await this.#exchange(attempt);
        const action = found.do === 'probe' ? await this.#probe(found) : found;
        if (action.do === 'accept') return exchange;
        if (action.do !== 'retry') throw this.stopped ?? this.budget.error;
        const { cause, reason } = action;
        const again = (cause === 'broken' && request.again?.()) || request;
        const retries = { ...attempt.retries, [cause]: attempt.retries[cause] + 1 };
        attempt = { request: again, since: this.#now, retries, repeats: exchange.id };
        await this.#turn(request, { isAhead: true });
        this.log.repeated.push({ exchange: exchange.id, reason });
      }
    } finally {
      this.#changed();
    }
  }

  /** The target may leave some requests without a response and serve all others: if it serves this one, the run goes on. */
  async #probe({ reason, after }: Extract<Action, { do: 'probe' }>): Promise<Action> {
    if (!this.#known || this.budget.left < 1) throw this.stop(reason);
    const probe = { ...this.#known, purpose: 'survey' };
    const attempt = { request: probe, since: this.#now, retries: noRetries };
    await this.#turn(probe, { isAhead: true });
    const [{ response, failure }] = await this.#exchange(attempt);
    if (!response || failure) throw this.stop(reason);
    return after;
  }

  async #exchange({ request, since, retries, repeats }: Attempt): Promise<readonly [Exchange, Action]> {
    const { signal, transport } = this.options;
    const { credential } = request;
    const id = this.log.nextId();
    // Another key may have taken its place when the response comes.
    const { authorization } = credential;
    const wire = wireRequest(request, this.options);
    const received = await transport.send({ ...wire, maximumBytes: this.log.maximumBytes });
    const { status, sentAt } = received;
    const isRefused = status === 401 && this.#keyWasAccepted;
    const hasRunOut = isRefused && (await credential.renew?.(authorization)) === true;
    if (credential.kind === 'valid' && status !== null && status < 400) this.#keyWasAccepted = true;
    const sent = hasRunOut ? { ...request, credential: runOut(credential) } : request;
    const exchange = new Exchange({
      id,
      ...recordExchange(sent, received, this.options, sentAt - since),
      repeats,
    });
    const facts = { caller: callerOf(request), hasSubstitute: request.again !== undefined, hasRunOut };
    const action = this.#next({ type: 'ended', now: this.#now, exchange, retries, ...facts });
    this.log.keep(exchange);
    // A request that was under way when the run was interrupted was sent too.
    signal.throwIfAborted();
    if (request.method === 'GET' && status === 200 && exchange.broken === undefined) this.#known = request;
    return [exchange, action];
  }
}
