import type { RequirementResult, RunRecord, Verdict } from '../../lib/record/record.js';

/** What can have happened to a requirement between two runs, the most urgent first. */
export const changeKinds = ['broke', 'newly judged', 'no longer judged', 'fixed'] as const;
export type ChangeKind = (typeof changeKinds)[number];

export interface Change {
  readonly kind: ChangeKind;
  readonly id: string;
  /** Undefined if that run's version did not know the requirement. */
  readonly before: RequirementResult | undefined;
  readonly after: RequirementResult | undefined;
}

/** A fact about the runs that may be the reason of a change. */
interface Fact {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

export interface Comparison {
  readonly changes: readonly Change[];
  readonly facts: readonly Fact[];
  /** How many requirements are as they were. */
  readonly unchanged: number;
  /** How many requirements the later run missed, waived or not. */
  readonly missed: number;
}

type Judgement = 'met' | 'not met' | 'not judged';

/** Strictness and waivers change what a failure means, not what the target does. An observation can't be missed. */
const judgements = {
  pass: 'met',
  observed: 'met',
  fail: 'not met',
  warn: 'not met',
  inconclusive: 'not judged',
  'not-applicable': 'not judged',
  'not-tested': 'not judged',
} as const satisfies Record<Verdict, Judgement>;

const judgementOf = (result: RequirementResult | undefined): Judgement =>
  result ? judgements[result.verdict] : 'not judged';

/** What changed from one run to another, requirement by requirement in the order of the catalogue. */
export function compareRuns(before: RunRecord, after: RunRecord): Comparison {
  const earlier = new Map(before.requirements.map((result) => [result.id, result]));
  const later = new Map(after.requirements.map((result) => [result.id, result]));
  const ids = [...new Set([...earlier.keys(), ...later.keys()])];
  const changes = ids.flatMap((id) => {
    const pair = { id, before: earlier.get(id), after: later.get(id) };
    const kind = changeOf(judgementOf(pair.before), judgementOf(pair.after));
    return kind ? [{ kind, ...pair }] : [];
  });
  const [old, recent] = [factsOf(before), factsOf(after)];
  return {
    changes,
    facts: Object.entries(recent)
      .map(([name, value]) => ({ name, before: old[name] ?? 'none', after: value }))
      .filter((fact) => fact.before !== fact.after),
    unchanged: ids.length - changes.length,
    missed: after.requirements.filter((result) => judgementOf(result) === 'not met').length,
  };
}

/**
 * 1 if something broke, or is judged for the first time and not met, unless a waiver covers it; else 3 if a MUST was
 * judged before and no longer is; else 0.
 */
export function comparisonExitCode({ changes }: Comparison): 0 | 1 | 3 {
  const isMissed = ({ after }: Change): boolean =>
    judgementOf(after) === 'not met' && after?.waived === undefined;
  if (changes.some(isMissed)) return 1;
  return changes.some(({ kind, before }) => kind === 'no longer judged' && before?.level === 'MUST') ? 3 : 0;
}

function changeOf(was: Judgement, is: Judgement): ChangeKind | undefined {
  if (was === is) return undefined;
  if (was === 'not judged') return 'newly judged';
  if (is === 'not judged') return 'no longer judged';
  return is === 'not met' ? 'broke' : 'fixed';
}

function factsOf({ suite, run, target }: RunRecord): Readonly<Record<string, string>> {
  return {
    target: `${target.name} (${target.baseUrl})`,
    plan: target.plan,
    profile: run.profile,
    limits: run.limits,
    'read-only': String(target.readOnly),
    version: suite.version,
    complete: String(run.complete),
  };
}
