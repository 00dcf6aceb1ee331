import type { Plan } from '../specification/plans.js';
import { ClockDifference } from './clock-difference.js';
import type { Clock } from './clock.js';
import type { Credential } from './credential.js';
import { curlOf } from './curl.js';
import type { Evidence } from './evidence.js';
import { isNoConnection, type Exchange, type OperationName } from './exchange.js';
import { Pace, type Slot } from './pace.js';
import { recordedBody, type Redact } from './recorded-body.js';
import { repeatAfter } from './repeat.js';
import { BudgetSpent, RunStopped } from './stop.js';
import type { RawRequest, Transport } from './transport.js';

/** One request, as a probe wants it sent. */
export interface Ask {
  readonly purpose: string;
  readonly operation: OperationName | null;
  readonly input: Exchange['input'];
  readonly method: string;
  /** Behind the base address, query included, sent as it is: `/pets?limit=1`. */
  readonly path: string;
  readonly credential: Credential;
  readonly headers?: ReadonlyArray<readonly [string, string]>;
  readonly body?: string;
}

export interface ClientOptions {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly plan: Plan;
  readonly transport: Transport;
  readonly redact: Redact;
  readonly evidence: Evidence;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly concurrency: number;
  /** Milliseconds that the run is ready to wait in one go. */
  readonly longestWait: number;
  readonly maximumRequests?: number;
  readonly userAgent: string;
  readonly onWait?: (wait: { until: number; reason: string } | null) => void;
  readonly onExchange?: (exchange: Exchange) => void;
}

/** In how many requests in a row nothing may come back before the run gives the target up. */
const breakerThreshold = 8;
/** Times that a request is sent again after a 429 that no check asked for. */
const patience = 6;

/**
 * Sends requests, at the pace that target and plan allow, and records every exchange. It repeats what the network or
 * the limiter kept from being answered (see repeat.ts), never beyond the budget.
 */
export class Client {
  readonly exchanges: Exchange[] = [];
  /** Exchanges that had to be sent again, and why. */
  readonly repeated: Array<{ exchange: string; reason: string }> = [];
  readonly clockDifference = new ClockDifference();
  #waitedMs = 0;
  #sent = 0;
  #unanswered = 0;
  #answeredEver = false;
  #stopped: RunStopped | undefined;
  readonly #options: ClientOptions;
  /** The limiter counts callers apart: what it says to a stranger is nothing about the key. */
  readonly #paces: Record<'key' | 'stranger', Pace>;

  constructor(options: ClientOptions) {
    this.#options = options;
    const pace = (): Pace =>
      new Pace({ ...options, clockDifference: () => this.clockDifference.milliseconds });
    this.#paces = { key: pace(), stranger: pace() };
  }

  get baseUrl(): string {
    return this.#options.baseUrl;
  }

  get sent(): number {
    return this.#sent;
  }

  /** Milliseconds in which nothing could be sent because of limits, summed over requests. */
  get waitedMs(): number {
    return Math.round(this.#waitedMs);
  }

  /** Requests that the budget still allows. */
  get left(): number {
    return (this.#options.maximumRequests ?? Number.POSITIVE_INFINITY) - this.#sent;
  }

  /** Why nothing more is sent; undefined while the run goes on. */
  get stopped(): RunStopped | undefined {
    return this.#stopped;
  }

  /** Ends the run: what is asked from now on is refused with this reason. */
  stop(reason: string): RunStopped {
    return this.#stop(reason);
  }

  /** The exchanges since the last one that brought a response. */
  get unansweredSince(): readonly Exchange[] {
    return this.#unanswered === 0 ? [] : this.exchanges.slice(-this.#unanswered);
  }

  /** True once the target has answered anything in HTTP. */
  get answeredEver(): boolean {
    return this.#answeredEver;
  }

  /**
   * Sends a request and waits for its answer; a broken one is an exchange with a `failure`.
   * @throws BudgetSpent, RunStopped, or the signal's reason.
   */
  async send(ask: Ask, repeats?: string): Promise<Exchange> {
    const [slot] = await this.#paceOf(ask).acquire(this.#options.signal);
    return this.#sendInto(slot, ask, repeats);
  }

  /** Keeps, for the record, that an exchange had to be sent again, and why. */
  noteRepeat(exchange: Exchange, reason: string): void {
    this.repeated.push({ exchange: exchange.id, reason });
  }

  /** Sends several at the same moment, as nearly as one process can. All have one caller. */
  async sendTogether(asks: readonly Ask[]): Promise<Exchange[]> {
    const slots = await this.#paceOf(asks[0]).acquire(this.#options.signal, asks.length);
    return Promise.all(slots.map((slot, index) => this.#sendInto(slot, asks[index])));
  }

  async #sendInto(slot: Slot | undefined, ask: Ask | undefined, repeats?: string): Promise<Exchange> {
    if (!ask || !slot) throw new Error('a slot for each request');
    let exchange = await this.#exchange(ask, slot, repeats);
    for (let attempt = 0; attempt < patience; attempt += 1) {
      const repeat = repeatAfter(exchange, attempt, this.#answeredEver);
      if (repeat === undefined) break;
      if (exchange.response?.status === 429) this.#paceOf(ask).refused(exchange, attempt);
      else await this.#options.clock.sleep(repeat.delay, this.#options.signal);
      this.noteRepeat(exchange, repeat.reason);
      const [next] = await this.#paceOf(ask).acquire(this.#options.signal);
      if (!next) throw new Error('a slot for each request');
      exchange = await this.#exchange(ask, next, exchange.id);
    }
    if (exchange.failure && isNoConnection(exchange.failure.kind)) {
      throw this.#stop(`the target can't be reached: ${exchange.failure.message}`);
    }
    if (exchange.response?.status !== 429) return exchange;
    throw this.#stop(`the target still answers 429 after ${patience} waits as long as it asked for`);
  }

  #paceOf(ask: Ask | undefined): Pace {
    return this.#paces[ask?.credential.kind === 'valid' || ask?.credential.kind === 'equivalent' ? 'key' : 'stranger'];
  }

  #stop(message: string): RunStopped {
    this.#stopped ??= new RunStopped(message);
    return this.#stopped;
  }

  async #exchange(ask: Ask, slot: Slot, repeats?: string): Promise<Exchange> {
    const { maximumRequests } = this.#options;
    const refusal = this.#stopped ?? (this.left <= 0 ? new BudgetSpent(maximumRequests ?? 0) : undefined);
    const id = `e${this.#sent + 1}`;
    const headers = this.#headersOf(ask);
    const request: Exchange['request'] = {
      method: ask.method,
      url: this.baseUrl + ask.path,
      headers: headers.map(([name, value]) => [name, name === 'Authorization' ? (ask.credential.display ?? value) : value]),
      ...(ask.body === undefined ? {} : { body: this.#options.redact(ask.body) }),
    };
    const exchange: Exchange = {
      id,
      purpose: ask.purpose,
      operation: ask.operation,
      credential: ask.credential.kind,
      input: ask.input,
      sentAt: new Date(this.#options.clock.now()).toISOString(),
      request,
      timing: { wait: Math.round(slot.waited), total: 0 },
      ...(repeats === undefined ? {} : { repeats }),
    };
    if (refusal) {
      slot.answered(exchange);
      throw refusal;
    }
    this.#sent += 1;
    this.#waitedMs += slot.waited;
    const { pathname } = new URL(this.baseUrl);
    const raw: RawRequest = {
      method: ask.method,
      path: (pathname === '/' ? '' : pathname) + ask.path,
      headers,
      signal: this.#options.signal,
      ...(ask.body === undefined ? {} : { body: ask.body }),
    };
    const result = await this.#options.transport.send(raw);
    exchange.timing.total = Math.round(result.totalMs * 10) / 10;
    if (result.response) {
      const { status, headers: received, firstByteMs } = result.response;
      exchange.timing.firstByte = Math.round(firstByteMs * 10) / 10;
      exchange.response = {
        status,
        headers: received.map(([name, value]) => [this.#options.redact(name), this.#options.redact(value)]),
        body: recordedBody(result.response, this.#options.redact),
      };
    }
    if (result.failure) exchange.failure = { ...result.failure, message: this.#options.redact(result.failure.message) };
    exchange.curl = curlOf(request);
    this.clockDifference.see(exchange);
    slot.answered(exchange);
    if (this.#options.signal.aborted) throw this.#options.signal.reason;
    this.#keep(exchange);
    return exchange;
  }

  #headersOf(ask: Ask): Array<[string, string]> {
    const { authorization } = ask.credential;
    return [
      ['User-Agent', this.#options.userAgent],
      ['Accept', 'application/json'],
      ...(authorization === undefined ? [] : [['Authorization', authorization] satisfies [string, string]]),
      ...(ask.headers ?? []).map(([name, value]): [string, string] => [name, value]),
    ];
  }

  #keep(exchange: Exchange): void {
    this.exchanges.push(exchange);
    this.#options.evidence.append(exchange);
    this.#options.onExchange?.(exchange);
    if (exchange.response) {
      this.#answeredEver = true;
      this.#unanswered = 0;
      return;
    }
    this.#unanswered += 1;
    if (this.#unanswered >= breakerThreshold) {
      const why = exchange.failure?.message ?? 'no answer';
      this.#stop(`the target gave no answer to ${this.#unanswered} requests in a row: ${why}`);
    }
  }
}
