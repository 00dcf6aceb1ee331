import type { Credential } from '../http/exchange/credential.js';
import { isRefused, type Ledger, type LedgerEntry } from '../load/ledger.js';
import {
  createPet,
  getPet,
  listPets,
  type OperationRequest,
  type PlannedRequest,
  type Query,
} from '../http/exchange/planned-request.js';
import { recordedEntry } from '../load/ledger-exchange.js';
import { volley } from '../load/volley.js';
import type { PetStatus } from '../specification/body-schema.js';
import { CourseEnded } from './course-ended.js';
import type { LimitRunOptions } from './limit-run.js';
import { seen, type Seen } from './seen.js';

/** One part of a run: what was sent with the key, and by whom. */
export interface Phase {
  readonly name: string;
  readonly startedAt: number;
  endedAt: number;
  readonly requests: Seen[];
  exact: boolean;
}

/** What was sent in one go, and what is to be known of the sending. */
export interface Sent {
  readonly requests: readonly Seen[];
  readonly ledger: Ledger;
}

export interface SendOptions {
  /** By default one. */
  readonly connections?: number;
  /** By default the first 429. */
  readonly stopAfter?: (entry: LedgerEntry) => boolean;
}

/** Sends with one key, records every exchange, and keeps what was sent in the order of sending, phase by phase. */
export class KeySession {
  /** Every request sent with the key. */
  readonly history: Seen[] = [];
  readonly phases: Phase[] = [];
  readonly notes = new Set<string>();
  /** Names and ids of the animals that were created. */
  readonly created: Array<{ readonly id: string; readonly name: string }> = [];
  /** When requests with other keys were sent. */
  readonly strangersAt: number[] = [];
  readonly #options: LimitRunOptions;

  constructor(options: LimitRunOptions) {
    this.#options = options;
  }

  /** Requests sent with other keys. */
  get strangers(): number {
    return this.strangersAt.length;
  }

  /** What is sent from here on belongs to a part of this name. */
  begin(name: string): void {
    const now = this.#options.clock.now();
    this.phases.push({ name, startedAt: now, endedAt: now, requests: [], exact: true });
  }

  /** The same, unless the part that is going on is called so, or nothing but the opening has gone before. */
  resume(name: string): void {
    const current = this.phases.at(-1)?.name;
    if (current !== name && current !== 'opening') this.begin(name);
  }

  /** Puts requests that were sent before, in the same window, to the beginning of the history and of what opens it. */
  precede(requests: readonly Seen[]): void {
    this.history.unshift(...requests);
    this.phases[0]?.requests.unshift(...requests);
  }

  list(purpose: string, query: Query = [['limit', 1]], credential?: Credential): PlannedRequest {
    return this.#planned(listPets(query), purpose, credential);
  }

  get(purpose: string, id: string, credential?: Credential): PlannedRequest {
    return this.#planned(getPet(id), purpose, credential);
  }

  /** A creation that the target accepts where its limiter lets it through, and the name that it would show. */
  create(purpose: string, status: PetStatus): { readonly request: PlannedRequest; readonly name: string } {
    const { name, body } = this.#options.newPet(status);
    return { request: this.createFrom(purpose, body), name };
  }

  createFrom(purpose: string, body: string): PlannedRequest {
    return this.#planned(createPet(body), purpose);
  }

  #planned(
    request: OperationRequest,
    purpose: string,
    credential: Credential = this.#options.credential,
  ): PlannedRequest {
    const phase = this.phases.at(-1)?.name;
    return { ...request, purpose, credential, input: 'specified', ...(phase === undefined ? {} : { phase }) };
  }

  /** Sends one request with the key, by itself. */
  async one(request: PlannedRequest): Promise<Seen> {
    const [first] = (await this.send([request])).requests;
    if (!first) throw this.#options.signal.reason;
    return first;
  }

  /** Sends one request with another key: no part of the history. */
  async stranger(request: PlannedRequest): Promise<Seen> {
    this.strangersAt.push(this.#options.clock.now());
    return this.#withinBudget([request], async (granted) => {
      const [entry] = (await this.#volley(granted, {})).entries;
      if (!entry) throw this.#options.signal.reason;
      return this.#record(entry);
    });
  }

  /** Sends requests with the key, in order. */
  async send(requests: readonly PlannedRequest[], options: SendOptions = {}): Promise<Sent> {
    const { ledger, sent } = await this.#withinBudget(requests, async (granted) => {
      const volleyed = await this.#volley(granted, options);
      const entries = volleyed.entries.map((entry) => this.#record(entry));
      return { ledger: volleyed, sent: entries };
    });
    this.history.push(...sent);
    const phase = this.phases.at(-1);
    if (phase) {
      phase.requests.push(...sent);
      phase.exact &&= ledger.exact;
      phase.endedAt = ledger.endedAt;
    }
    for (const note of ledger.notes) this.notes.add(note);
    this.#options.signal.throwIfAborted();
    return { requests: sent, ledger };
  }

  /**
   * Sends as many of these as the budget allows.
   * @throws CourseEnded where it allows none
   */
  async #withinBudget<Result>(
    requests: readonly PlannedRequest[],
    send: (granted: readonly PlannedRequest[]) => Promise<Result>,
  ): Promise<Result> {
    const { budget } = this.#options;
    if (!budget) return send(requests);
    const granted = budget.reserve(requests.length);
    try {
      if (granted === 0 && requests.length > 0) throw new CourseEnded(budget.spent);
      return await send(requests.slice(0, granted));
    } finally {
      budget.release(granted);
    }
  }

  async #volley(requests: readonly PlannedRequest[], options: SendOptions): Promise<Ledger> {
    const { target, userAgent, clock, signal } = this.#options;
    signal.throwIfAborted();
    return volley({
      target: { ...target, userAgent },
      requests,
      connections: options.connections ?? 1,
      stopAfter: options.stopAfter ?? isRefused,
      clock,
      signal,
    });
  }

  #record(entry: LedgerEntry): Seen {
    const { target, userAgent, redact, record } = this.#options;
    const phase = this.phases.at(-1)?.name;
    const recorded = recordedEntry(entry, { baseUrl: target.baseUrl, userAgent }, redact);
    const exchange = record({ ...recorded, ...(phase === undefined ? {} : { phase }) });
    return seen(exchange, { sentAt: entry.sentAt, at: entry.at });
  }
}
