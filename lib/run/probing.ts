import { BudgetSpent, Interrupted, RunStopped } from '../http/client/run-end.js';
import { probesOf, type Declaration, type Phase } from '../verdict/requirement.js';
import type { RequirementId } from '../specification/catalogue.js';
import { Inconclusive } from '../verdict/outcome.js';
import { declarationOf } from './judge-rows.js';
import { findObstacle } from './obstacle.js';
import type { Session } from './session.js';

const isEarly = (end: unknown): end is Error =>
  end instanceof BudgetSpent || end instanceof RunStopped || end instanceof Interrupted;

/** Sends what the requirements of one run need, and keeps how their probes ended. It judges nothing. */
export class Probing {
  /**
   * When each probe is sent. What judges every exchange needs some of each kind, which other probes get: behind the limits,
   * which say most of a limiter that nothing else has used.
   */
  readonly #phases: ReadonlyMap<RequirementId, Phase>;
  /** What ended each probe early, undefined if nothing did. */
  readonly ends = new Map<RequirementId, unknown>();
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
    const selected = [...session.options.selected].map((id) => declarationOf(id));
    const others = selected.flatMap(({ kinds, phase }) =>
      kinds
        .flatMap((kind) => probesOf[kind])
        .map((id) => [id, phase === 'every exchange' ? 'whole run' : declarationOf(id).phase] as const),
    );
    this.#phases = new Map([...others, ...selected.map(({ id, phase }) => [id, phase] as const)]);
  }

  /** Whose probes a phase sends. */
  idsIn(phase: Phase): RequirementId[] {
    return [...this.#phases].flatMap(([id, its]) => (its === phase ? id : []));
  }

  /** Probes the requirements of a phase, all at the same time. Never rejects: what ends a probe is kept for its verdict. */
  async probe(ids: readonly RequirementId[]): Promise<void> {
    await Promise.all(
      ids.map(async (id) => {
        const { signal } = this.#session.options;
        const ended = await this.#send(declarationOf(id)).catch((error: unknown) =>
          signal.aborted ? new Interrupted() : error,
        );
        this.ends.set(id, ended);
      }),
    );
    await this.#session.client.settled();
  }

  /** Returns what leaves open what was sent; undefined if nothing does. */
  async #send({ id, phase, inProfile }: Declaration): Promise<unknown> {
    const { settings, store, obstacle: known } = this.#session;
    const own = inProfile(settings.profile);
    if (typeof own === 'string') return undefined;
    // A pass of a run that did not get to its end would claim more than was seen.
    const early = phase === 'every exchange' && [...this.ends.values()].find(isEarly);
    if (early) return new Inconclusive(`judged only on what was seen before the end: ${early.message}`);
    const needsTarget = phase !== 'description' && phase !== 'all responses';
    // Said once, rather than by fifty probes.
    const obstacle = needsTarget ? await store.once('obstacle', () => findObstacle(this.#session)) : known;
    if (obstacle)
      return needsTarget && obstacle.id !== id
        ? new Inconclusive(obstacle.reason, obstacle.id)
        : new Inconclusive(obstacle.sentence);
    await own(this.#session.probe(id));
    return undefined;
  }
}
