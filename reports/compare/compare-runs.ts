import type { RunRecord } from '../../lib/evidence/record/record.js';
import { runFacts } from '../summary/run-facts.js';
import { changeKinds, type Change, type ChangeKind, type Comparison } from './change.js';
import { compareLoads, usualTolerance } from './compare-loads.js';
import { judgedItems, type JudgedItem } from './judged-items.js';

/** What changed from one run to another. Figures of two loads may differ by the tolerance, a share of the earlier figure. */
export function compareRuns(
  before: RunRecord,
  after: RunRecord,
  tolerance: number = usualTolerance,
): Comparison {
  const [earlier, later] = [judgedItems(before), judgedItems(after)];
  const names = namesIn(earlier, later);
  const changed = names.flatMap((name) => itemChange(name, earlier.get(name), later.get(name)) ?? []);
  const unchanged = names.filter((name) => !changed.some((change) => change.name === name));
  const changes = [
    ...changed,
    ...(before.load && after.load ? compareLoads(before.load, after.load, tolerance) : []),
    ...factChanges(before, after),
  ];
  const rank = ({ kind }: Change): number => Object.keys(changeKinds).indexOf(kind);
  const missed = unchanged.filter((name) => later.get(name)?.judgement === 'not met').length;
  return {
    changes: changes.toSorted((one, other) => rank(one) - rank(other)),
    ...(!after.load && { requirements: { unchanged: unchanged.length, missed } }),
  };
}

/** In the order of the earlier run. */
function namesIn(...maps: ReadonlyMap<string, unknown>[]): string[] {
  return [...new Set(maps.flatMap((map) => [...map.keys()]))];
}

type Item = JudgedItem | undefined;

/** What became of a requirement or a bound; a run may not know it. */
function itemChange(name: string, was: Item, is: Item): Change | undefined {
  const kind = kindOf(was, is);
  if (kind === undefined) return undefined;
  const isBreak = (kind === 'broke' || kind === 'newly failed') && !is?.isWaived;
  const isLoss = kind === 'no longer judged' && was?.isMust;
  return {
    kind,
    name,
    before: was?.text ?? 'unknown',
    after: is?.text ?? 'unknown',
    detail: is?.detail,
    code: isBreak ? 1 : isLoss ? 3 : 0,
  };
}

/** A SHOULD that is judged for the first time, and warns, is not a failure. */
function kindOf(before: Item, after: Item): ChangeKind | undefined {
  const [was, is] = [before, after].map((item) => item?.judgement ?? 'not judged');
  if (was === is) return undefined;
  if (was === 'not judged') return after?.isFailure ? 'newly failed' : 'newly judged';
  if (is === 'not judged') return 'no longer judged';
  return is === 'not met' ? 'broke' : 'fixed';
}

/** What differs from one run to the next by itself. */
const ofEachRun =
  /^(?:Run|Started|Finished|Requests|Seed|Command|Clocks|Left behind|Retries|Commit|CI job)$/u;

/** Facts of the runs that may be the reason of other changes. */
function factChanges(before: RunRecord, after: RunRecord): Change[] {
  const factsOf = (record: RunRecord) =>
    new Map([...runFacts(record), ['Ended early', record.run.stopped ?? 'no'] as const]);
  const [old, recent] = [factsOf(before), factsOf(after)];
  return namesIn(old, recent)
    .filter((name) => !ofEachRun.test(name) && old.get(name) !== recent.get(name))
    .map((name) => ({
      kind: 'differs',
      name: name.toLowerCase(),
      before: old.get(name) ?? 'none',
      after: recent.get(name) ?? 'none',
      code: 0,
    }));
}
