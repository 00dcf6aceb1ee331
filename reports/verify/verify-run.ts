import type { Exchange } from '../../lib/http/exchange/exchange.js';
import type { RequirementResult, RunRecord, Verdict } from '../../lib/record/record.js';
import { UnreadableRun, readFinishedRun, type FinishedRun } from '../finished-run.js';
import { describeFile, readManifest, runFiles } from '../manifest.js';
import { classResult, runVerdict } from '../../lib/verdict/class-verdict.js';

/**
 * Judges recorded exchanges again, offline: the rows of all requirements that are judged on every exchange (∀). It must
 * read the exchanges to their end.
 */
export type JudgeAgain = (
  exchanges: AsyncIterable<Exchange>,
  record: RunRecord,
) => Promise<RequirementResult[]>;

/** A requirement whose verdict is another when its exchanges are judged again. */
interface Difference {
  readonly id: string;
  readonly recorded: Verdict;
  readonly again: Verdict;
  /** Why the new verdict is what it is: its reason or its first finding. */
  readonly because: string | undefined;
}

export interface Verification {
  readonly directory: string;
  /** Absent: there is no manifest, as after a run that was cut off. A line: why it cannot be read. */
  readonly manifest: 'read' | 'absent' | { readonly unreadable: string };
  readonly files: readonly {
    readonly name: string;
    readonly state: 'unchanged' | 'changed' | 'missing' | 'added';
  }[];
  /** Why record or exchanges cannot be read, in one line. */
  readonly unreadable: string | undefined;
  /** False where the run was interrupted or lost its target. */
  readonly complete: boolean;
  /** Exchanges that were judged again. */
  readonly exchanges: number;
  /** Exchanges that a finished run had recorded and that are there no more. */
  readonly lost: Lost | undefined;
  /** Verdicts of the record that do not follow from its own rows. */
  readonly contradictions: readonly string[];
  /** Requirements judged again with the verdict that was recorded. */
  readonly confirmed: readonly string[];
  readonly differences: readonly Difference[];
  /** Requirements that the run itself had not judged; here with the verdict that the exchanges give. */
  readonly judgedNow: readonly { readonly id: string; readonly verdict: Verdict }[];
}

interface Lost {
  readonly count: number;
  /** The first of them by id. */
  readonly ids: readonly string[];
}

/**
 * Proves a run's folder: no file was changed since its manifest, and its exchanges still give its verdicts.
 * @throws UnreadableRun where there is neither a manifest nor a record that can be read: that is no run's folder.
 */
export async function verifyRun(directory: string, judge: JudgeAgain): Promise<Verification> {
  const checked = await checkFiles(directory);
  if (checked.manifest === 'absent') await readFinishedRun(directory);
  const rejudged = await rejudge(directory, judge);
  return { directory, ...checked, ...rejudged };
}

async function checkFiles(directory: string): Promise<Pick<Verification, 'manifest' | 'files'>> {
  let manifest;
  try {
    manifest = await readManifest(directory);
  } catch (error) {
    return { manifest: { unreadable: messageOf(error) }, files: [] };
  }
  if (!manifest) return { manifest: 'absent', files: [] };
  const files: Verification['files'][number][] = [];
  for (const { name, bytes, sha256 } of manifest.files) {
    const now = await describeFile(directory, name).catch(() => undefined);
    const same = now?.bytes === bytes && now.sha256 === sha256;
    files.push({ name, state: now ? (same ? 'unchanged' : 'changed') : 'missing' });
  }
  const listed = new Set(manifest.files.map(({ name }) => name));
  const added = (await runFiles(directory)).filter((name) => !listed.has(name));
  return { manifest: 'read', files: [...files, ...added.map((name) => ({ name, state: 'added' as const }))] };
}

type Rejudged = Omit<Verification, 'directory' | 'manifest' | 'files'>;

async function rejudge(directory: string, judge: JudgeAgain): Promise<Rejudged> {
  const nothing = {
    complete: false,
    exchanges: 0,
    lost: undefined,
    contradictions: [],
    confirmed: [],
    differences: [],
    judgedNow: [],
  };
  let run: FinishedRun;
  try {
    run = await readFinishedRun(directory);
  } catch (error) {
    if (!(error instanceof UnreadableRun)) throw error;
    return { ...nothing, unreadable: error.message };
  }
  let exchanges = 0;
  const numbers = new Set<number>();
  async function* counted(): AsyncGenerator<Exchange> {
    for await (const exchange of run.exchanges()) {
      exchanges += 1;
      numbers.add(numberOf(exchange));
      yield exchange;
    }
  }
  try {
    const again = await judge(counted(), run.record);
    return {
      unreadable: undefined,
      complete: run.record.run.complete,
      exchanges,
      lost: lostOf(run.record, numbers),
      contradictions: contradictionsIn(run.record),
      ...compare(run.record, again),
    };
  } catch (error) {
    if (!(error instanceof UnreadableRun)) throw error;
    return { ...nothing, exchanges, unreadable: error.message };
  }
}

/** Exchanges are numbered as they are sent: `e1`, `e2`. */
function numberOf({ id }: Exchange): number {
  return Number(/^e(\d+)$/.exec(id)?.[1] ?? Number.NaN);
}

const mostNamed = 5;

/**
 * A finished run recorded every request that it sent, but a load, which keeps a sample, and a day that was taken up
 * again after its process was killed with requests under way.
 */
function lostOf({ run, load, requests }: RunRecord, numbers: ReadonlySet<number>): Lost | undefined {
  if (!run.complete || load || run.limits === 'day') return undefined;
  const ids: string[] = [];
  let count = 0;
  for (let number = 1; number <= requests.sent; number += 1) {
    if (numbers.has(number)) continue;
    count += 1;
    if (ids.length < mostNamed) ids.push(`e${number}`);
  }
  return count > 0 ? { count, ids } : undefined;
}

/** The verdicts of the classes and of the run follow from the rows: one that does not was written by another hand. */
function contradictionsIn({ run, classes, requirements, verdict, load }: RunRecord): string[] {
  const strictness = { strict: run.strict };
  const told = classes.flatMap(({ id, verdict: recorded }) => {
    const { verdict: due } = classResult(id, requirements, strictness);
    return recorded === due ? [] : [`${id} is recorded ${recorded}, and its rows give ${due}`];
  });
  const due = runVerdict(classes);
  if (load || classes.length === 0 || verdict === due) return told;
  return [...told, `the run is recorded ${verdict}, and its classes give ${due}`];
}

function compare(record: RunRecord, again: readonly RequirementResult[]) {
  const recorded = new Map(record.requirements.map((row) => [row.id, row.verdict]));
  const confirmed: string[] = [];
  const differences: Difference[] = [];
  const judgedNow: { id: string; verdict: Verdict }[] = [];
  for (const row of again) {
    const before = recorded.get(row.id);
    if (before === undefined || claimedNothing(before, row.verdict, record)) {
      judgedNow.push({ id: row.id, verdict: row.verdict });
    } else if (before === row.verdict) confirmed.push(row.id);
    else {
      const because = row.reason ?? row.findings[0]?.message;
      differences.push({ id: row.id, recorded: before, again: row.verdict, because });
    }
  }
  return { confirmed, differences, judgedNow };
}

/**
 * True where the run was more careful than its exchanges: it left the requirement out, or would not call it passed or,
 * having lost its target, failed.
 */
function claimedNothing(recorded: Verdict, again: Verdict, { run }: RunRecord): boolean {
  if (recorded === again) return false;
  return recorded === 'not-tested' || (recorded === 'inconclusive' && (again === 'pass' || !run.complete));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * The exit code of a verification. 1: something was changed, is missing or is judged otherwise. 3: nothing contradicts
 * the run, but it cannot be proved: no manifest, a run that was cut off, or nothing to judge again. 0: proved.
 */
export function verificationExitCode(verification: Verification): 0 | 1 | 3 {
  const { manifest, files, unreadable, differences, confirmed, judgedNow, complete } = verification;
  const contradicted =
    files.some(({ state }) => state === 'changed' || state === 'missing') ||
    differences.length > 0 ||
    verification.contradictions.length > 0 ||
    verification.lost !== undefined;
  if (contradicted || (manifest !== 'absent' && manifest !== 'read')) return 1;
  if (unreadable !== undefined) return manifest === 'read' ? 1 : 3;
  // A run that claimed nothing of what all exchanges show has nothing there to confirm.
  const proved = manifest === 'read' && complete && confirmed.length + judgedNow.length > 0;
  return proved ? 0 : 3;
}
