import type { RunRecord } from '../../lib/evidence/record/record.js';
import type { RequirementResult } from '../../lib/evidence/record/requirement-result.js';
import { isNotJudged, verdictText } from '../summary/requirement-outcome.js';
import { runFacts } from '../summary/run-facts.js';

/** What can have changed between two runs, the most urgent first. The last one is no change of the service. */
export const changeKinds = {
  broke: 'red',
  'newly failed': 'red',
  'no longer judged': 'yellow',
  'newly judged': 'cyan',
  fixed: 'green',
  differs: 'dim',
} as const;
export type ChangeKind = keyof typeof changeKinds;

/** Something that differs between two runs: a requirement, or a fact that may be the reason. */
export interface Change {
  readonly kind: ChangeKind;
  /** The id of a requirement, or the name of the fact. */
  readonly name: string;
  readonly before: string;
  readonly after: string;
  /** Why. */
  readonly detail?: string | undefined;
  /** What it makes the exit code: 1 for a break, 3 for a MUST that is no longer judged. */
  readonly code: 0 | 1 | 3;
}

/** What changed from one run to another, the most urgent first. */
export interface Comparison {
  readonly changes: readonly Change[];
  /** How many requirements are as they were, and how many of these are not met. */
  readonly unchanged: number;
  readonly missed: number;
  /** 1 if something broke; else 3 if a MUST was judged before and no longer is; else 0. */
  readonly code: 0 | 1 | 3;
}

/** What changed from one run to another. */
export function compareRuns(before: RunRecord, after: RunRecord): Comparison {
  const [earlier, later] = [before, after].map(
    ({ requirements }) => new Map(requirements.map((row) => [row.id, row])),
  );
  const ids = [...new Set([...(earlier?.keys() ?? []), ...(later?.keys() ?? [])])];
  const changed = ids.flatMap((id) => requirementChange(id, earlier?.get(id), later?.get(id)) ?? []);
  const unchanged = ids.filter((id) => !changed.some(({ name }) => name === id));
  const rank = ({ kind }: Change): number => Object.keys(changeKinds).indexOf(kind);
  const codes = new Set(changed.map(({ code }) => code));
  return {
    changes: [...changed, ...factChanges(before, after)].toSorted((one, other) => rank(one) - rank(other)),
    unchanged: unchanged.length,
    missed: unchanged.filter((id) => judgementOf(later?.get(id)) === 'not met').length,
    code: codes.has(1) ? 1 : codes.has(3) ? 3 : 0,
  };
}

/** A requirement of a run; a run may not know it. */
type Row = RequirementResult | undefined;

/** Strictness and waivers change what a failure means, not what the target does. */
function judgementOf(row: Row): 'met' | 'not met' | 'not judged' {
  if (!row || isNotJudged(row.verdict)) return 'not judged';
  return row.verdict === 'fail' || row.verdict === 'warn' ? 'not met' : 'met';
}

function requirementChange(name: string, was: Row, is: Row): Change | undefined {
  const kind = kindOf(was, is);
  if (kind === undefined) return undefined;
  const textOf = (row: Row): string =>
    row ? `${verdictText(row.verdict)}${row.waived ? ' (waived)' : ''}` : 'unknown';
  const isBreak = (kind === 'broke' || kind === 'newly failed') && !is?.waived;
  const isLoss = kind === 'no longer judged' && was?.level === 'MUST';
  const detail = is && (is.findings[0]?.message ?? is.reason ?? is.title);
  return { kind, name, before: textOf(was), after: textOf(is), detail, code: isBreak ? 1 : isLoss ? 3 : 0 };
}

/** A SHOULD that is judged for the first time, and warns, is not a failure. */
function kindOf(before: Row, after: Row): ChangeKind | undefined {
  const [was, is] = [judgementOf(before), judgementOf(after)];
  if (was === is) return undefined;
  if (was === 'not judged') return after?.verdict === 'fail' ? 'newly failed' : 'newly judged';
  if (is === 'not judged') return 'no longer judged';
  return is === 'not met' ? 'broke' : 'fixed';
}

/** Facts of the runs that may be the reason of other changes. */
function factChanges(before: RunRecord, after: RunRecord): Change[] {
  const [old, recent] = [new Map(runFacts(before)), new Map(runFacts(after))];
  return ['Target', 'Plan', 'Suite', 'Profile', 'Limits', 'Waivers', 'Description']
    .map((name) => ({ name, before: old.get(name) ?? 'none', after: recent.get(name) ?? 'none' }))
    .filter((fact) => fact.before !== fact.after)
    .map((fact) => ({ ...fact, kind: 'differs', name: fact.name.toLowerCase(), code: 0 }));
}
