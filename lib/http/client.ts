import type { Plan } from '../specification/plans.js';
import { Breaker } from './breaker.js';
import { ClockDifference } from './clock-difference.js';
import type { Clock } from './clock.js';
import type { Credential } from './credential.js';
import { curlOf } from './curl.js';
import type { Evidence } from './evidence.js';
import type { Exchange, OperationName } from './exchange.js';
import { Outage } from './outage.js';
import { Pace, patience, patienceLost, type Slot } from './pace.js';
import { recordedBody, type Redact } from './recorded-body.js';
import { delayOfRepeat, repeatAfter, type Repeat } from './repeat.js';
import { BudgetSpent, RunStopped } from './stop.js';
import type { RawRequest, RawResult, Transport } from './transport.js';

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
  /** What an interrupted run had sent, where this one goes on with it. */
  readonly goOnFrom?:
    | {
        readonly sent: number;
        readonly exchanges: number;
        readonly byOperation: Readonly<Record<string, number>>;
      }
    | undefined;
  readonly onWait?: (wait: { until: number; reason: string } | null) => void;
  readonly onExchange?: (exchange: Exchange) => void;
}

/** Bytes. No page of 100 animals needs a body that is longer; those that are stay in memory like any other. */
const largeBody = 1024 * 1024;
/** Bytes that large bodies may take in all. Of further ones no more is kept than of one that is too long to be read. */
const roomForLargeBodies = 128 * 1024 * 1024;
/** Times that a target which has answered before is tried again where no connection comes about; one that never has, once. */
const triesToReach = 3;

/**
 * Sends requests, at the pace that target and plan allow, and records every exchange. It repeats what the network or
 * the limiter kept from being answered (see repeat.ts), never beyond the budget.
 */
export class Client {
  readonly exchanges: Exchange[] = [];
  /** Exchanges that had to be sent again, and why. */
  readonly repeated: Array<{ exchange: string; reason: string }> = [];
  readonly clockDifference = new ClockDifference();
  readonly #breaker = new Breaker();
  readonly #outage = new Outage();
  #sent = 0;
  /** The number of the last exchange. */
  #numbered = 0;
  #largeBodies = 0;
  readonly #byOperation: Record<string, number>;
  #stopped: RunStopped | undefined;
  readonly #options: ClientOptions;
  /** The limiter counts callers apart: what it says to a stranger is nothing about the key. */
  readonly #paces: Record<'key' | 'stranger', Pace>;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#sent = options.goOnFrom?.sent ?? 0;
    this.#numbered = options.goOnFrom?.exchanges ?? 0;
    this.#byOperation = { listPets: 0, createPet: 0, getPet: 0, ...options.goOnFrom?.byOperation };
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

  /** Requests by operation; those that the specification does not list stand under `unlisted`. */
  get byOperation(): Readonly<Record<string, number>> {
    return this.#byOperation;
  }

  #count({ operation }: Exchange): void {
    const name = operation ?? 'unlisted';
    this.#byOperation[name] = (this.#byOperation[name] ?? 0) + 1;
  }

  /** Milliseconds in which nothing could be sent because of the limits. */
  get waitedMs(): number {
    return Math.round(this.#paces.key.blockedMs + this.#paces.stranger.blockedMs);
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
  async send(ask: Ask, repeats?: string): Promise<Exchange> {
    if (repeats !== undefined) await this.#pause();
    const [slot] = await this.#slots(ask);
    return this.#sendInto(slot, ask, repeats);
  }

  /**
   * Keeps an exchange that another sender had, under load: it counts as sent, and is evidence like any other.
   * @throws RunStopped where the evidence can no longer be written.
   */
  record(exchange: Omit<Exchange, 'id'>): Exchange {
    this.#sent += 1;
    this.#numbered += 1;
    const kept: Exchange = { id: `e${this.#numbered}`, ...exchange };
    this.clockDifference.see(kept);
    this.exchanges.push(kept);
    this.#count(kept);
    this.#options.evidence.append(kept);
    this.#options.onExchange?.(kept);
    return kept;
  }

  /** Counts requests that another sender had, of whose exchanges only a sample is kept: a day's are too many. */
  countUnrecorded(operation: OperationName, requests: number): void {
    this.#sent += requests;
    this.#byOperation[operation] = (this.#byOperation[operation] ?? 0) + requests;
  }

  /** Keeps, for the record, that an exchange had to be sent again, and why. */
  noteRepeat(exchange: Exchange, reason: string): void {
    this.repeated.push({ exchange: exchange.id, reason });
  }

  /** Sends several at the same moment, as nearly as one process can. All have one caller. */
  async sendTogether(asks: readonly Ask[]): Promise<Exchange[]> {
    const slots = await this.#slots(asks[0], asks.length);
    return Promise.all(slots.map((slot, index) => this.#sendInto(slot, asks[index])));
  }

  /** Waits until so many requests can go out one right after the other, as far as the limiter's answers tell. */
  async room(ask: Ask, count: number): Promise<void> {
    for (const slot of await this.#slots(ask, count)) slot.unused();
  }

  /** Room for so many requests, when the target is not being waited for. */
  async #slots(ask: Ask | undefined, count = 1): Promise<Slot[]> {
    for (;;) {
      await this.#outage.over();
      const slots = await this.#paced(ask, count);
      if (!this.#outage.lasts) return slots;
      for (const slot of slots) slot.unused();
    }
  }

  async #paced(ask: Ask | undefined, count = 1): Promise<Slot[]> {
    try {
      return await this.#paceOf(ask).acquire(this.#options.signal, count);
    } catch (error) {
      throw error instanceof RunStopped ? this.stop(error.message) : error;
    }
  }

  async #sendInto(slot: Slot | undefined, ask: Ask | undefined, repeats?: string): Promise<Exchange> {
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
        if (repeat.cause === 'broken') await this.#pause();
        repeated ||= repeat.cause === 'broken';
        exchange = await this.#again(ask, exchange, repeat);
      }
    }
  }

  /** Where much breaks off, it is not asked for again at once. */
  async #pause(): Promise<void> {
    const delay = delayOfRepeat(this.#breaker.broken);
    if (delay > 0) await this.#options.clock.sleep(delay, this.#options.signal);
  }

  async #again(ask: Ask, exchange: Exchange, { reason }: Repeat): Promise<Exchange> {
    const [slot] = await this.#slots(ask);
    if (!slot) throw new Error('a slot for each request');
    const next = await this.#exchange(ask, slot, exchange.id);
    this.noteRepeat(exchange, reason);
    return next;
  }

  /**
   * Nothing was sent: no connection came about. The request that finds so first tries again, some times and ever later;
   * what else is to be sent waits for it, so that a target that is gone is not stormed by all.
   */
  async #onceReachable(ask: Ask, exchange: Exchange, repeat: Repeat): Promise<Exchange> {
    if (this.#outage.lasts) return this.#again(ask, exchange, repeat);
    return this.#outage.during(async () => {
      const { clock, signal } = this.#options;
      let last = { exchange, repeat };
      for (let tries = 0; tries < (this.answeredEver ? triesToReach : 1); tries += 1) {
        await clock.sleep(500 * 2 ** tries, signal);
        const [slot] = await this.#paced(ask);
        if (!slot) throw new Error('a slot for each request');
        const next = await this.#exchange(ask, slot, last.exchange.id);
        this.noteRepeat(last.exchange, last.repeat.reason);
        const again = repeatAfter(next, false);
        if (again?.cause !== 'unreachable') return next;
        last = { exchange: next, repeat: again };
      }
      throw this.stop(`the target can't be reached: ${last.repeat.reason}`);
    });
  }

  #paceOf(ask: Ask | undefined): Pace {
    return this.#paces[
      ask?.credential.kind === 'valid' || ask?.credential.kind === 'equivalent' ? 'key' : 'stranger'
    ];
  }

  async #exchange(ask: Ask, slot: Slot, repeats?: string): Promise<Exchange> {
    const { maximumRequests } = this.#options;
    const refusal = this.#stopped ?? (this.left <= 0 ? new BudgetSpent(maximumRequests ?? 0) : undefined);
    if (refusal) {
      slot.unused();
      throw refusal;
    }
    const intoSilence = this.#breaker.unanswered > 0;
    const id = `e${this.#numbered + 1}`;
    const headers = this.#headersOf(ask);
    const request: Exchange['request'] = {
      method: ask.method,
      url: this.#options.redact(this.baseUrl + ask.path),
      headers: headers.map(([name, value]) => [
        name,
        name === 'Authorization' ? (ask.credential.display ?? value) : value,
      ]),
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
    this.#sent += 1;
    this.#numbered += 1;
    const { pathname } = new URL(this.baseUrl);
    const raw: RawRequest = {
      method: ask.method,
      path: (pathname === '/' ? '' : pathname) + ask.path,
      headers,
      signal: this.#options.signal,
      ...(ask.body === undefined ? {} : { body: ask.body }),
    };
    const result = this.#withinRoom(await this.#options.transport.send(raw));
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
    if (result.failure)
      exchange.failure = { ...result.failure, message: this.#options.redact(result.failure.message) };
    exchange.curl = curlOf(request);
    this.clockDifference.see(exchange);
    slot.answered(exchange);
    // What was under way when the run was interrupted was sent, too.
    this.#keep(exchange, intoSilence);
    if (this.#options.signal.aborted) throw this.#options.signal.reason;
    return exchange;
  }

  #withinRoom(result: RawResult): RawResult {
    const { response, failure } = result;
    if (!response || response.truncated || response.body.length <= largeBody) return result;
    this.#largeBodies += response.body.length;
    if (this.#largeBodies <= roomForLargeBodies) return result;
    const message = `the body is longer than ${largeBody} bytes, as others were before it; the rest was not kept`;
    return {
      ...result,
      response: { ...response, truncated: true },
      failure: failure ?? { kind: 'too-large', message },
    };
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

  #keep(exchange: Exchange, intoSilence: boolean): void {
    this.#count(exchange);
    this.exchanges.push(exchange);
    this.#options.evidence.append(exchange);
    this.#options.onExchange?.(exchange);
    const lost = this.#breaker.see(exchange, intoSilence);
    if (lost !== undefined) this.stop(lost);
  }
}
