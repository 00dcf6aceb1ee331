import { isLoopback } from '../../http/connection/tls.js';
import type { Credential } from '../../http/exchange/credential.js';
import { isNoConnection } from '../../http/exchange/exchange.js';
import {
  createPet,
  listPets,
  type OperationRequest,
  type PlannedRequest,
  type Query,
} from '../../http/exchange/planned-request.js';
import { isRefused } from '../../load/ledger.js';
import { recordedEntry } from '../../load/ledger-exchange.js';
import { volley, type VolleyOptions } from '../../load/volley.js';
import type { PetStatus } from '../../specification/body-schema.js';
import { clockDifferenceOf } from '../history/clock.js';
import { historyOf, type LimitFacts } from '../history/history.js';
import { observationOf, type Observation } from '../history/observation.js';
import type { LimitPhase } from './limit-phases.js';
import type { ProbeOptions } from './probe-options.js';

/** The probes can't go on; its message says why. What was seen until then is judged all the same. */
export class ProbesEnded extends Error {
  override readonly name = 'ProbesEnded';
}

/** By default requests go over one connection, up to the first 429. */
type SendOptions = Partial<Pick<VolleyOptions, 'connections' | 'closeConnections' | 'stopAfter'>>;

/** Sends with one key without pacing, records every exchange, and knows the observations of that key. */
export class LimitSession {
  /** Every request of the run with the key, the functional ones included, in the order of sending. */
  readonly history: Observation[];
  readonly notes = new Set<string>();
  readonly windowMs: number;
  #phase: LimitPhase = 'opening';

  constructor(readonly options: ProbeOptions) {
    this.windowMs = options.facts.windowMs ?? 60_000;
    this.history = [...historyOf(options.exchanges(), options.facts).own];
  }

  get onLoopback(): boolean {
    return this.options.treatAsRemote !== true && isLoopback(new URL(this.options.target.baseUrl).hostname);
  }

  get now(): number {
    return this.options.clock.now();
  }

  /** When the key was last admitted; now if it never was. */
  get lastUse(): number {
    return this.history.findLast(({ outcome }) => outcome === 'admitted')?.receivedAt ?? this.now;
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

  /** What is sent from here on belongs to this part. */
  begin(phase: LimitPhase, activity?: string): void {
    this.#phase = phase;
    if (activity !== undefined) this.#report(activity);
  }

  #report(activity: string): void {
    this.options.progress(`${this.options.facts.plan.name}: ${activity}`);
  }

  request(request: OperationRequest, purpose: string, credential = this.options.credential): PlannedRequest {
    return { ...request, purpose, credential, input: 'specified' };
  }

  list(purpose: string, credential?: Credential): PlannedRequest {
    return this.request(listPets([['limit', 1]]), purpose, credential);
  }

  /** A creation that the target accepts if its limiter lets it through. */
  create(purpose: string, status: PetStatus): PlannedRequest {
    return this.request(createPet(this.options.newPet(status)), purpose);
  }

  /** Sends one request by itself. */
  async one(request: PlannedRequest): Promise<Observation> {
    const [observation] = await this.send([request]);
    if (!observation) throw this.options.signal.reason;
    return observation;
  }

  /**
   * Sends requests in order; as many as the budget allows.
   * @throws ProbesEnded if it does not allow as many as were needed
   */
  async send(requests: readonly PlannedRequest[], options: SendOptions = {}): Promise<Observation[]> {
    const { target, facts, credential, clock, signal, budget, record } = this.options;
    signal.throwIfAborted();
    const granted = budget ? budget.reserve(requests.length) : requests.length;
    try {
      const { entries, notes } = await volley({
        target,
        requests: requests.slice(0, granted).map((request) => ({ ...request, phase: this.#phase })),
        connections: 1,
        stopAfter: isRefused,
        ...options,
        clock,
        signal,
      });
      for (const note of notes) this.notes.add(note);
      const sent = entries.map((entry) => {
        const exchange = record(recordedEntry(entry, target));
        const observation = observationOf(exchange, facts.plan, this.windowMs);
        if (entry.request.credential === credential) this.history.push(observation);
        return observation;
      });
      signal.throwIfAborted();
      if (budget && sent.length === granted && granted < requests.length) throw new ProbesEnded(budget.spent);
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
  async look(purpose: string, query: Query = [['limit', 1]]): Promise<Observation> {
    for (const pause of [1_000, 3_000, this.windowMs + 1_000, undefined]) {
      const seen = await this.one(this.request(listPets(query), purpose));
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
   * @throws ProbesEnded rather than waiting for more than six windows
   */
  async waitUntil(moment: number, why: string): Promise<void> {
    const wait = moment - this.now;
    if (wait <= 0) return;
    const seconds = Math.ceil(wait / 1000).toLocaleString('en');
    if (wait > 6 * this.windowMs) throw new ProbesEnded(`${why} would take ${seconds} s`);
    this.#report(`${why}, ${seconds} s`);
    await this.options.clock.sleep(wait, this.options.signal);
  }
}

/** What was sent for the limits of one key, and how it ended. */
export interface Probed {
  readonly facts: LimitFacts;
  /** Requests that the probes sent with the key; the functional ones are not among them. */
  readonly history: readonly Observation[];
  readonly notes: readonly string[];
}

/** Sends probes with one key. Never throws for what a target does: what was seen until then is judged. */
export async function probed(
  options: ProbeOptions,
  probe: (session: LimitSession) => Promise<void>,
): Promise<Probed> {
  const session = new LimitSession(options);
  const before = session.history.length;
  let stopped: string | undefined;
  try {
    await probe(session);
  } catch (error) {
    if (error instanceof ProbesEnded) stopped = error.message;
    else if (options.signal.aborted) stopped = 'the run was interrupted';
    else throw error;
  }
  const history = session.history.slice(before);
  return { facts: { ...options.facts, stopped }, history, notes: [...session.notes] };
}
