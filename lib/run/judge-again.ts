import type { JudgedDescription } from '../description/judged-description.js';
import { Evidence } from '../evidence/evidence.js';
import type { Exchange } from '../evidence/exchange.js';
import { factsOf } from '../evidence/facts.js';
import { Pets } from '../evidence/pets.js';
import { UsageProblem } from '../explain/usage-problem.js';
import { ClockDifference } from '../http/clock/clock-difference.js';
import { countedSince, readDays } from '../limits/day/day-count.js';
import { limitsOfRecord } from '../limits/limits-of-run.js';
import { UnusableLedger } from '../load/ledger-file.js';
import type { RunRecord } from '../evidence/record/record.js';
import type { RequirementResult } from '../evidence/record/requirement-result.js';
import { classOf, requirementIds, type RequirementId } from '../specification/catalogue.js';
import { recordedEnd } from '../verdict/judgement.js';
import { recordOf, rowJudge, type RunFacts } from './judge-rows.js';
import { loadRules } from './own-rules.js';

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

/**
 * Judges a run by its evidence: the rules are asked again, and nothing is sent.
 * @param rules the file of the user's own requirements: what a record names is not run
 * @throws UsageProblem for another file than that of the run
 */
export async function judgeAgain(
  { record, exchanges, directory }: RecordedRun,
  rules?: string,
): Promise<JudgedAgain> {
  const leftOut = new Map<string, string>();
  const hasJudged = record.requirements.some(({ verdict }) => verdict !== 'not-tested');
  // A load has no class, and judges nothing.
  if (record.classes.length === 0 && !hasJudged) return { record, leftOut };
  const leaveOut = (ids: readonly string[], why: string): void => {
    for (const id of ids) leftOut.set(id, why);
  };
  const description = await describedAgain(record);
  if (!description)
    leaveOut(
      requirementIds.filter((id) => classOf(id) === 'description'),
      'the interface description is not recorded',
    );
  const own = record.requirements.flatMap((row) => (row.own ? row.id : []));
  const { sha256, strict = false } = record.run.options?.rules ?? {};
  if (rules === undefined) leaveOut(own, 'the file of its rule was not given (--rules=FILE)');
  else if ((await loadRules(rules, strict)).sha256 !== sha256)
    throw new UsageProblem(`--rules: ${rules} is not the file that the run was judged by`);
  const [plan] = record.plans ?? [];
  if (!plan?.day) return { record: judgedRecord(record, exchanges, { description, leftOut }), leftOut };
  // A day is counted again from the ledger.
  const lines = await readDays(directory, plan.plan).catch((error: unknown) => {
    if (error instanceof UnusableLedger) return [];
    throw error;
  });
  if (lines.length === 0) leaveOut(['LIMIT-10'], 'the ledger, by which it is judged, can not be read');
  const stretches =
    lines.length === 0 ? plan.day.stretches : countedSince(lines, plan.day.stretches[0]?.from ?? 0);
  const counted = { ...record, plans: [{ ...plan, day: { ...plan.day, stretches } }] };
  return { record: judgedRecord(counted, exchanges, { description, leftOut }), leftOut };
}

/** The record that follows from exchanges, and from what a record tells beside them. */
export function judgedRecord(
  record: RunFacts & Pick<RunRecord, 'requirements'>,
  exchanges: readonly Exchange[],
  {
    description,
    leftOut,
  }: { readonly description?: JudgedDescription | undefined } & Partial<JudgedAgain> = {},
): RunRecord {
  const recorded = new Map(record.requirements.map((row) => [row.id, row]));
  const own = record.requirements.flatMap((row) => (row.own ? (row.id as RequirementId) : []));
  const ids = [...requirementIds, ...own];
  const parts = { limits: limitsOfRecord(record, exchanges), description };
  // Other notes than these are of probes of the limits, or on traffic: they stand in no exchange.
  const isKept = (note: string): boolean => note.startsWith('Judged by ');
  const mayHaveMore = (record.plans ?? record.run.traffic) !== undefined;
  const notes = record.notes?.filter((note) => mayHaveMore || isKept(note));
  const pets = new Pets(exchanges);
  const facts = {
    ...record,
    ...countedIn(record, exchanges, pets),
    notes: notes?.length ? notes : undefined,
  };
  const endOf = (id: RequirementId) => recordedEnd(recorded.get(id) ?? {});
  const judge = rowJudge(facts, new Evidence(exchanges, factsOf(facts), parts, pets), endOf);
  const rows = ids.map((id) => {
    const row = recorded.get(id);
    return row && leftOut?.has(id) ? row : withWaiver(judge(id), row, record);
  });
  return recordOf(facts, rows, parts);
}

const waivable: ReadonlySet<string> = new Set(['fail', 'warn', 'inconclusive']);

/** A waiver is the word of whoever gave it. It covers what is not met, and up to its last day. */
function withWaiver(
  row: RequirementResult,
  { waived }: Pick<RequirementResult, 'waived'> = {},
  { run }: Pick<RunRecord, 'run'>,
): RequirementResult {
  const holds = waived && waivable.has(row.verdict) && waived.until >= run.finishedAt.slice(0, 10);
  return holds ? { ...row, waived } : row;
}

/** Counts the exchanges of a recorded run. How long it waited, and why it sent again, stands in its record alone. */
function countedIn(
  { run, target, plans: [plan] = [], requests: { waitedMs, repeated } }: RunFacts,
  exchanges: readonly Exchange[],
  pets: Pets,
): Pick<RunRecord, 'requests' | 'leftovers' | 'target'> {
  const marker = exchanges.flatMap(({ request: { body } }) => /"(pc\w+) /.exec(body ?? '')?.[1] ?? [])[0];
  const clock = new ClockDifference();
  const byOperation = { listPets: 0, createPet: 0, getPet: 0, unlisted: 0 };
  for (const exchange of exchanges) {
    clock.see(exchange);
    byOperation[exchange.operation ?? 'unlisted'] += 1;
  }
  // A day's requests are recorded in part.
  const ofDay = exchanges.filter(({ purpose }) => purpose === 'LIMIT-10').length;
  const unrecorded = Math.max(0, (plan?.day?.sent ?? 0) - ofDay);
  byOperation.listPets += unrecorded;
  const { unlisted, ...listed } = byOperation;
  const again = exchanges.flatMap(({ repeats }) => repeats ?? []);
  // What was under way when a run was interrupted is not told as sent again.
  const isSame = repeated?.length === again.length || !run.complete;
  return {
    target: { ...target, clockDifferenceMs: clock.milliseconds },
    leftovers: run.traffic ? [] : pets.leftovers(marker),
    requests: {
      sent: exchanges.length + unrecorded,
      byOperation: unlisted > 0 ? byOperation : listed,
      waitedMs,
      repeated: isSame ? (repeated ?? []) : again.map((exchange) => ({ exchange, reason: 'repeated' })),
    },
  };
}

async function describedAgain({ run }: RunRecord): Promise<JudgedDescription | undefined> {
  const { source, files } = run.options?.description ?? {};
  if (source === undefined || files === undefined) return undefined;
  // A compiler of schemas takes long to import.
  const { judgedDescription } = await import('../description/judged-description.js');
  return judgedDescription(source, files[0]);
}
