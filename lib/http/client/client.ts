import type { Transport } from '../connection/transport.js';
import { type Exchange, isComplete } from '../../evidence/recorded-exchange.js';
import { ExchangeLog, type ExchangeLogOptions } from '../../evidence/exchange-log.js';
import { type Destination, type PlannedRequest, wireRequest } from '../exchange/planned-request.js';
import { recordExchange } from '../exchange/record-exchange.js';
import { Concurrency } from '../pacing/concurrency.js';
import { Pacing, type PacingOptions, type Slot, Waits } from '../pacing/pacing.js';
import { Budget } from './budget.js';
import { backoff, decide, initialState, lostExchanges, nextState } from './circuit-breaker.js';
import { RunStopped } from './run-end.js';

/** What the pacing of each caller is told; the client adds what its callers share. */
type PaceOptions = Omit<PacingOptions, 'clockDifference' | 'concurrency' | 'waits'>;

export interface ClientOptions extends ExchangeLogOptions, Destination, PaceOptions {
  readonly transport: Transport;
  readonly signal: AbortSignal;
  readonly concurrency: number;
  readonly maximumRequests?: number;
}

/** Sends requests at the pace that target and plan allow, retries them (see `decide`), and records every exchange. */
export class Client {
  readonly log: ExchangeLog;
  readonly budget: Budget;
  readonly #options: ClientOptions;
  readonly #waits = new Waits();
  readonly #underWay = new Set<Promise<Exchange>>();
  /** Limiters count callers separately: what a response without the key says is nothing about the key. */
  readonly #pacings: Record<'key' | 'other', Pacing>;
  #state = initialState;
  #stopped: RunStopped | undefined;
  /** The last request that the target answered as expected: a probe sends it again. */
  #known: PlannedRequest | undefined;
  /** Set while the circuit is open: one request tries to reach the target, and all others wait for the outcome. */
  #circuit: Promise<unknown> | undefined;

  constructor(options: ClientOptions) {
    this.#options = options;
    const { evidence } = options;
    const append = (exchange: Exchange): void => {
      try {
        evidence.append(exchange);
      } catch (error) {
        throw this.#endedBy(error);
      }
    };
    this.log = new ExchangeLog({ ...options, evidence: { append, close: () => evidence.close() } });
    this.budget = new Budget(options.maximumRequests, () => this.log.sent);
    const clockDifference = (): number | null => this.log.clockDifference.milliseconds;
    const concurrency = new Concurrency(options.concurrency);
    const pacing = (): Pacing => new Pacing({ ...options, concurrency, waits: this.#waits, clockDifference });
    this.#pacings = { key: pacing(), other: pacing() };
  }

  /** Milliseconds in which nothing could be sent because of the limits. */
  get waitedMs(): number {
    return Math.round(this.#waits.milliseconds);
  }

  /** Whether the target has ever sent a response. */
  get reached(): boolean {
    return this.#state.reached;
  }

  /** If the target was lost: the exchanges since its last whole response. */
  get lostSince(): readonly Exchange[] {
    return lostExchanges(this.#state);
  }

  /** Why nothing more is sent; undefined while the run goes on. */
  get stopped(): RunStopped | undefined {
    return this.#stopped;
  }

  /** Ends the run: every further request is refused with this reason. */
  stop(reason: string): RunStopped {
    this.#stopped ??= new RunStopped(reason);
    return this.#stopped;
  }

  /**
   * Sends a request and waits for its response; a failed one is an exchange with a `failure`.
   * @param repeats the exchange that this request replaces, if there is one
   * @throws BudgetSpent, RunStopped, or the signal's reason
   */
  async send(request: PlannedRequest, repeats?: Exchange): Promise<Exchange> {
    if (repeats) await this.#sleep(backoff(repeats, this.#state));
    const [slot] = await this.#slots(request, 1, false);
    return this.#settle(request, await this.#exchange(request, slot, repeats), false);
  }

  /** Sends several requests at the same moment, as nearly as one process can. All have one caller. */
  async sendTogether(requests: readonly PlannedRequest[]): Promise<Exchange[]> {
    const [first] = requests;
    if (!first) return [];
    const slots = await this.#slots(first, requests.length, false);
    const send = async (request: PlannedRequest, index: number): Promise<Exchange> =>
      this.#settle(request, await this.#exchange(request, slots[index]), false);
    return Promise.all(requests.map(send));
  }

  /** Keeps an exchange that another sender had, and paces what follows with the same key by it. */
  record(exchange: Omit<Exchange, 'id'>): Exchange {
    const kept = this.log.record(exchange);
    if (kept.credential === 'valid') this.#pacings.key.observe(kept);
    return kept;
  }

  /** Waits until so many requests can go out one right after the other, as far as the limiter's headers tell. */
  async room(request: PlannedRequest, count: number): Promise<void> {
    for (const slot of await this.#slots(request, count, false)) slot.unused();
  }

  /** Does what is decided after each exchange, until one is accepted. */
  async #settle(request: PlannedRequest, first: Exchange, alone: boolean): Promise<Exchange> {
    const retries = { limited: 0, unreachable: 0, broken: 0 };
    for (let exchange = first; ;) {
      const canProbe = this.#known !== undefined && this.budget.left > 0;
      const decision = decide(exchange, { state: this.#state, retries, canProbe });
      if (decision.action === 'accept') return exchange;
      if (decision.action === 'abort') throw this.stop(decision.reason);
      const opensCircuit = decision.action === 'probe' || decision.cause === 'unreachable';
      if (opensCircuit && !alone && !this.#circuit) {
        const settled = this.#settle(request, exchange, true);
        this.#circuit = settled.catch(() => undefined);
        return settled.finally(() => (this.#circuit = undefined));
      }
      if (decision.action === 'probe') {
        await (alone ? this.#probe(decision.reason) : this.#circuit);
        continue;
      }
      if (alone || !opensCircuit) await this.#sleep(decision.delayMs);
      retries[decision.cause] += 1;
      const [slot] = await this.#slots(request, 1, alone);
      const retried = await this.#exchange(request, slot, exchange);
      this.log.noteRetry(exchange, decision.reason);
      exchange = retried;
    }
  }

  /** The target may leave some requests without a response and serve all others: if it serves this one, the run goes on. */
  async #probe(reason: string): Promise<void> {
    if (!this.#known) throw this.stop(reason);
    this.#state = { ...this.#state, probes: this.#state.probes + 1 };
    const request = { ...this.#known, purpose: 'survey' };
    const [slot] = await this.#slots(request, 1, true);
    const { response } = await this.#exchange(request, slot);
    if (!response) throw this.stop(reason);
  }

  /** Room for so many requests at this pace, while the circuit is closed. */
  async #slots({ credential }: PlannedRequest, count: number, alone: boolean): Promise<Slot[]> {
    const { signal } = this.#options;
    const withKey = credential.kind === 'valid' || credential.kind === 'equivalent';
    const pacing = this.#pacings[withKey ? 'key' : 'other'];
    for (;;) {
      if (!alone) while (this.#circuit) await this.#circuit;
      const slots = await pacing.acquire(signal, count).catch((error: unknown) => {
        throw this.#endedBy(error);
      });
      if (alone || !this.#circuit) return slots;
      for (const slot of slots) slot.unused();
    }
  }

  /** Waits for what is under way: a probe that was ended by one request may have sent others. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
  }

  async #exchange(request: PlannedRequest, slot?: Slot, repeats?: Exchange): Promise<Exchange> {
    const kept = this.#keptExchange(request, slot, repeats);
    this.#underWay.add(kept);
    return kept.finally(() => this.#underWay.delete(kept));
  }

  async #keptExchange(request: PlannedRequest, slot?: Slot, repeats?: Exchange): Promise<Exchange> {
    const { signal } = this.#options;
    const refusal = this.#stopped ?? this.budget.error;
    if (!slot || refusal) {
      slot?.unused();
      throw refusal ?? new Error('every request needs a slot');
    }
    const intoSilence = this.#state.unanswered > 0;
    const id = this.log.nextId();
    const exchange = await this.#carry(request, id, slot.waited, repeats);
    // The pacing needs the difference of the clocks.
    this.log.clockDifference.see(exchange);
    slot.answered(exchange);
    // A request that was under way when the run was interrupted was sent too.
    this.log.keep(exchange);
    this.#state = nextState(this.#state, exchange, intoSilence);
    signal.throwIfAborted();
    if (request.method === 'GET' && exchange.response?.status === 200 && isComplete(exchange))
      this.#known = request;
    return exchange;
  }

  async #carry(request: PlannedRequest, id: string, waitMs: number, repeats?: Exchange): Promise<Exchange> {
    const { clock, signal, transport } = this.#options;
    const sentAt = clock.now();
    const { maximumBytes } = this.log;
    const result = await transport.send({ ...wireRequest(request, this.#options), signal, maximumBytes });
    return {
      id,
      ...recordExchange(request, { sentAt, waitMs, ...result }, this.#options),
      ...(repeats === undefined ? {} : { repeats: repeats.id }),
    };
  }

  async #sleep(milliseconds: number): Promise<void> {
    if (milliseconds > 0) await this.#options.clock.sleep(milliseconds, this.#options.signal);
  }

  /** What ends the run elsewhere ends the client too. */
  #endedBy(error: unknown): unknown {
    return error instanceof RunStopped ? this.stop(error.message) : error;
  }
}
