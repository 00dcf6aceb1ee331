import type { Exchange } from '../../evidence/exchange.js';
import { sumOfCounts, type TwoCounts } from '../../evidence/record/request-counts.js';
import { isNoConnection, uncounted } from '../../evidence/recorded-exchange.js';
import { integer } from '../../explain/count.js';
import { isLoopback } from '../../http/connection/loopback.js';
import type { Credential } from '../../http/exchange/credential.js';
import { listPets, type OperationRequest, type PlannedRequest } from '../../http/exchange/planned-request.js';
import { countsAgree, isRefused, recordedEntry } from '../../load/ledger.js';
import { ledgerLine } from '../../load/ledger-file.js';
import { type VolleyOptions, volley } from '../../load/volley.js';
import { historyOf, type LimitFacts } from '../history/history.js';
import { bansIn } from '../history/left-out.js';
import { clockDifferenceOf, isAdmitted, observationOf, type Observation } from '../history/observation.js';
import type { Interval } from '../interval.js';
import { minuteMs, tolerances } from '../tolerances.js';
import type { ProbeOptions } from './probe-options.js';

/** A part of the probes: a row of their table. */
export interface Part {
  readonly phase: string;
  /** Whether it is sent at all; by default it is. */
  readonly when?: (session: LimitSession) => boolean;
  readonly wait?: (session: LimitSession) => Promise<void>;
  readonly requests: (session: LimitSession) => readonly PlannedRequest[];
  /** By default one after the other, over one connection. */
  readonly way?: (session: LimitSession, requests: number) => Partial<VolleyOptions>;
  /** The response that ends it; by default the first 429. */
  readonly until?: VolleyOptions['stopAfter'];
}

/** The probes can't go on; its message says why. What was seen until then is judged all the same. */
export class ProbesEnded extends Error {
  override readonly name = 'ProbesEnded';
}

/** Milliseconds between tries of a target that does not respond; if it breaks connections, it may do so instead of a 429. */
const tries = [0, 1_000, 3_000, minuteMs + 1_000] as const;
/** The longest wait. */
const longestMs = 6 * minuteMs;

/** Sends with one key without pacing, records every exchange, and knows the observations of that key. */
export class LimitSession {
  /** Every request of the run with the key, the functional ones included, in the order of sending. */
  readonly history: Observation[];
  readonly notes = new Set<string>();
  /** Both counts of each volley. */
  readonly counts: TwoCounts[] = [];
  /** Where in the history the present window begins, if it was seen to be restored. */
  restoredFrom = 0;
  /** What is sent from here on belongs to this part. */
  phase = 'opening';
  /** Whether the target is on this machine. */
  readonly isNear: boolean;

  constructor(readonly options: ProbeOptions) {
    const { facts, treatAsRemote, target, exchanges } = options;
    this.isNear = treatAsRemote !== true && isLoopback(new URL(target.baseUrl).hostname);
    this.history = [...historyOf(exchanges(), facts).own];
  }

  get now(): number {
    return this.options.clock.now();
  }

  /** The target's clock minus ours; undefined if nothing tells. */
  get clock(): Interval | undefined {
    return clockDifferenceOf(this.history);
  }

  /** When the latest ban of the key ends by our clock (section 8.3); undefined if it never was banned. */
  get bannedUntil(): number | undefined {
    return bansIn({ own: this.history, clock: this.clock }).at(-1)?.[1];
  }

  /** Whether more may be sent than the limit and one: to a target on this machine, unless it bans keys for that. */
  get isUnrestrained(): boolean {
    return this.isNear && this.bannedUntil === undefined;
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

  /** Requests that count in the present window, as far as a response tells where it begins. */
  get used(): number {
    const begin = Math.max(this.now, this.lastReset ?? 0) - minuteMs - tolerances.afterResetMs;
    return this.window.filter(({ outcome, sentAt }) => outcome !== 'rejected' && sentAt >= begin).length;
  }

  /** Requests that are left of it. */
  get left(): number {
    return Math.max(0, this.options.facts.plan.perMinute - this.used);
  }

  /** When the key was last admitted; now if it never was. */
  get lastUse(): number {
    return this.history.findLast(isAdmitted)?.receivedAt ?? this.now;
  }

  request(request: OperationRequest, purpose: string, credential = this.options.credential): PlannedRequest {
    return { ...request, purpose, credential };
  }

  /** Small listings; none if the number is below 0. */
  readonly listings = (purpose: string, count: number, credential?: Credential): PlannedRequest[] => {
    const listing = this.request(listPets([['limit', 1]]), purpose, credential);
    return Array.from({ length: Math.max(0, count) }, () => listing);
  };

  /** Sends parts in order. @throws ProbesEnded if the target, or the budget, does not let them get to their end */
  async perform(parts: readonly Part[]): Promise<void> {
    for (const { phase, when, wait, requests, way, until = isRefused } of parts) {
      if (when?.(this) === false) continue;
      this.phase = phase;
      await wait?.(this);
      this.options.progress({ text: `${this.options.facts.plan.name}: ${phase}` });
      const all = requests(this);
      await this.#send(all, { ...way?.(this, all.length), stopAfter: until });
    }
  }

  /**
   * A small listing, at a moment of our clock. If no response comes it is sent again after a pause, and if the target is
   * there and only breaks the connection, after a whole window.
   * @throws ProbesEnded if the target stays away, or refuses the key
   */
  async look(purpose: string, at = this.now): Promise<Observation> {
    await this.waitUntil(at, 'waiting to see what is served');
    let failure: Exchange['failure'];
    for (const pause of tries) {
      if (pause > minuteMs && (failure === undefined || isNoConnection(failure.kind))) break;
      await this.waitUntil(this.now + pause, 'no response came; sending again after a pause');
      const [seen] = await this.#send(this.listings(purpose, 1));
      if (!seen) throw this.options.signal.reason;
      const { status } = seen;
      if (status === 401 || status === 403)
        throw new ProbesEnded(`the target refuses the key with ${status}`);
      if (status !== null) return seen;
      ({ failure } = seen.exchange);
    }
    throw new ProbesEnded(`the target was lost: ${failure?.message ?? 'no response came'}`);
  }

  /** Waits until a moment of our clock. @throws ProbesEnded rather than waiting for more than six windows */
  async waitUntil(moment: number, why: string): Promise<void> {
    const wait = moment - this.now;
    if (wait <= 0) return;
    if (wait > longestMs) throw new ProbesEnded(`${why} would take ${integer(Math.ceil(wait / 1000))} s`);
    this.options.progress({ text: `${this.options.facts.plan.name}: ${why}`, until: moment });
    await this.options.clock.sleep(wait, this.options.signal);
  }

  /** Waits until so many milliseconds of the target's second have gone by: what is rounded to whole seconds depends on it. */
  async waitWithinSecond(ms: number): Promise<void> {
    const [least, most] = this.clock ?? [0, 0];
    // A target that may have this machine's clock has it.
    const ahead = least <= 0 && most >= 0 ? 0 : (least + most) / 2;
    const gone = (this.now + ahead - ms) % 1_000;
    await this.options.clock.sleep((1_000 - gone) % 1_000, this.options.signal);
  }

  /** Sends requests in order. @throws ProbesEnded if the budget does not allow as many as were needed */
  async #send(requests: readonly PlannedRequest[], how: Partial<VolleyOptions> = {}): Promise<Observation[]> {
    const { target, facts, credential, clock, signal, budget, record, ledger } = this.options;
    signal.throwIfAborted();
    if (requests.length === 0) return [];
    const granted = budget.take(requests.length);
    const allowed = requests.slice(0, granted).map((request) => ({ ...request, phase: this.phase }));
    const sending = { target, requests: allowed, connections: 1, stopAfter: isRefused, clock, signal };
    const { entries, counts, notes } = await volley({ ...sending, ...how });
    budget.giveBack(granted - entries.length);
    for (const note of notes) this.notes.add(note);
    this.counts.push(counts);
    const agree = countsAgree(counts);
    const sent = entries.map((entry) => {
      const recorded = recordedEntry(entry, target);
      const exchange = record(agree ? recorded : { ...recorded, phase: uncounted });
      ledger(ledgerLine(`${facts.plan.name} ${this.phase}`, { entry }));
      const observation = observationOf(exchange, facts.plan);
      if (entry.request.credential === credential) this.history.push(observation);
      return observation;
    });
    if (!agree) throw new ProbesEnded('autocannon and the ledger do not count the same requests');
    signal.throwIfAborted();
    if (sent.length === granted && granted < requests.length) throw new ProbesEnded(budget.error.message);
    return sent;
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
