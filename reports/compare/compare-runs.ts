import type { RequirementResult, RunRecord, Verdict } from '../../lib/record/record.js';
import { steadyObservations } from './stable-observations.js';

/** What can have happened to a requirement between two runs, the most urgent first. */
export const changeKinds = [
  'broke',
  'newly judged',
  'no longer judged',
  'fixed',
  'behaving otherwise',
] as const;
export type ChangeKind = (typeof changeKinds)[number];

export interface Change {
  readonly kind: ChangeKind;
  readonly id: string;
  /** Absent where that run's version did not know the requirement. */
  readonly before: RequirementResult | undefined;
  readonly after: RequirementResult | undefined;
  /** Where the specification is silent, the first thing that the target does otherwise. */
  readonly otherwise?: BehaviourChange;
}

interface BehaviourChange {
  readonly subject: string;
  /** Absent where that run did not see it. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Something about the runs themselves that differs, and may be why their results do. */
interface Circumstance {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

export interface Comparison {
  readonly changes: readonly Change[];
  readonly circumstances: readonly Circumstance[];
  /** How many requirements stand as they stood. */
  readonly unchanged: number;
  /** Of two loads, the bounds that are kept no longer, or kept again. */
  readonly bounds: readonly BoundChange[];
}

interface BoundChange {
  readonly kind: 'broke' | 'fixed';
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

type Standing = 'met' | 'missed' | 'observed' | 'not judged';

/** The target's own standing: strictness and waivers change what a miss means, not what the target does. */
const standings = {
  pass: 'met',
  fail: 'missed',
  warn: 'missed',
  observed: 'observed',
  inconclusive: 'not judged',
  'not-applicable': 'not judged',
  'not-tested': 'not judged',
} as const satisfies Record<Verdict, Standing>;

/** What changed from one run to another, requirement by requirement in the order of the catalogue. */
export function compareRuns(before: RunRecord, after: RunRecord): Comparison {
  const rowsBefore = new Map(before.requirements.map((row) => [row.id, row]));
  const rowsAfter = new Map(after.requirements.map((row) => [row.id, row]));
  const ids = [...new Set([...rowsBefore.keys(), ...rowsAfter.keys()])];
  const changes = ids.flatMap((id) => {
    const pair = { id, before: rowsBefore.get(id), after: rowsAfter.get(id) };
    const otherwise = behaviourChange(seen(pair.before, before), seen(pair.after, after));
    const kind = changeOf(pair, otherwise);
    return kind ? [{ kind, ...pair, ...(otherwise && { otherwise }) }] : [];
  });
  return {
    changes,
    circumstances: circumstances(before, after),
    unchanged: ids.length - changes.length,
    bounds: boundChanges(before, after),
  };
}

/** True where something broke, or is judged for the first time and missed; unless a waiver covers it. */
export function somethingBroke({ changes, bounds }: Comparison): boolean {
  return (
    bounds.some(({ kind }) => kind === 'broke') ||
    changes.some(({ after }) => standing(after) === 'missed' && after?.waived === undefined)
  );
}

/** A bound of the later load that is missed broke, unless the earlier one had missed it, too. */
function boundChanges(before: RunRecord, after: RunRecord): BoundChange[] {
  const earlier = new Map((before.load?.thresholds ?? []).map((one) => [one.name, one]));
  return (after.load?.thresholds ?? []).flatMap(({ name, bound, measured, kept }) => {
    const was = earlier.get(name);
    if (kept === (was?.kept ?? true)) return [];
    const told = was ? `${was.bound}: ${was.measured}` : 'not set';
    return [{ kind: kept ? 'fixed' : 'broke', name, before: told, after: `${bound}: ${measured}` }];
  });
}

function standing(row: RequirementResult | undefined): Standing {
  return row ? standings[row.verdict] : 'not judged';
}

function changeOf(
  { before, after }: Pick<Change, 'before' | 'after'>,
  otherwise: BehaviourChange | undefined,
): ChangeKind | undefined {
  const [was, is] = [standing(before), standing(after)];
  if (was === is) return is === 'observed' && otherwise ? 'behaving otherwise' : undefined;
  if (was === 'not judged') return 'newly judged';
  if (is === 'not judged') return 'no longer judged';
  if (is === 'missed') return 'broke';
  return was === 'missed' ? 'fixed' : 'behaving otherwise';
}

/** What was seen of each subject: the behaviours, sorted. */
function seen(row: RequirementResult | undefined, record: RunRecord): Map<string, string> {
  const bySubject = new Map<string, string[]>();
  for (const { subject, behaviour } of row ? steadyObservations(row, record) : []) {
    bySubject.set(subject, [...(bySubject.get(subject) ?? []), behaviour]);
  }
  return new Map(
    [...bySubject].map(([subject, behaviours]) => [subject, behaviours.toSorted().join(' or ')]),
  );
}

function behaviourChange(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): BehaviourChange | undefined {
  const subject = [...after.keys(), ...before.keys()].find((one) => before.get(one) !== after.get(one));
  if (subject === undefined) return undefined;
  return { subject, before: before.get(subject), after: after.get(subject) };
}

function circumstances(before: RunRecord, after: RunRecord): Circumstance[] {
  const facts = ({ suite, run, target }: RunRecord) => ({
    target: `${target.name} (${target.baseUrl})`,
    plan: target.plan,
    profile: run.profile,
    limits: run.limits,
    'read-only': String(target.readOnly),
    version: suite.version,
    complete: String(run.complete),
  });
  const [old, recent] = [facts(before), facts(after)];
  return (Object.keys(old) as (keyof typeof old)[])
    .filter((name) => old[name] !== recent[name])
    .map((name) => ({ name, before: old[name], after: recent[name] }));
}
