import { integer } from '../../explain/count.js';
import { isLoopback } from '../../http/connection/loopback.js';
import type { Credential } from '../../http/exchange/credential.js';
import type { Exchange } from '../../evidence/exchange.js';
import { isNoConnection, uncounted } from '../../evidence/recorded-exchange.js';
import {
  createPet,
  listPets,
  type OperationRequest,
  type PlannedRequest,
  type Query,
} from '../../http/exchange/planned-request.js';
import { countsAgree, isRefused, recordedEntry } from '../../load/ledger.js';
import { ledgerLine } from '../../load/ledger-file.js';
import { type VolleyOptions, volley } from '../../load/volley.js';
import { sumOfCounts, type TwoCounts } from '../../evidence/record/request-counts.js';
import type { PetStatus } from '../../specification/body-schema.js';
import { bansIn } from '../history/left-out.js';
import { clockDifferenceOf, isAdmitted, observationOf, type Observation } from '../history/observation.js';
import { historyOf, type LimitFacts } from '../history/history.js';
import type { Interval } from '../interval.js';
import { minuteMs, tolerances } from '../tolerances.js';
import type { LimitPhase, ProbeOptions } from './probe-options.js';

/** The probes can't go on; its message says why. What was seen until then is judged all the same. */
export class ProbesEnded extends Error {
  override readonly name = 'ProbesEnded';
}

/** By default requests go over one connection, up to the first 429. */
export type SendOptions = Partial<
  Pick<VolleyOptions, 'connections' | 'closeConnections' | 'localAddresses' | 'inTurn' | 'stopAfter'>
>;

/** Sends with one key without pacing, records every exchange, and knows the observations of that key. */
export class LimitSession {
  /** Every request of the run with the key, the functional ones included, in the order of sending. */
  readonly history: Observation[];
  readonly notes = new Set<string>();
  /** Where in the history the present window begins, if it was seen to be restored. */
  restoredFrom = 0;
  /** Both counts of each volley. */
  readonly counts: TwoCounts[] = [];
  /** Whether the target is on this machine. */
  readonly isNear: boolean;
  #phase: LimitPhase = 'opening';

  constructor(readonly options: ProbeOptions) {
    const { facts, treatAsRemote, target, exchanges } = options;
    this.isNear = treatAsRemote !== true && isLoopback(new URL(target.baseUrl).hostname);
    this.history = [...historyOf(exchanges(), facts).own];
  }

  /** Whether more may be sent than the limit and one: to a target on this machine, unless it bans keys for that. */
  get isUnrestrained(): boolean {
    return this.isNear && this.bannedUntil === undefined;
  }

  /** When the latest ban of the key ends, or has ended, by our clock. */
  get bannedUntil(): number | undefined {
    return bansIn({ own: this.history, clock: this.clock }).at(-1)?.[1];
  }

  get now(): number {
    return this.options.clock.now();
  }

  /** The target's clock minus ours; undefined if nothing tells. */
  get clock(): Interval | undefined {
    return clockDifferenceOf(this.history);
  }

  /** When the key was last admitted; now if it never was. */
  get lastUse(): number {
    return this.history.findLast(isAdmitted)?.receivedAt ?? this.now;
  }

  /** When the minute's window ends by our clock, at the latest; undefined if a response does not tell it. */
  resetOf({ headers: { reset, period } }: Observation): number | undefined {
    return reset === undefined || period !== 'minute' ? undefined : reset - (this.clock?.[0] ?? 0);
  }

  /** When the window ends by our clock, as the latest response that tells it says. */
  get lastReset(): number | undefined {
    const last = this.history.findLast((one) => this.resetOf(one) !== undefined);
    return last && this.resetOf(last);
  }

  /** What was sent since the limit was last seen to be restored. */
  get window(): readonly Observation[] {
    return this.history.slice(this.restoredFrom);
  }

  /** Requests that used the limit since a moment, and since it was last seen to be restored. */
  usedSince(moment: number): number {
    return this.window.filter(({ outcome, sentAt }) => outcome !== 'rejected' && sentAt >= moment).length;
  }

  /** Requests that count in the present window, as far as a response tells where it begins. */
  get used(): number {
    const end = Math.max(this.now, this.lastReset ?? this.now);
    return this.usedSince(end - minuteMs - tolerances.afterResetMs);
  }

  /** Requests that are left of it. */
  get left(): number {
    return Math.max(0, this.options.facts.plan.perMinute - this.used);
  }

  /** Milliseconds that the latest requests took. */
  get latency(): number {
    const latest = this.history.filter(({ status }) => status !== null).slice(-5);
    const sum = latest.reduce((total, one) => total + one.receivedAt - one.sentAt, 0);
    return sum / Math.max(1, latest.length);
  }

  /** What is sent from here on belongs to this part. */
  begin(phase: LimitPhase): void {
    this.#phase = phase;
  }

  /** Says what is being done, for a line on a terminal. */
  tell(activity: string, until?: number): void {
    this.options.progress({ text: `${this.options.facts.plan.name}: ${activity}`, until });
  }

  request(request: OperationRequest, purpose: string, credential = this.options.credential): PlannedRequest {
    return { ...request, purpose, credential, input: 'specified' };
  }

  readonly list = (purpose: string, credential?: Credential, query: Query = [['limit', 1]]): PlannedRequest =>
    this.request(listPets(query), purpose, credential);

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
    const { target, facts, credential, clock, signal, budget, record, ledger } = this.options;
    signal.throwIfAborted();
    if (requests.length === 0) return [];
    const granted = budget?.reserve(requests.length) ?? requests.length;
    try {
      const { entries, counts, notes } = await volley({
        target,
        requests: requests.slice(0, granted).map((request) => ({ ...request, phase: this.#phase })),
        connections: 1,
        stopAfter: isRefused,
        ...options,
        clock,
        signal,
      });
      for (const note of notes) this.notes.add(note);
      const agree = countsAgree(counts);
      const name = `${facts.plan.name} ${this.#phase}`;
      const sent = entries.map((entry) => {
        const recorded = recordedEntry(entry, target);
        const exchange = record(agree ? recorded : { ...recorded, phase: uncounted });
        ledger(ledgerLine(name, { entry }));
        const observation = observationOf(exchange, facts.plan);
        if (entry.request.credential === credential) this.history.push(observation);
        return observation;
      });
      this.counts.push(counts);
      if (!agree) throw new ProbesEnded('autocannon and the ledger do not count the same requests');
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
  async look(purpose: string): Promise<Observation> {
    let failure: Exchange['failure'];
    for (const pause of [0, 1_000, 3_000, minuteMs + 1_000]) {
      if (pause > 3_000 && (failure === undefined || isNoConnection(failure.kind))) break;
      await this.waitUntil(this.now + pause, 'no response came; sending again after a pause');
      const seen = await this.one(this.list(purpose));
      if (seen.status === 401 || seen.status === 403) {
        throw new ProbesEnded(`the target refuses the key with ${seen.status}`);
      }
      if (seen.status !== null) return seen;
      ({ failure } = seen.exchange);
    }
    throw new ProbesEnded(`the target was lost: ${failure?.message ?? 'no response came'}`);
  }

  /**
   * Waits until a moment of our clock, and says why.
   * @throws ProbesEnded rather than waiting for more than six windows
   */
  async waitUntil(moment: number, why: string): Promise<void> {
    const wait = moment - this.now;
    if (wait <= 0) return;
    if (wait > 6 * minuteMs) {
      throw new ProbesEnded(`${why} would take ${integer(Math.ceil(wait / 1000))} s`);
    }
    this.tell(why, moment);
    await this.options.clock.sleep(wait, this.options.signal);
  }

  /** Milliseconds of the target's second that have gone by at a moment of our clock. */
  withinSecond(moment: number): number {
    const [least, most] = this.clock ?? [0, 0];
    // A target that may have this machine's clock has it.
    const ahead = least <= 0 && most >= 0 ? 0 : (least + most) / 2;
    return (moment + ahead) % 1_000;
  }

  /** Waits until so many milliseconds of the target's second have gone by: what is rounded to whole seconds depends on it. */
  async waitWithinSecond(ms: number): Promise<void> {
    await this.options.clock.sleep((1_000 - this.withinSecond(this.now - ms)) % 1_000, this.options.signal);
  }
}

/** What was sent for the limits of one key, and how it ended. */
export interface Probed {
  readonly facts: LimitFacts;
  readonly notes: readonly string[];
}

/** Sends probes with one key. Never throws for what a target does: what was seen until then is judged. */
export async function probed(
  options: ProbeOptions,
  probe: (session: LimitSession) => Promise<void>,
): Promise<Probed> {
  const session = new LimitSession(options);
  let stopped: string | undefined;
  try {
    await probe(session);
  } catch (error) {
    if (error instanceof ProbesEnded) stopped = error.message;
    else if (options.signal.aborted) stopped = 'the run was interrupted';
    else throw error;
  }
  const counts = {
    ledger: sumOfCounts(session.counts.map(({ ledger }) => ledger)),
    autocannon: sumOfCounts(session.counts.map(({ autocannon }) => autocannon)),
  };
  return { facts: { ...options.facts, stopped, counts }, notes: [...session.notes] };
}
