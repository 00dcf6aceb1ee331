import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { evidenceFile, noEvidence, type Evidence } from '../http/evidence.js';
import type { RunRecord } from './record.js';
import { recordText } from './record-text.js';

const filesOfARun = ['exchanges.jsonl', 'report.json', 'manifest.json'] as const;
/** What reports are called: those of an earlier run say nothing of this one. */
export const reportFiles = ['report.html', 'junit.xml', 'summary.md', 'har.json', 'earl.jsonld'] as const;

/** The output folder can't be used: said before anything is sent. */
export class OutputProblem extends Error {
  override readonly name = 'OutputProblem';
}

/** The files of a run, written as it goes on, so that a killed run keeps what it has. */
export interface RunFiles {
  readonly evidence: Evidence;
  /** Replaces `report.json` as a whole: a reader never sees half of one. */
  writeRecord(record: RunRecord): void;
}

/**
 * Makes the folder and opens the files. What an earlier run left in the same folder is replaced, unless this one goes on
 * with it: the exchanges of two runs in one file would prove nothing.
 * @throws OutputProblem where the folder can't be made or written to.
 */
export function openRunFiles(
  directory: string | undefined,
  { goOn = false }: { goOn?: boolean } = {},
): RunFiles {
  if (directory === undefined) return { evidence: noEvidence, writeRecord: () => undefined };
  const report = join(directory, 'report.json');
  try {
    mkdirSync(directory, { recursive: true });
    if (!goOn) removeEarlierRun(directory);
    const evidence = evidenceFile(join(directory, 'exchanges.jsonl'));
    return {
      evidence,
      writeRecord(record) {
        writeFileSync(`${report}.part`, recordText(record));
        renameSync(`${report}.part`, report);
      },
    };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new OutputProblem(`the output folder ${directory} can't be written (${code})`, { cause: error });
  }
}

/** Reports go only where there was a run: in any other folder, files of such names are somebody else's. */
function removeEarlierRun(directory: string): void {
  const ofARun = existsSync(join(directory, 'report.json')) ? [...filesOfARun, ...reportFiles] : filesOfARun;
  for (const name of ofARun) rmSync(join(directory, name), { force: true });
}
