import { Interrupted, RunStopped } from '../http/client/run-end.js';
import { declarationOf, probesOf, type Phase } from '../verdict/requirement.js';
import type { RequirementId } from '../specification/catalogue.js';
import { Inconclusive } from '../verdict/outcome.js';
import { findObstacle } from './obstacle.js';
import type { Session } from './session.js';

/**
 * When each probe of a run is sent. What judges every exchange needs some of each kind, which other probes get: behind the
 * limits, which say most of a limiter that nothing else has used.
 */
export function phasesOf(selected: ReadonlySet<RequirementId>): ReadonlyMap<RequirementId, Phase> {
  const declared = Array.from(selected, declarationOf);
  const others = declared.flatMap(({ kinds, phase }) =>
    kinds
      .flatMap((kind) => probesOf[kind])
      .map((id) => [id, phase === 'every exchange' ? 'whole run' : declarationOf(id).phase] as const),
  );
  return new Map([...others, ...declared.map(({ id, phase }) => [id, phase] as const)]);
}

/** What ended probes early, by their requirements; undefined for a probe that nothing ended. */
export type Ends = Map<RequirementId, unknown>;

/** Sends what requirements of one phase need, all at the same time, and keeps how their probes ended. It judges nothing. */
export async function probe(session: Session, ids: readonly RequirementId[], ends: Ends): Promise<void> {
  const { signal } = session.options;
  await Promise.all(
    ids.map(async (id) => {
      const sent = send(session, id, ends);
      ends.set(id, await sent.catch((error: unknown) => (signal.aborted ? new Interrupted() : error)));
    }),
  );
  await session.client.settled();
}

/** Returns what leaves open what was sent; undefined if nothing does. */
async function send(session: Session, id: RequirementId, ends: Ends): Promise<unknown> {
  const { phase, inProfile } = declarationOf(id);
  const own = inProfile(session.settings.profile);
  if (typeof own === 'string') return undefined;
  // A pass of a run that did not get to its end would claim more than was seen.
  const early = phase === 'every exchange' && [...ends.values()].find((end) => end instanceof RunStopped);
  if (early) return new Inconclusive(`judged only on what was seen before the end: ${early.message}`);
  const needsTarget = phase !== 'description' && phase !== 'all responses';
  // Said once, rather than by fifty probes.
  if (needsTarget) await session.store.once('obstacle', () => findObstacle(session));
  const { obstacle } = session;
  if (obstacle)
    return needsTarget && obstacle.id !== id
      ? new Inconclusive('nothing of this target can be judged', obstacle.id)
      : new Inconclusive(obstacle.sentence);
  await own(session.probe(id));
  return undefined;
}
