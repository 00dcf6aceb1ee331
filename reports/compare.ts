import type { RequirementResult, RunRecord, Verdict } from '../lib/run/record.js';

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
    const kind = changeOf(pair);
    return kind ? [{ kind, ...pair }] : [];
  });
  return { changes, circumstances: circumstances(before, after), unchanged: ids.length - changes.length };
}

/** True where something broke, or is judged for the first time and missed; unless a waiver covers it. */
export function somethingBroke({ changes }: Comparison): boolean {
  return changes.some(({ after }) => standing(after) === 'missed' && after?.waived === undefined);
}

function standing(row: RequirementResult | undefined): Standing {
  return row ? standings[row.verdict] : 'not judged';
}

function changeOf({ before, after }: Pick<Change, 'before' | 'after'>): ChangeKind | undefined {
  const [was, is] = [standing(before), standing(after)];
  if (was === is)
    return is === 'observed' && behaviour(before) !== behaviour(after) ? 'behaving otherwise' : undefined;
  if (was === 'not judged') return 'newly judged';
  if (is === 'not judged') return 'no longer judged';
  if (is === 'missed') return 'broke';
  return was === 'missed' ? 'fixed' : 'behaving otherwise';
}

function behaviour(row: RequirementResult | undefined): string {
  return JSON.stringify((row?.observations ?? []).map(({ subject, behaviour }) => [subject, behaviour]));
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
