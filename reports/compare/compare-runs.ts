import type { RunRecord } from '../../lib/evidence/record/record.js';
import type { RequirementResult, Verdict } from '../../lib/evidence/record/requirement-result.js';
import { thresholdOutcome, thresholdText } from '../summary/load-summary.js';
import { verdictText } from '../summary/requirement-outcome.js';
import { runFacts } from '../summary/run-facts.js';
import { groupBy } from '../text/group-by.js';
import { changeKinds, type Change, type ChangeKind, type Comparison } from './change.js';
import { compareLoads, usualTolerance } from './compare-loads.js';
import { stableObservations } from './stable-observations.js';

/**
 * What changed from one run to another. Figures of two loads may differ by the tolerance, a share of the earlier figure.
 */
export function compareRuns(
  before: RunRecord,
  after: RunRecord,
  tolerance: number = usualTolerance,
): Comparison {
  const pairs = pairsOf(before, after);
  const changed = pairs.flatMap((pair) => requirementChange(pair, before, after) ?? []);
  const unchanged = pairs.filter(({ id }) => !changed.some(({ name }) => name === id));
  const changes = [
    ...changed,
    ...boundChanges(before, after),
    ...(before.load && after.load ? compareLoads(before.load, after.load, tolerance) : []),
    ...factChanges(before, after),
  ];
  const rank = ({ kind }: Change): number => Object.keys(changeKinds).indexOf(kind);
  return {
    changes: changes.toSorted((one, other) => rank(one) - rank(other)),
    ...(!after.load && {
      requirements: {
        unchanged: unchanged.length,
        missed: unchanged.filter((pair) => judgementOf(pair.after) === 'not met').length,
      },
    }),
  };
}

/** A requirement in both runs; undefined if that run's version did not know it. */
interface Pair {
  readonly id: string;
  readonly before: RequirementResult | undefined;
  readonly after: RequirementResult | undefined;
}

/** In the order of the earlier run. */
function pairsOf(before: RunRecord, after: RunRecord): Pair[] {
  const [earlier, later] = [before, after].map(
    ({ requirements }) => new Map(requirements.map((result) => [result.id, result])),
  );
  const ids = new Set([...(earlier?.keys() ?? []), ...(later?.keys() ?? [])]);
  return [...ids].map((id) => ({ id, before: earlier?.get(id), after: later?.get(id) }));
}

type Judgement = 'met' | 'not met' | 'observed' | 'not judged';

/** Strictness and waivers change what a failure means, not what the target does. */
const judgements = {
  pass: 'met',
  fail: 'not met',
  warn: 'not met',
  observed: 'observed',
  inconclusive: 'not judged',
  'not-applicable': 'not judged',
  'not-tested': 'not judged',
} as const satisfies Record<Verdict, Judgement>;

const judgementOf = (result: RequirementResult | undefined): Judgement =>
  result ? judgements[result.verdict] : 'not judged';

function requirementChange(pair: Pair, before: RunRecord, after: RunRecord): Change | undefined {
  const { id, before: was, after: is } = pair;
  const behaviour = behaviourChange(behavioursOf(was, before), behavioursOf(is, after));
  const kind = kindOf(pair, behaviour !== undefined);
  if (kind === undefined) return undefined;
  const isBreak = (kind === 'broke' || kind === 'newly failed') && !is?.waived;
  const isLoss = kind === 'no longer judged' && was?.level === 'MUST';
  const detail = is?.findings[0]?.message ?? is?.reason ?? behaviour ?? is?.title;
  return {
    kind,
    name: id,
    before: resultText(was),
    after: resultText(is),
    detail,
    code: isBreak ? 1 : isLoss ? 3 : 0,
  };
}

/** A SHOULD that is judged for the first time, and warns, is not a failure. */
function kindOf({ before, after }: Pair, isOther: boolean): ChangeKind | undefined {
  const [was, is] = [judgementOf(before), judgementOf(after)];
  if (was === is) return is === 'observed' && isOther ? 'behaves differently' : undefined;
  if (was === 'not judged') return after?.verdict === 'fail' ? 'newly failed' : 'newly judged';
  if (is === 'not judged') return 'no longer judged';
  if (is === 'not met') return 'broke';
  return was === 'not met' ? 'fixed' : 'behaves differently';
}

function resultText(result: RequirementResult | undefined): string {
  return result ? `${verdictText(result.verdict)}${result.waived ? ' (waived)' : ''}` : 'unknown';
}

/** What was observed of each subject: the behaviours, sorted. */
function behavioursOf(result: RequirementResult | undefined, record: RunRecord): Map<string, string> {
  const groups = groupBy(result ? stableObservations(result, record) : [], ({ subject }) => subject);
  const told = [...groups].map(([subject, group]) => {
    const behaviours = group.map(({ behaviour }) => behaviour).toSorted();
    return [subject, behaviours.join(' or ')] as const;
  });
  return new Map(told);
}

function behaviourChange(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string | undefined {
  const subject = [...after.keys(), ...before.keys()].find((one) => before.get(one) !== after.get(one));
  if (subject === undefined) return undefined;
  return `${subject}: ${before.get(subject) ?? 'not seen'} → ${after.get(subject) ?? 'not seen'}`;
}

/** A bound of the later load that is missed broke, unless the earlier load had missed it, too. */
function boundChanges(before: RunRecord, after: RunRecord): Change[] {
  const earlier = new Map((before.load?.thresholds ?? []).map((one) => [one.name, one]));
  return (after.load?.thresholds ?? []).flatMap((threshold) => {
    const was = earlier.get(threshold.name);
    const [old, recent] = [was ? thresholdOutcome(was) : 'kept', thresholdOutcome(threshold)];
    if (old === recent) return [];
    const kind = recent === 'broken' ? 'broke' : old === 'broken' && recent === 'kept' ? 'fixed' : 'differs';
    const text = (one: typeof threshold): string => `${one.bound}: ${thresholdText(one).measured}`;
    return [
      {
        kind,
        name: threshold.name,
        before: was ? text(was) : 'not set',
        after: text(threshold),
        code: kind === 'broke' ? 1 : 0,
      },
    ];
  });
}

/** What differs from one run to the next by itself. */
const ofEachRun =
  /^(?:Run|Started|Finished|Requests|Seed|Command|Clocks|Left behind|Retries|Commit|CI job)$/u;

/** Facts of the runs that may be the reason of other changes. */
function factChanges(before: RunRecord, after: RunRecord): Change[] {
  const [old, recent] = [before, after].map(
    (record) => new Map([...runFacts(record), ['Ended early', record.run.stopped ?? 'no']]),
  );
  const names = [...new Set([...(old?.keys() ?? []), ...(recent?.keys() ?? [])])];
  return names
    .filter((name) => !ofEachRun.test(name) && old?.get(name) !== recent?.get(name))
    .map((name) => ({
      kind: 'differs',
      name: name.toLowerCase(),
      before: old?.get(name) ?? 'none',
      after: recent?.get(name) ?? 'none',
      code: 0,
    }));
}
