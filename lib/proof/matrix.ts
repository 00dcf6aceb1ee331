import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Exchange } from '../evidence/exchange.js';
import { runRecordSchema, type RunRecord } from '../evidence/record/record.js';
import { readExchanges } from '../evidence/record/run-files.js';
import { judgeAgain } from '../run/judge-again.js';
import type { Profile } from '../verdict/requirement.js';
import type { ProofCase } from './cases.js';
import { openIn, proveAgainst, turnedIn } from './prove.js';

/** What the suite made of one faulty or conforming service, beside what it must have made of it. */
export interface Entry extends Omit<ProofCase, 'options' | 'proof'> {
  readonly profile: Profile;
  /** The ids that failed or warned. */
  readonly turned: readonly string[];
  /** The selected ids that were not judged. */
  readonly open: readonly string[];
  /** The requirements that an error of the suite kept from being judged. */
  readonly suiteErrors: readonly string[];
  /** What the report prints as causes: the requirements of each. */
  readonly causes: readonly string[];
  readonly requests: number;
}

/**
 * Runs the suite against the service of a case.
 * @param evidence keeps the evidence in a folder; what is there is judged again, and nothing is sent
 */
export async function prove(
  { options, proof, ...expected }: ProofCase,
  given: Profile = 'standard',
  evidence?: string,
): Promise<Entry> {
  const profile = given === 'standard' ? (expected.profile ?? given) : given;
  const directory = evidence && join(evidence, expected.name);
  const settings = { ...proof?.settings, profile, directory };
  const kept = directory && (await judgedAgain(directory));
  const record = kept || (await proveAgainst(options, { ...proof, settings }));
  return {
    ...expected,
    profile,
    turned: turnedIn(record),
    open: openIn(record),
    suiteErrors: record.requirements.flatMap(({ id, reason }) =>
      reason?.includes('error of the suite') === true ? `${id}: ${reason}` : [],
    ),
    causes: (record.causes ?? []).map(({ requirements, leftOpen = [] }) =>
      (requirements.length > 0 ? requirements : leftOpen).join(' '),
    ),
    requests: record.requests.sent,
  };
}

/** The record that the rules make of the run in a folder; undefined if there is none. */
async function judgedAgain(directory: string): Promise<RunRecord | undefined> {
  const file = join(directory, 'report.json');
  if (!existsSync(file)) return undefined;
  const record = runRecordSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const exchanges = Array.from(readExchanges(directory), (line) => new Exchange(line));
  return (await judgeAgain({ record, exchanges, directory })).record;
}

/** Whether a fault is found: one of its ids turned. Under circumstances they are those of its group. */
export function isFound({ group, breaks, turned }: Entry): boolean {
  return (group ?? breaks).some((id) => turned.includes(id));
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
