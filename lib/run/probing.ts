import { BudgetSpent, Interrupted, RunStopped } from '../http/client/run-end.js';
import { phases, type Declaration, type Phase } from '../verdict/requirement.js';
import { checkLoad, listLost } from '../session/load-check.js';
import { catalogue, type RequirementId } from '../specification/catalogue.js';
import { Inconclusive } from '../verdict/outcome.js';
import { declarationOf, type Tried } from './judge-rows.js';
import { requestMissingKinds } from './missing-exchanges.js';
import { findObstacle, type Obstacle } from './obstacle.js';
import type { Session } from './session.js';
import type { Settings } from './settings.js';

/** What there is to probe, phase after phase; requirements of one phase are probed at the same time. */
export function phasesOf(
  selected: ReadonlySet<RequirementId>,
  own: readonly RequirementId[] = [],
): ReadonlyArray<readonly [Phase, RequirementId[]]> {
  const ids = [...catalogue.flatMap(({ id }) => (selected.has(id) ? id : [])), ...own];
  return phases.map((phase) => [phase, ids.filter((id) => declarationOf(id).phase === phase)]);
}

/** Sends what the requirements of one run need, and keeps how their probes ended. It judges nothing. */
export class Probing {
  /** The requirements that were probed. */
  readonly tried = new Map<RequirementId, Tried>();
  readonly #settings: Settings;
  readonly #signal: AbortSignal;
  readonly #session: Session;
  readonly #selected: readonly Declaration[];
  #obstacle: Obstacle | undefined;
  #ready: Promise<void> | undefined;
  /** Set when a probe was cut short by the budget. */
  #spent: string | undefined;
  /** Why the run did not get to its end. */
  #stopped: string | undefined;

  constructor(
    session: Session,
    settings: Settings,
    { signal, selected }: { readonly signal: AbortSignal; readonly selected: ReadonlySet<RequirementId> },
  ) {
    this.#session = session;
    this.#settings = settings;
    this.#signal = signal;
    this.#selected = [...selected].map(declarationOf);
  }

  /** Probes the requirements of a phase, all at the same time. Never rejects: what ends a probe is kept for its verdict. */
  async probe(ids: readonly RequirementId[]): Promise<void> {
    await Promise.all(
      ids.map(async (id) => {
        const ended = await this.#send(declarationOf(id)).catch((error: unknown) => this.#endOf(error));
        this.tried.set(id, { ended });
      }),
    );
  }

  #endOf(error: unknown): unknown {
    if (error instanceof BudgetSpent) this.#spent = error.message;
    return this.#signal.aborted ? new Interrupted() : error;
  }

  /** Returns what leaves open what was sent; undefined if nothing does. */
  async #send(declaration: Declaration): Promise<unknown> {
    const { id, phase } = declaration;
    const own = declaration.inProfile(this.#settings.profile);
    if (typeof own === 'string') return undefined;
    await this.#prepare(declaration);
    if (this.#obstacle) return new Inconclusive(this.#obstacle.sentence);
    await own(this.#session.probe(id));
    // A pass of a run that did not get to its end would claim more than was seen.
    return phase === 'every exchange' && this.#stopped !== undefined
      ? new Inconclusive(`judged only on what was seen before the end: ${this.#stopped}`)
      : undefined;
  }

  async #prepare({ id, phase }: Declaration): Promise<void> {
    if (phase === 'description' || phase === 'all responses') return;
    await this.#open().catch((error: unknown) => {
      // The requirement that an obstacle belongs to judges it.
      if (this.#obstacle?.id !== id) throw error;
    });
  }

  /** Sends the first requests: the target is there, and accepts the key. Said once, rather than by fifty probes. */
  async #open(): Promise<void> {
    this.#ready ??= this.#survey();
    await this.#ready;
  }

  async #survey(): Promise<void> {
    const { store, client } = this.#session;
    const first = await store.survey();
    if (first.response === undefined)
      throw client.stop(`the target did not respond to the first requests: ${first.failure?.message ?? ''}`);
    this.#obstacle = await findObstacle(store, this.#settings.target, first);
    if (!this.#obstacle) return;
    this.#session.obstacle = this.#obstacle.sentence;
    throw new Inconclusive(this.#obstacle.reason, this.#obstacle.id);
  }

  /** Requests the kinds of responses that the selected requirements look for, if none of them came: nothing follows but rules. */
  async complete(): Promise<void> {
    const { client } = this.#session;
    const needed = new Set(this.#selected.flatMap(({ kinds }) => kinds));
    if (needed.size === 0 || this.#obstacle) return;
    try {
      await this.#open();
      const probe = this.#session.probe('ROBUST-01');
      await requestMissingKinds(probe, needed);
      if (this.#selected.some(({ id }) => id === 'ROBUST-01')) await checkLoad(probe);
      await listLost(probe);
      this.#stopped = this.#spent;
    } catch (error) {
      if (this.#signal.aborted) this.#stopped = new Interrupted().message;
      else if (error instanceof RunStopped || error instanceof BudgetSpent) this.#stopped = error.message;
      else if (!(error instanceof Inconclusive)) throw error;
    } finally {
      await client.settled();
    }
  }
}
