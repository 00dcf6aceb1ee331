import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { Exchange } from '../evidence/exchange.js';
import type { RunRecord } from '../evidence/record/record.js';
import { openRunFiles } from '../evidence/record/run-files.js';
import type { RecordedExchange } from '../evidence/recorded-exchange.js';
import { ledgerFileName } from '../load/ledger-file.js';
import { judgeAgain } from './judge-again.js';
import { suiteName, suiteVersion, thisSuite } from './suite-name.js';

/** Where the files of a run go that sent nothing itself. */
export interface JudgedFiles {
  /** The folder; no files are written without it. */
  readonly output?: string | undefined;
  /** A run that it holds already may be replaced. */
  readonly overwrite?: boolean | undefined;
}

export interface RunJob extends JudgedFiles {
  /** The folder of the run, and what it holds. */
  readonly directory: string;
  readonly record: RunRecord;
  readonly exchanges: () => Iterable<RecordedExchange>;
  /** The file of the user's own requirements. */
  readonly rules?: string | undefined;
}

/**
 * Judges a run that this or another version of the suite made by the rules of this one, and says so in the record.
 * @throws UsageProblem, OutputProblem
 */
export async function judgeRun(job: RunJob): Promise<RunRecord> {
  const { directory, record, output, rules } = job;
  const exchanges = Array.from(job.exchanges(), (line) => new Exchange(line));
  const { record: again } = await judgeAgain({ record, exchanges, directory }, rules);
  const judged = { ...again, suite: thisSuite, notes: [noteOn(record, again), ...(again.notes ?? [])] };
  writeRun(judged, exchanges, job);
  const ledger = join(directory, ledgerFileName);
  if (output !== undefined && existsSync(ledger)) copyFileSync(ledger, join(output, ledgerFileName));
  return judged;
}

/** Writes the files of a run that sent nothing itself; none if it has no folder. */
export function writeRun(
  record: RunRecord,
  exchanges: readonly Exchange[],
  { output, overwrite }: JudgedFiles,
): void {
  const files = openRunFiles(output, overwrite);
  try {
    for (const { line } of exchanges) files.append(line);
    files.writeRecord(record);
  } finally {
    files.close();
  }
}

/** By what it was judged now and then, and where that makes a difference. */
function noteOn({ run, suite, requirements }: RunRecord, again: RunRecord): string {
  const before = new Map(requirements.map(({ id, verdict }) => [id, verdict]));
  const otherwise = again.requirements.flatMap(({ id, verdict }) => {
    const then = before.get(id) ?? 'unknown';
    return then === verdict ? [] : [`${id} ${then} then, ${verdict} now`];
  });
  return `Judged by ${suiteName} ${suiteVersion} from the evidence of run ${run.id}, which ${suite.version} made: ${otherwise.join('; ') || 'each verdict is the same'}.`;
}
