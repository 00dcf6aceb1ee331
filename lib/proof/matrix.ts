import type { RunRecord } from '../evidence/record/record.js';
import type { Profile } from '../verdict/profile.js';
import { classOf, isRequirementId } from '../specification/catalogue.js';
import type { ProofCase } from './proof-case.js';
import { runOrJudgeAgain } from './kept-evidence.js';
import { suiteErrorsIn, turnedIn } from './prove.js';

/** What the suite made of one faulty or conforming service, beside what it must have made of it. */
export interface Entry extends Omit<ProofCase, 'run'> {
  readonly profile: Profile;
  /** The ids that failed or warned. */
  readonly turned: readonly string[];
  /** The selected ids that were not judged. */
  readonly open: readonly string[];
  /** The ids that an error of the suite kept from being judged. */
  readonly suiteErrors: readonly string[];
  /** What the report prints as causes: the requirements of each. */
  readonly causes: readonly string[];
  readonly requests: number;
  readonly milliseconds: number;
}

/** Runs the suite against the service of a case. */
export async function prove(
  { run, ...expected }: ProofCase,
  given: Profile = 'standard',
  evidence?: string,
): Promise<Entry> {
  const profile = given === 'standard' ? (expected.profile ?? given) : given;
  const began = performance.now();
  const record =
    evidence === undefined
      ? await run(profile)
      : await runOrJudgeAgain({ name: expected.name, run }, profile, evidence);
  return {
    ...expected,
    profile,
    turned: turnedIn(record),
    open: openIn(record),
    suiteErrors: suiteErrorsIn(record),
    causes: causesIn(record),
    requests: record.requests.sent,
    milliseconds: Math.round(performance.now() - began),
  };
}

function causesIn({ causes = [] }: RunRecord): string[] {
  return causes.map(({ requirements, leftOpen = [] }) =>
    (requirements.length > 0 ? requirements : leftOpen).join(' '),
  );
}

/** The share of the faults that turned something for which one cause is printed. Circumstances may be defects of their own. */
export function shareOfOneCause(entries: readonly Entry[]): { readonly one: number; readonly of: number } {
  const faulty = entries.filter(
    ({ kind, turned, group }) => kind === 'fault' && group === undefined && turned.length > 0,
  );
  return { one: faulty.filter(({ causes }) => causes.length === 1).length, of: faulty.length };
}

/** The ids that a run did not judge: of the limits if it tried them, otherwise all the others. */
export function openIn(record: RunRecord): string[] {
  return record.requirements
    .filter((result) => (record.run.limits === 'none' ? isOpen(result, record) : isOpenLimit(result)))
    .map(({ id }) => id);
}

type Result = RunRecord['requirements'][number];

/** GET-05 applies from December 2030 on, and is left out; so is what the quick profile has no room for. */
function isOpen({ id, verdict, selected }: Result, { run }: RunRecord): boolean {
  if (!isRequirementId(id) || classOf(id) !== 'functional' || id === 'GET-05') return false;
  if (verdict === 'not-tested') return run.profile !== 'quick' || selected === true;
  return verdict === 'inconclusive' || verdict === 'not-applicable';
}

function isOpenLimit({ id, verdict, selected }: Result): boolean {
  if (!isRequirementId(id) || classOf(id) !== 'limits' || selected !== true) return false;
  return verdict === 'inconclusive' || verdict === 'not-tested';
}

/** Whether a fault is found: one of its ids turned. Under circumstances they are those of its group. */
export function isFound({ group, breaks, turned }: Entry): boolean {
  return (group ?? breaks).some((id) => turned.includes(id));
}

/** The share of the faults under circumstances that must be found. */
export const leastFound = 0.93;

/** How many of the faults under circumstances are found. */
export function foundUnderCircumstances(entries: readonly Entry[]): {
  readonly missed: readonly Entry[];
  readonly of: number;
  /** From 0 to 1. */
  readonly share: number;
} {
  const hidden = entries.filter(({ group }) => group !== undefined);
  const missed = hidden.filter((entry) => !isFound(entry));
  return { missed, of: hidden.length, share: hidden.length === 0 ? 1 : 1 - missed.length / hidden.length };
}

/**
 * What is not as it must be, a line each; empty if the suite found exactly what there is. A fault names what the standard
 * profile finds: quick may miss a part of it, and thorough may find more of what it does. That a fault under
 * circumstances is not found is no difference: how many are is counted.
 */
export function differences(entry: Entry): string[] {
  const { kind, profile, breaks, group = [], turned, leavesOpen, mayStayOpen = [], open } = entry;
  if (kind === 'pair') return [...mergedDefects(entry), ...entry.suiteErrors];
  const missed = profile === 'quick' ? [] : without(breaks, turned);
  const more = profile === 'thorough' && kind === 'fault' ? [] : without(turned, [...breaks, ...group]);
  const isCompared = kind === 'variant' && leavesOpen !== undefined;
  const unjudged = isCompared ? without(open, [...leavesOpen, ...mayStayOpen]) : [];
  const judged = isCompared && profile !== 'quick' ? without(leavesOpen, open) : [];
  return [
    ...line('did not turn', missed),
    ...line('turned, and should not', more),
    ...line('was not judged', unjudged),
    ...line('was judged, and should not', judged),
    ...entry.suiteErrors,
  ];
}

/** Two defects that both show need two causes. */
function mergedDefects({ defects = [], turned, causes }: Entry): string[] {
  const shown = defects.filter((ids) => ids.some((id) => turned.includes(id)));
  return shown.length > causes.length ? [`${shown.length} defects have one cause: ${causes.join(', ')}`] : [];
}

function without(ids: readonly string[], others: readonly string[]): string[] {
  return ids.filter((id) => !others.includes(id));
}

function line(what: string, ids: readonly string[]): string[] {
  return ids.length === 0 ? [] : [`${what}: ${ids.join(' ')}`];
}
