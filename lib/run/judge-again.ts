import type { JudgedDescription } from '../description/judged-description.js';
import type { Exchange } from '../evidence/exchange.js';
import { countedSince, readDays, type CountedDay } from '../limits/day/day-count.js';
import { limitsOfRecord } from '../limits/limits-of-run.js';
import { UnusableLedger } from '../load/ledger-file.js';
import type { RunRecord } from '../evidence/record/record.js';
import type { RequirementResult } from '../evidence/record/requirement-result.js';
import { classOf, requirementIds, type RequirementId } from '../specification/catalogue.js';
import type { PlanName } from '../specification/plan.js';
import { recordedEnd } from '../verdict/judge-rule.js';
import { UsageProblem } from '../explain/usage-problem.js';
import { isUnreached } from './judge-rows.js';
import { loadRules } from './own-rules.js';
import { countedIn, recordOf } from './record-of.js';
import { ofJudgingAgain, ofKey } from './run-facts.js';

/** A run as its folder holds it. */
export interface RecordedRun {
  readonly record: RunRecord;
  /** In the order of the file. */
  readonly exchanges: readonly Exchange[];
  /** Its folder, which holds the ledger. */
  readonly directory: string;
}

/** What the rules make of a recorded run. */
export interface JudgedAgain {
  /** The record that came of it. */
  readonly record: RunRecord;
  /** Requirements that can't be judged from what the run left, with the reasons. Their results are those of the run. */
  readonly leftOut: ReadonlyMap<string, string>;
}

/** Judges a run by its evidence: the rules are asked again, and nothing is sent. */
export async function judgeAgain(
  { record, exchanges, directory }: RecordedRun,
  rules?: string,
): Promise<JudgedAgain> {
  const leftOut = new Map<string, string>();
  if (wasLoad(record)) return { record, leftOut };
  const description = await describedAgain(record);
  if (!description)
    for (const id of requirementIds.filter((one) => classOf(one) === 'description'))
      leftOut.set(id, 'the interface description is not recorded');
  const own = await ownRulesOf(record, rules);
  for (const row of record.requirements)
    if (row.own && !own.some((id) => id === row.id))
      leftOut.set(row.id, 'the file of its rule was not given (--rules=FILE)');
  const plans = record.plans?.map((plan) => ({ ...plan }));
  for (const plan of plans ?? []) {
    if (!plan.day) continue;
    // LIMIT-10 is judged by what was written request by request.
    const day = await dayByLedger(plan.plan, plan.day, directory);
    if (day) plan.day = day;
    else leftOut.set('LIMIT-10', 'the ledger, by which it is judged, can not be read');
  }
  return {
    record: judgedRecord({ ...record, ...(plans && { plans }) }, exchanges, { leftOut, description, own }),
    leftOut,
  };
}

/**
 * The user's own requirements, of a file that is given: what a record names is not run.
 * @throws UsageProblem for another file than that of the run
 */
async function ownRulesOf({ run }: RunRecord, file: string | undefined): Promise<readonly RequirementId[]> {
  if (file === undefined) return [];
  const { sha256, strict } = run.options?.rules ?? {};
  const rules = await loadRules(file, strict === true);
  if (rules.sha256 !== sha256)
    throw new UsageProblem(`--rules: ${file} is not the file that the run was judged by`);
  return rules.ids;
}

/** A load has no class, and judges nothing. */
function wasLoad({ classes, requirements }: RunRecord): boolean {
  return classes.length === 0 && requirements.every(({ verdict }) => verdict === 'not-tested');
}

interface Besides {
  readonly description?: JudgedDescription | undefined;
  /** The user's own requirements that can be judged. */
  readonly own?: readonly RequirementId[];
  /** Requirements whose results stay those of the run. */
  readonly leftOut?: ReadonlyMap<string, string>;
}

/** The record that follows from exchanges, and from what a record tells beside them. */
export function judgedRecord(
  record: Omit<RunRecord, 'verdict' | 'classes'>,
  exchanges: readonly Exchange[],
  { description, own, leftOut }: Besides = {},
): RunRecord {
  const recorded = new Map(record.requirements.map((row) => [row.id, row]));
  const { notes = [], ...facts } = record;
  // What was noted while the limits were probed does not stand in exchanges.
  const keptNotes = notes.filter(
    (note) =>
      record.plans ||
      record.run.traffic ||
      [ofKey, ofJudgingAgain].some((beginning) => note.startsWith(beginning)),
  );
  return recordOf({
    facts: { ...facts, ...(keptNotes.length > 0 && { notes: keptNotes }) },
    exchanges,
    parts: { limits: limitsOfRecord(record, exchanges), description },
    tried(id) {
      const row = recorded.get(id);
      return row && isUnreached(row, record) ? undefined : { ended: recordedEnd(row ?? {}) };
    },
    counted: countedIn(record, exchanges),
    own,
    kept: { requirements: record.requirements.filter(({ id }) => leftOut?.has(id)) },
    waive: (row) => withWaiver(row, recorded.get(row.id), record),
  });
}

const waivable: ReadonlySet<string> = new Set(['fail', 'warn', 'inconclusive']);

/** A waiver is the word of whoever gave it. It covers what is not met, and up to its last day. */
function withWaiver(
  row: RequirementResult,
  own: RequirementResult | undefined,
  { run }: Pick<RunRecord, 'run'>,
): RequirementResult {
  const { waived } = own ?? {};
  const holds = waived && waivable.has(row.verdict) && waived.until >= run.finishedAt.slice(0, 10);
  return holds ? { ...row, waived } : row;
}

/** The day of a record counted again from the ledger; undefined if that can't be read. */
async function dayByLedger(
  plan: PlanName,
  day: CountedDay,
  directory: string,
): Promise<CountedDay | undefined> {
  const lines = await readDays(directory, plan).catch((error: unknown) => {
    if (error instanceof UnusableLedger) return [];
    throw error;
  });
  if (lines.length === 0) return undefined;
  const first = lines.find(({ sent = 0 }) => day.stretches.some(({ from }) => from === sent));
  const stretches = countedSince(lines, first?.sent ?? 0);
  // What the run sent before it counted stands before that.
  const before = day.stretches.slice(0, Math.max(0, day.stretches.length - stretches.length));
  return { ...day, stretches: [...before, ...stretches] };
}

async function describedAgain({ run }: RunRecord): Promise<JudgedDescription | undefined> {
  const { source, files } = run.options?.description ?? {};
  if (source === undefined || files === undefined) return undefined;
  // A compiler of schemas takes long to import.
  const [{ judgedDescription }, { loadRecordedDescription }] = await Promise.all([
    import('../description/judged-description.js'),
    import('../description/target-description.js'),
  ]);
  return judgedDescription(await loadRecordedDescription(source, files));
}
