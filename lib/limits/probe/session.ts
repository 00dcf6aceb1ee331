import type { Exchange } from '../../evidence/exchange.js';
import type { RecordedExchange } from '../../evidence/recorded-exchange.js';
import { integer } from '../../explain/count.js';
import type { Budget } from '../../http/client/run-end.js';
import type { Clock } from '../../http/clock/clock.js';
import { isLoopback } from '../../http/connection/connector.js';
import type { Credential } from '../../http/exchange/credential.js';
import { listPets, type OperationRequest } from '../../http/exchange/planned-request.js';
import { recordExchange } from '../../http/exchange/record-exchange.js';
import type { LoadTarget } from '../../load/lane.js';
import { type VolleyOptions, volley } from '../../load/fire.js';
import { ledgerLine, type LedgerFile } from '../../load/ledger.js';
import type { PetStatus } from '../../specification/body-schema.js';
import type { RequirementId } from '../../specification/catalogue.js';
import { Inconclusive } from '../../verdict/outcome.js';
import {
  historyOf,
  clockDifferenceOf,
  isAdmitted,
  isRejected,
  observationOf,
  type LimitFacts,
  type Observation,
} from '../history/history.js';
import { minuteMs, tolerances, type Interval } from '../tolerances.js';
import { bansIn } from '../limits-of-run.js';

/** How requests are sent and kept, whichever limit they probe. */
export interface Sending {
  readonly target: LoadTarget;
  readonly credential: Credential;
  /** Keeps an exchange as evidence, if it is not one of too many, and gives it its id. */
  readonly record: (exchange: Omit<RecordedExchange, 'id'>, isKept?: boolean) => Exchange;
  readonly ledger: LedgerFile;
  readonly budget: Budget;
  readonly progress: (activity: Activity) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** What a longer part of a run is doing; `until` is the moment, by the clock, at which a wait ends. */
export interface Activity {
  readonly text: string;
  readonly until?: number | undefined;
}

/** What the limit probes of one plan need. */
export interface ProbeOptions extends Sending {
  readonly facts: LimitFacts;
  /** A second key, for LIMIT-08, and one that nobody has, for LIMIT-13. */
  readonly otherCredential?: Credential | undefined;
  readonly unknownCredential: Credential;
  /** A NewPet that the target accepts, under a name that no other animal has. */
  readonly newPet: (status: PetStatus) => string;
  /** The status that the store holds the fewest animals of: what is created under it is the likeliest to be listed. */
  readonly rarestStatus: PetStatus;
  /** An animal that is there, if one is known. */
  readonly petId?: string | undefined;
  /** Every exchange of the run so far, whoever sent it. */
  readonly exchanges: () => readonly Exchange[];
  /** Whether a verdict is open that the same probes may settle from another moment of the window. */
  readonly isRepeatWanted: () => boolean;
  /** Treat a target on this machine with the restraint that others get. */
  readonly treatAsRemote?: boolean | undefined;
}

/** A row of the table of probes: what is sent, and behind which wait. */
export interface Part {
  readonly phase: string;
  readonly purpose: RequirementId;
  readonly when?: (session: LimitSession) => boolean;
  /** The moment of our clock before which it is not sent. */
  readonly at?: (session: LimitSession) => number;
  readonly requests: (session: LimitSession) => readonly OperationRequest[];
  /** By default the plan's key; nothing is sent without a second one. */
  readonly key?: 'otherCredential' | 'unknownCredential';
  /** By default one after the other, over one connection, until one is not let through. */
  readonly way?: (session: LimitSession, requests: number) => Partial<VolleyOptions>;
}

export const listing = listPets({ limit: 1 });

/** Milliseconds between tries of a target that does not respond: it may break connections instead of sending a 429. */
const tries = [0, 1_000, 3_000, minuteMs + 1_000] as const;
const longestMs = 6 * minuteMs;

/** Sends with one key without pacing, records every exchange, and knows the observations of that key. */
export class LimitSession {
  /** Every request of the run with the key, the functional ones included, in the order of sending. */
  readonly history: Observation[];
  readonly notes = new Set<string>();
  /** Where in the history the present window begins, if it was seen to be restored. */
  restoredFrom = 0;

  constructor(readonly options: ProbeOptions) {
    this.history = [...historyOf(options.exchanges(), options.facts).own];
  }

  get now(): number {
    return this.options.clock.now();
  }

  get perMinute(): number {
    return this.options.facts.plan.perMinute;
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
    const { target, treatAsRemote } = this.options;
    const isNear = treatAsRemote !== true && isLoopback(new URL(target.baseUrl).hostname);
    return isNear && this.bannedUntil === undefined;
  }

  /** When the minute's window ends by our clock, at the latest, as the latest of these responses says that tells it. */
  resetIn(responses: readonly Observation[] = this.history): number | undefined {
    const last = responses.findLast(({ headers: { period, reset } }) => period === 'minute' && reset);
    return last?.headers.reset && last.headers.reset - (this.clock?.[0] ?? 0);
  }

  /** What was sent since the limit was last seen to be restored. */
  get window(): readonly Observation[] {
    return this.history.slice(this.restoredFrom);
  }

  /** Requests that are left of the present window, as far as a response tells where it begins. */
  get left(): number {
    const begin = Math.max(this.now, this.resetIn() ?? 0) - minuteMs - tolerances.afterResetMs;
    const used = this.window.filter((one) => !isRejected(one) && one.sentAt >= begin).length;
    return Math.max(0, this.perMinute - used);
  }

  /** The latest 429 of the key. */
  get rejection(): Observation | undefined {
    return this.history.findLast(isRejected);
  }

  /** When the key was last admitted; now if it never was. */
  get lastUse(): number {
    return this.history.findLast(isAdmitted)?.receivedAt ?? this.now;
  }

  /** When so many milliseconds of the target's second have gone by: what is rounded to whole seconds depends on it. */
  withinSecond(ms: number, from = this.now): number {
    const [least, most] = this.clock ?? [0, 0];
    // A target that may have this machine's clock has it.
    const ahead = least <= 0 && most >= 0 ? 0 : (least + most) / 2;
    return from + ((1_000 + ms - ((from + ahead) % 1_000)) % 1_000);
  }

  /** Sends parts in order. @throws Inconclusive if the target, or the budget, does not let them get to their end */
  async perform(parts: readonly Part[]): Promise<void> {
    for (const part of parts) if (part.when?.(this) !== false) await this.#send(part);
  }

  /** Sends a listing at a moment of our clock, again if no response comes. @throws Inconclusive if none does, or the key is refused */
  async look(moment = this.now, phase = 'look'): Promise<Observation> {
    for (const pause of tries) {
      const at = Math.max(moment, this.now + pause);
      const [seen] = await this.#send({
        phase,
        purpose: 'LIMIT-05',
        at: () => at,
        requests: () => [listing],
      });
      if (seen?.status === 401 || seen?.status === 403)
        throw new Inconclusive(`the target refuses the key with ${seen.status}`);
      if (seen && seen.status !== null) return seen;
    }
    const { failure } = this.history.at(-1)?.exchange ?? {};
    throw new Inconclusive(`the target was lost: ${failure?.message ?? 'no response came'}`);
  }

  /** Waits, and sends requests in order. @throws Inconclusive if that takes more than six windows, or the budget ends before */
  async #send({ phase, purpose, at, requests, key, way }: Part): Promise<Observation[]> {
    const { target, facts, clock, signal, budget, record, ledger, progress } = this.options;
    const credential = this.options[key ?? 'credential'];
    signal.throwIfAborted();
    const moment = at?.(this) ?? this.now;
    const wait = moment - this.now;
    if (wait > longestMs)
      throw new Inconclusive(`waiting for the ${phase} would take ${integer(Math.ceil(wait / 1000))} s`);
    progress({ text: `${facts.plan.name}: ${phase}`, until: wait > 0 ? moment : undefined });
    if (wait > 0) await clock.sleep(wait, signal);
    const all = credential ? requests(this).map((one) => ({ ...one, purpose, phase, credential })) : [];
    if (all.length === 0) return [];
    const granted = budget.take(all.length);
    const entries = await volley({
      target,
      requests: all.slice(0, granted),
      connections: 1,
      clock,
      signal,
      ...way?.(this, all.length),
    });
    budget.left += granted - entries.length;
    const sent = entries.map((entry) => {
      const exchange = record(recordExchange(entry.request, entry, entry.destination));
      ledger(ledgerLine(`${facts.plan.name} ${phase}`, entry));
      return observationOf(exchange, facts.plan);
    });
    if (key === undefined) this.history.push(...sent);
    signal.throwIfAborted();
    if (sent.length === granted && granted < all.length) throw new Inconclusive(budget.error.message);
    return sent;
  }
}
