import type { Exchange } from '../lib/http/exchange.js';
import type { RequirementResult, RunRecord, Verdict } from '../lib/record/record.js';
import { UnreadableRun, readFinishedRun, type FinishedRun } from './finished-run.js';
import { describeFile, readManifest, runFiles } from './manifest.js';

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
  /** Requirements judged again with the verdict that was recorded. */
  readonly confirmed: readonly string[];
  readonly differences: readonly Difference[];
  /** Requirements that the run itself had not judged; here with the verdict that the exchanges give. */
  readonly judgedNow: readonly { readonly id: string; readonly verdict: Verdict }[];
}

/** Proves a run's folder: no file was changed since its manifest, and its exchanges still give its verdicts. */
export async function verifyRun(directory: string, judge: JudgeAgain): Promise<Verification> {
  const checked = await checkFiles(directory);
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
  const nothing = { complete: false, exchanges: 0, confirmed: [], differences: [], judgedNow: [] };
  let run: FinishedRun;
  try {
    run = await readFinishedRun(directory);
  } catch (error) {
    if (!(error instanceof UnreadableRun)) throw error;
    return { ...nothing, unreadable: error.message };
  }
  let exchanges = 0;
  async function* counted(): AsyncGenerator<Exchange> {
    for await (const exchange of run.exchanges()) {
      exchanges += 1;
      yield exchange;
    }
  }
  try {
    const again = await judge(counted(), run.record);
    return {
      unreadable: undefined,
      complete: run.record.run.complete,
      exchanges,
      ...compare(run.record, again),
    };
  } catch (error) {
    if (!(error instanceof UnreadableRun)) throw error;
    return { ...nothing, exchanges, unreadable: error.message };
  }
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
  const { manifest, files, unreadable, differences, confirmed, complete } = verification;
  const contradicted =
    files.some(({ state }) => state === 'changed' || state === 'missing') || differences.length > 0;
  if (contradicted || (manifest !== 'absent' && manifest !== 'read')) return 1;
  if (unreadable !== undefined) return manifest === 'read' ? 1 : 3;
  const proved = manifest === 'read' && complete && confirmed.length > 0;
  return proved ? 0 : 3;
}
