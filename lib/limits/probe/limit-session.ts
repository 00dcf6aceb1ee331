import { isNoConnection } from '../../http/exchange/exchange.js';
import type { Credential } from '../../http/exchange/credential.js';
import {
  createPet,
  getPet,
  listPets,
  type OperationRequest,
  type PlannedRequest,
  type Query,
} from '../../http/exchange/planned-request.js';
import { isLoopback } from '../../http/connection/tls.js';
import { isRefused, type LedgerEntry } from '../../load/ledger.js';
import { recordedEntry } from '../../load/ledger-exchange.js';
import { volley } from '../../load/volley.js';
import type { PetStatus } from '../../specification/body-schema.js';
import { clockDifferenceOf } from '../history/clock.js';
import { historyOf, type LimitFacts } from '../history/history.js';
import { observationOf, type Observation } from '../history/observation.js';
import type { ProbeOptions } from './probe-options.js';

/** The probes can't go on; its message says why. What was seen until then is judged all the same. */
export class ProbesEnded extends Error {
  override readonly name = 'ProbesEnded';
}

export interface SendOptions {
  /** By default one. */
  readonly connections?: number;
  /** Sends each request over a connection of its own. */
  readonly closeConnections?: boolean;
  /** By default the first 429. */
  readonly stopAfter?: (entry: LedgerEntry) => boolean;
  /** Another key than the plan's. */
  readonly credential?: Credential;
}

/** Sends with one key without pacing, records every exchange, and knows the observations of that key. */
export class LimitSession {
  /** Every request of the run with the key, the functional ones included, in the order of sending. */
  readonly history: Observation[];
  readonly notes = new Set<string>();
  readonly windowMs: number;
  /** The part of the probes that is going on. */
  phase = 'opening';

  constructor(readonly options: ProbeOptions) {
    this.windowMs = options.windowMs ?? 60_000;
    this.history = [...historyOf(options.exchanges(), factsOf(options)).own];
  }

  get onLoopback(): boolean {
    return this.options.treatAsRemote !== true && isLoopback(new URL(this.options.target.baseUrl).hostname);
  }

  get now(): number {
    return this.options.clock.now();
  }

  /** When the minute's window ends by our clock, at the latest; undefined if a response does not tell it. */
  resetOf({ headers }: Observation): number | undefined {
    if (headers.reset === undefined || headers.period !== 'minute') return undefined;
    return headers.reset - this.clockAhead;
  }

  /** How far the target's clock is ahead of ours, in milliseconds, at the least. */
  get clockAhead(): number {
    return clockDifferenceOf(this.history)?.[0] ?? 0;
  }

  begin(phase: string, activity?: string): void {
    this.phase = phase;
    if (activity !== undefined) this.options.progress(`${this.options.plan.name}: ${activity}`);
  }

  list(purpose: string, query: Query = [['limit', 1]]): PlannedRequest {
    return this.#planned(listPets(query), purpose);
  }

  listWith(credential: Credential, purpose: string): PlannedRequest {
    return { ...this.list(purpose), credential };
  }

  get(purpose: string, id: string): PlannedRequest {
    return this.#planned(getPet(id), purpose);
  }

  /** A creation that the target accepts if its limiter lets it through. */
  create(purpose: string, status: PetStatus): PlannedRequest {
    return this.createFrom(purpose, this.options.newPet(status));
  }

  createFrom(purpose: string, body: string): PlannedRequest {
    return this.#planned(createPet(body), purpose);
  }

  #planned(request: OperationRequest, purpose: string): PlannedRequest {
    return { ...request, purpose, credential: this.options.credential, input: 'specified' };
  }

  /** Sends one request by itself. */
  async one(request: PlannedRequest, options: SendOptions = {}): Promise<Observation> {
    const [observation] = await this.send([request], options);
    if (!observation) throw this.options.signal.reason;
    return observation;
  }

  /**
   * Sends requests in order; as many as the budget allows.
   * @throws ProbesEnded if it allows none
   */
  async send(requests: readonly PlannedRequest[], options: SendOptions = {}): Promise<Observation[]> {
    const { target, userAgent, clock, signal, budget, redact, record, plan } = this.options;
    const {
      connections = 1,
      closeConnections = false,
      stopAfter = isRefused,
      credential = this.options.credential,
    } = options;
    signal.throwIfAborted();
    const granted = budget ? budget.reserve(requests.length) : requests.length;
    try {
      if (granted === 0 && budget && requests.length > 0) throw new ProbesEnded(budget.spent);
      const ledger = await volley({
        target: { ...target, userAgent },
        requests: requests.slice(0, granted).map((request) => ({ ...request, phase: this.phase })),
        connections,
        closeConnections,
        stopAfter,
        clock,
        signal,
      });
      for (const note of ledger.notes) this.notes.add(note);
      const sent = ledger.entries.map((entry) =>
        observationOf(
          record(recordedEntry(entry, { baseUrl: target.baseUrl, userAgent }, redact)),
          plan,
          this.windowMs,
        ),
      );
      if (credential === this.options.credential) this.history.push(...sent);
      signal.throwIfAborted();
      return sent;
    } finally {
      budget?.release(granted);
    }
  }

  /**
   * A small listing. If no response comes it is sent again after a pause, and if the target is there and only breaks the
   * connection, after a whole window: it may do so instead of a 429.
   * @throws ProbesEnded if the target stays away, or refuses the key
   */
  async look(purpose: string, query?: Query): Promise<Observation> {
    for (const pause of [1_000, 3_000, this.windowMs + 1_000, undefined]) {
      const seen = await this.one(this.list(purpose, query));
      if (seen.status === 401 || seen.status === 403) {
        throw new ProbesEnded(`the target refuses the key with ${seen.status}`);
      }
      if (seen.status !== null) return seen;
      const { failure } = seen.exchange;
      const away = failure === undefined || isNoConnection(failure.kind);
      if (pause === undefined || (pause > 3_000 && away)) {
        throw new ProbesEnded(`the target was lost: ${failure?.message ?? 'no response came'}`);
      }
      await this.waitUntil(this.now + pause, 'no response came; sending again after a pause');
    }
    throw new Error('unreachable: the last pause ends the loop');
  }

  /**
   * Waits until a moment of our clock, and says why.
   * @throws ProbesEnded rather than waiting for more than five windows
   */
  async waitUntil(moment: number, why: string): Promise<void> {
    const wait = moment - this.now;
    if (wait <= 0) return;
    const seconds = Math.ceil(wait / 1000).toLocaleString('en');
    if (wait > 5 * this.windowMs) throw new ProbesEnded(`${why} would take ${seconds} s`);
    this.options.progress(`${this.options.plan.name}: ${why}, ${seconds} s`);
    await this.options.clock.sleep(wait, this.options.signal);
  }
}

/** What the judge has to know beside the exchanges. */
export function factsOf({ plan, credential, otherCredential, readOnly, windowMs }: ProbeOptions): LimitFacts {
  return { plan, caller: credential.caller ?? '', otherCaller: otherCredential?.caller, readOnly, windowMs };
}
