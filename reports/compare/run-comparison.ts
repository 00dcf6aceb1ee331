import type { RequirementResult, RunRecord, Verdict } from '../../lib/record/record.js';
import { groupBy } from '../text/group-by.js';
import { thresholdOutcome, thresholdText } from '../summary/load-summary.js';
import { runBasis } from '../summary/run-basis.js';
import { compareLoads, usualTolerance, type LoadComparison } from './load-comparison.js';
import { stableObservations } from './stable-observations.js';

/** What can have happened to a requirement between two runs, the most urgent first. */
export const changeKinds = [
  'broke',
  'newly judged',
  'no longer judged',
  'fixed',
  'behaves differently',
] as const;
export type ChangeKind = (typeof changeKinds)[number];

export interface Change {
  readonly kind: ChangeKind;
  readonly id: string;
  /** Undefined if that run's version did not know the requirement. */
  readonly before: RequirementResult | undefined;
  readonly after: RequirementResult | undefined;
  /** The first thing that the target does differently and that the specification leaves open. */
  readonly behaviour?: string;
}

/** Something other than a result that differs: a bound of a load, or a fact about the runs that may be the reason. */
interface OtherChange {
  readonly kind: 'broke' | 'fixed' | 'differs';
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

export interface Comparison {
  readonly changes: readonly Change[];
  readonly facts: readonly OtherChange[];
  readonly bounds: readonly OtherChange[];
  /** The figures, if both are loads. */
  readonly load?: LoadComparison;
  /** How many requirements are as they were. */
  readonly unchanged: number;
  /** How many requirements the later run missed, waived or not. */
  readonly missed: number;
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

/**
 * What changed from one run to another, requirement by requirement in the order of the catalogue. Figures of two loads
 * may differ by the tolerance, a share of the earlier figure.
 */
export function compareRuns(
  before: RunRecord,
  after: RunRecord,
  tolerance: number = usualTolerance,
): Comparison {
  const earlier = new Map(before.requirements.map((result) => [result.id, result]));
  const later = new Map(after.requirements.map((result) => [result.id, result]));
  const ids = [...new Set([...earlier.keys(), ...later.keys()])];
  const changes = ids.flatMap((id) => {
    const pair = { id, before: earlier.get(id), after: later.get(id) };
    const behaviour = behaviourChange(behavioursOf(pair.before, before), behavioursOf(pair.after, after));
    const kind = changeOf(judgementOf(pair.before), judgementOf(pair.after), behaviour);
    return kind ? [{ kind, ...pair, ...(behaviour !== undefined && { behaviour }) }] : [];
  });
  return {
    changes,
    facts: factChanges(before, after),
    bounds: boundChanges(before, after),
    ...(before.load && after.load && { load: compareLoads(before.load, after.load, tolerance) }),
    unchanged: ids.length - changes.length,
    missed: after.requirements.filter((result) => judgementOf(result) === 'not met').length,
  };
}

/**
 * 1 if something broke, or a figure of a load got worse, or a requirement is judged for the first time and
 * not met, unless a waiver covers it; else 3 if a MUST was judged before and no longer is; else 0.
 */
export function comparisonExitCode(comparison: Comparison): 0 | 1 | 3 {
  if (somethingBroke(comparison)) return 1;
  return comparison.changes.some(
    ({ kind, before }) => kind === 'no longer judged' && before?.level === 'MUST',
  )
    ? 3
    : 0;
}

function somethingBroke({ changes, bounds, load }: Comparison): boolean {
  return (
    load?.measures.some(({ kind }) => kind === 'worse') === true ||
    bounds.some(({ kind }) => kind === 'broke') ||
    changes.some(({ after }) => judgementOf(after) === 'not met' && after?.waived === undefined)
  );
}

function changeOf(was: Judgement, is: Judgement, behaviour: string | undefined): ChangeKind | undefined {
  if (was === is) return is === 'observed' && behaviour !== undefined ? 'behaves differently' : undefined;
  if (was === 'not judged') return 'newly judged';
  if (is === 'not judged') return 'no longer judged';
  if (is === 'not met') return 'broke';
  return was === 'not met' ? 'fixed' : 'behaves differently';
}

/** What was observed of each subject: the behaviours, sorted. */
function behavioursOf(result: RequirementResult | undefined, record: RunRecord): Map<string, string> {
  const groups = groupBy(result ? stableObservations(result, record) : [], ({ subject }) => subject);
  return new Map(
    [...groups].map(([subject, group]) => [
      subject,
      group
        .map(({ behaviour }) => behaviour)
        .toSorted()
        .join(' or '),
    ]),
  );
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
function boundChanges(before: RunRecord, after: RunRecord): OtherChange[] {
  const earlier = new Map((before.load?.thresholds ?? []).map((one) => [one.name, one]));
  return (after.load?.thresholds ?? []).flatMap((threshold) => {
    const was = earlier.get(threshold.name);
    const [old, recent] = [was ? thresholdOutcome(was) : 'kept', thresholdOutcome(threshold)];
    if (old === recent) return [];
    const kind = recent === 'broken' ? 'broke' : old === 'broken' && recent === 'kept' ? 'fixed' : 'differs';
    const text = (one: typeof threshold): string => `${one.bound}: ${thresholdText(one).measured}`;
    return [{ kind, name: threshold.name, before: was ? text(was) : 'not set', after: text(threshold) }];
  });
}

/** What differs from one run to the next by itself. */
const ofEachRun = new Set(['Commit', 'CI job']);

function factsOf(record: RunRecord): Map<string, string> {
  const { suite, run, target } = record;
  return new Map([
    ['target', `${target.name} (${target.baseUrl})`],
    ['plan', target.plan],
    ['profile', run.profile],
    ['limits', run.limits],
    ['read-only', String(target.readOnly)],
    ['version', suite.version],
    ['complete', String(run.complete)],
    ...runBasis(record)
      .filter(([name]) => !ofEachRun.has(name))
      .map(([name, text]): [string, string] => [name.toLowerCase(), text]),
  ]);
}

function factChanges(before: RunRecord, after: RunRecord): OtherChange[] {
  const [old, recent] = [factsOf(before), factsOf(after)];
  return [...new Set([...old.keys(), ...recent.keys()])]
    .map((name) => ({ name, before: old.get(name) ?? 'none', after: recent.get(name) ?? 'none' }))
    .filter((one) => one.before !== one.after)
    .map((one) => ({ kind: 'differs', ...one }));
}
