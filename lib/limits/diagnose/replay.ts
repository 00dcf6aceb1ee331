import { burstsOf, type Burst, type History } from '../history/history.js';
import type { Observation } from '../history/observation.js';
import { models, type AnyModel } from '../limiter/models.js';
import { ranking, tolerances } from '../tolerances.js';
import type { Explanation, Finding, FindingKind, Hypothesis, Traced } from './hypothesis.js';
import { loadOf } from './load.js';
import { beginning, listed, type Path } from './path.js';
import { waysOn } from './step.js';

/** What no limiter of a hypothesis does, whatever other clients do. */
export const contradictions: readonly FindingKind[] = ['excess', 'spurious rejection', 'remaining too high'];

interface ReplayOptions {
  /** Gives up, with undefined, above this total cost. */
  readonly bound?: number | undefined;
  /** Receives what the cheapest way expects at each burst. */
  readonly onTrace?: (traced: Traced) => void;
  /** Follows only ways without a contradiction; undefined if there is none. */
  readonly sound?: boolean;
}

/**
 * Lets a hypothesis follow a history: its explanation is the cheapest way through. Overlapping requests are one step, as
 * their order is unknown.
 */
export function replay(
  hypothesis: Hypothesis,
  history: History,
  options: ReplayOptions = {},
): Explanation | undefined {
  const findings: Finding[] = [];
  let behaviour = 0;
  let times = 0;
  for (const bursts of partitions(history, hypothesis.partition)) {
    const spent = behaviour + Math.min(times, ranking.mostTimes);
    const path = follow(bursts, hypothesis, history, spent, options);
    if (!path) return undefined;
    behaviour += path.behaviour;
    times += path.times;
    findings.push(...listed(path.findings));
    if (options.onTrace) listed(path.trace).forEach(options.onTrace);
  }
  return { hypothesis, findings, behaviour, times };
}

const known = new WeakMap<History, Map<Hypothesis['partition'], Burst[][]>>();

/** The bursts of a history, apart for what is counted apart. */
function partitions(history: History, by: Hypothesis['partition']): Burst[][] {
  const cached = known.get(history) ?? new Map<Hypothesis['partition'], Burst[][]>();
  known.set(history, cached);
  const made = cached.get(by) ?? partitioned(history, by);
  cached.set(by, made);
  return made;
}

function partitioned({ own, others }: History, by: Hypothesis['partition']): Burst[][] {
  if (by === 'none') return [burstsOf(own)];
  if (by === 'shared') return [burstsOf([...own, ...others].toSorted((a, b) => a.sentAt - b.sentAt))];
  const partOf = ({ operation }: Observation): string =>
    by === 'operation' ? String(operation) : operation === 'createPet' ? 'writes' : 'reads';
  const parts = new Set(own.map(partOf));
  return [...parts].map((part) => burstsOf(own.filter((one) => partOf(one) === part)));
}

function follow(
  bursts: readonly Burst[],
  hypothesis: Hypothesis,
  history: History,
  spent: number,
  { bound = Number.POSITIVE_INFINITY, onTrace, sound = false }: ReplayOptions,
): Path | undefined {
  const { algorithm, limit, otherPhase, deviation } = hypothesis;
  const model = models[algorithm]({
    ...hypothesis,
    renewed: hypothesis.renewedBy === 'requests',
    past: deviation?.id === 'no limit' ? 0 : limit,
    clock: otherPhase ? undefined : history.clock,
  });
  let paths: readonly Path[] = [];
  let since: number | undefined;
  for (const burst of bursts) {
    const load = loadOf(burst, hypothesis, history.clock, since === undefined);
    if (since === undefined) paths = model.initial(load.at).map(beginning);
    const moment = { model, hypothesis, history, load, since: since ?? load.at[0] };
    let next = paths.flatMap((path) => waysOn(path, moment));
    if (sound) next = next.filter(({ foundAt }) => !contradictions.some((kind) => kind in foundAt));
    paths = next.length === 1 ? next : cheapest(next, model);
    since = load.at[1];
    const [best] = paths;
    if (!best || spent + best.behaviour + Math.min(best.times, ranking.mostTimes) > bound) return undefined;
    if (!onTrace) continue;
    const end = [since, since] as const;
    paths = paths.map((path) => {
      const item = { burst, before: path.before, after: model.room(path.state, end) };
      return { ...path, trace: { item, earlier: path.trace } };
    });
  }
  return paths[0];
}

/** The cheapest ways to different states. */
function cheapest(paths: readonly Path[], model: AnyModel): readonly Path[] {
  const total = ({ behaviour, times }: Path): number => behaviour + times;
  const kept = new Map<string, Path>();
  for (const path of paths.toSorted((a, b) => total(a) - total(b))) {
    const key = model.key(path.state);
    if (!kept.has(key)) kept.set(key, path);
    if (kept.size === tolerances.states) break;
  }
  return [...kept.values()];
}
