import type { JudgedDescription } from '../description/judged-description.js';
import { evidenceIn, factsOf } from '../evidence/evidence.js';
import type { Exchange } from '../evidence/exchange.js';
import { ExchangeLog } from '../evidence/exchange-log.js';
import { Pets } from '../evidence/pets.js';
import { UsageProblem } from '../explain/usage-problem.js';
import { countedSince, readDays } from '../limits/day.js';
import { limitsOfRecord } from '../limits/limits-of-run.js';
import type { RunRecord } from '../evidence/record/record.js';
import { requirementIds, type RequirementId } from '../specification/catalogue.js';
import { recordOf, rowJudge, type RunFacts } from './judge-rows.js';
import { loadRules } from './own-rules.js';
import { suiteName, suiteVersion, thisSuite } from './suite-name.js';

/** A run as its folder holds it. */
export interface RecordedRun {
  readonly record: RunRecord;
  /** In the order of the file. */
  readonly exchanges: readonly Exchange[];
  /** Its folder, which holds the ledger. */
  readonly directory: string;
}

type LeftOut = ReadonlyMap<string, string>;

/**
 * Judges a run by its evidence: the rules are asked again, and nothing is sent. `leftOut` has the requirements that can't be
 * judged from what the run left, with the reasons: their results are those of the run.
 * @param rules the file of the user's own requirements: what a record names is not run
 * @throws UsageProblem for another file than that of the run
 */
export async function judgeAgain(
  { record, exchanges, directory }: RecordedRun,
  rules?: string,
): Promise<{ record: RunRecord; leftOut: LeftOut }> {
  const leftOut = new Map<string, string>();
  // A load has no class, and judges nothing.
  const isLoad = record.requirements.every(({ verdict }) => verdict === 'not-tested');
  if (isLoad && record.classes.length === 0) return { record, leftOut };
  if (rules !== undefined && (await loadRules(rules)).sha256 !== record.run.options?.rules?.sha256)
    throw new UsageProblem(`--rules: ${rules} is not the file that the run was judged by`);
  const description = await describedAgain(record);
  // A day is counted again from the ledger.
  const [{ plan, day } = {}] = record.plans ?? [];
  const lines = plan && day ? await readDays(directory, plan).catch(() => []) : [];
  const plans = record.plans?.map((one) =>
    lines.length > 0 && day
      ? { ...one, day: { ...day, ...countedSince(lines, day.stretches[0]?.from ?? 0, one.perDay) } }
      : one,
  );
  if (rules === undefined)
    for (const id of ownIn(record)) leftOut.set(id, 'the file of its rule was not given (--rules=FILE)');
  if (day && lines.length === 0)
    leftOut.set('LIMIT-10', 'the ledger, by which it is judged, can not be read');
  return { record: judgedRecord({ ...record, plans }, exchanges, leftOut, description), leftOut };
}

/** Judges a run that this or another version of the suite made by the rules of this one, and says so in the record. */
export async function judgeRun(run: RecordedRun, rules?: string): Promise<RecordedRun> {
  const { suite, requirements, run: recorded } = run.record;
  const { record } = await judgeAgain(run, rules);
  const before = new Map(requirements.map(({ id, verdict }) => [id, verdict]));
  const otherwise = record.requirements.flatMap(({ id, verdict }) => {
    const then = before.get(id) ?? 'unknown';
    return then === verdict ? [] : [`${id} ${then} then, ${verdict} now`];
  });
  const note = `Judged by ${suiteName} ${suiteVersion} from the evidence of run ${recorded.id}, which ${suite.version} made: ${otherwise.join('; ') || 'each verdict is the same'}.`;
  return { ...run, record: { ...record, suite: thisSuite, notes: [note, ...(record.notes ?? [])] } };
}

function ownIn({ requirements }: Pick<RunRecord, 'requirements'>): RequirementId[] {
  return requirements.flatMap((row) => (row.own ? (row.id as RequirementId) : []));
}

const notMet: ReadonlySet<string> = new Set(['fail', 'warn', 'inconclusive']);

/** The record that follows from exchanges, and from what a record tells beside them. */
export function judgedRecord(
  record: RunFacts & Pick<RunRecord, 'requirements'>,
  exchanges: readonly Exchange[],
  leftOut: LeftOut = new Map(),
  description?: JudgedDescription,
): RunRecord {
  const recorded = new Map(record.requirements.map((row) => [row.id, row]));
  const parts = { limits: limitsOfRecord(record, exchanges), description };
  // Other notes than these are of probes of the limits, or on traffic: they stand in no exchange.
  const isKept = (note: string): boolean => note.startsWith('Judged by ');
  const mayHaveMore = (record.plans ?? record.run.traffic) !== undefined;
  const notes = record.notes?.filter((note) => mayHaveMore || isKept(note));
  const pets = new Pets(exchanges);
  const counted = countedIn(record, exchanges, pets);
  const facts = { ...record, ...counted, notes: notes?.length ? notes : undefined };
  const evidence = evidenceIn(exchanges, factsOf(facts), parts, pets);
  const judge = rowJudge(facts, evidence, (id) => recorded.get(id)?.ended);
  const rows = [...requirementIds, ...ownIn(record)].map((id) => {
    const before = recorded.get(id);
    if (before && leftOut.has(id)) return before;
    const row = judge(id);
    const { waived } = before ?? {};
    // A waiver is the word of whoever gave it. It covers what is not met, and up to its last day.
    const isWaived = waived && notMet.has(row.verdict) && waived.until >= record.run.finishedAt.slice(0, 10);
    return isWaived ? { ...row, waived } : row;
  });
  return recordOf(facts, rows, parts);
}

/** Counts the exchanges of a recorded run. How long it waited, and why it sent again, stands in its record alone. */
function countedIn(
  { run, target, plans: [plan] = [], requests: { waitedMs, repeated = [] } }: RunFacts,
  exchanges: readonly Exchange[],
  pets: Pets,
): Pick<RunRecord, 'requests' | 'leftovers' | 'target'> {
  const marker = exchanges.flatMap(({ request: { body } }) => /"(pc\w+) /.exec(body ?? '')?.[1] ?? [])[0];
  const log = new ExchangeLog(() => undefined);
  for (const one of exchanges) log.keep(one);
  // A day's requests are recorded in part.
  const ofDay = exchanges.filter(({ purpose }) => purpose === 'LIMIT-10').length;
  log.countUnrecorded('listPets', Math.max(0, (plan?.day?.sent ?? 0) - ofDay));
  const again = exchanges.flatMap(({ repeats }) => repeats ?? []);
  // What was under way when a run was interrupted is not told as sent again.
  const isSame = repeated.length === again.length || !run.complete;
  return {
    target: { ...target, clockDifferenceMs: log.clockDifference.milliseconds },
    leftovers: run.traffic ? [] : pets.leftovers(marker),
    requests: {
      sent: exchanges.length + log.sent,
      byOperation: log.byOperation,
      waitedMs,
      repeated: isSame ? repeated : again.map((exchange) => ({ exchange, reason: 'repeated' })),
    },
  };
}

async function describedAgain({ run }: RunRecord): Promise<JudgedDescription | undefined> {
  const { description } = run.options ?? {};
  if (!description) return undefined;
  // A compiler of schemas takes long to import.
  const { judgedDescription } = await import('../description/judged-description.js');
  return judgedDescription(description.source, description.files?.[0]);
}
