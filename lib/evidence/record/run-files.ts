import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { evidenceFile, noEvidence, type Evidence } from '../evidence-file.js';
import type { RunRecord } from './record.js';
import { recordText } from './record-text.js';
import { errorCode } from '../../explain/error-code.js';

const filesOfARun = ['exchanges.jsonl', 'ledger.jsonl', 'report.json', 'manifest.json'] as const;
/** What reports are called: those of an earlier run say nothing of this one. */
export const reportFiles = ['report.html', 'junit.xml', 'summary.md'] as const;

/** What the service of `--start` prints, on and on after the run: it is not the run's to prove. */
export const serviceLog = 'service.log';

const fileOfRun = new Set<string>([...filesOfARun, ...reportFiles]);

/** Whether a run writes a file of this name, so that its manifest describes it. */
export function isFileOfRun(name: string): boolean {
  return fileOfRun.has(name);
}

/** The output folder can't be used: said before anything is sent. */
export class OutputProblem extends Error {
  override readonly name = 'OutputProblem';
}

/** What a run has found can't be written when it ends: the disk is full, or the folder is gone. */
export class RecordLost extends Error {
  override readonly name = 'RecordLost';
  constructor(
    /** What would have been written. */
    readonly record: RunRecord,
    cause: unknown,
  ) {
    super(
      cause instanceof OutputProblem ? cause.message : `the run's files can't be written (${whyOf(cause)})`,
      {
        cause,
      },
    );
  }
}

/** The files of a run, written as it goes on, so that a killed run keeps what it has. */
export interface RunFiles {
  readonly evidence: Evidence;
  /**
   * Replaces `report.json` as a whole: a reader never sees half of one.
   * @throws OutputProblem if it cannot be written; the previous one stays.
   */
  writeRecord(record: RunRecord): void;
}

/** What becomes of the run that a folder holds already. */
export interface EarlierRun {
  /** This one goes on with it. */
  readonly goOn?: boolean | undefined;
  /** It may be replaced. */
  readonly overwrite?: boolean | undefined;
}

/**
 * Makes the folder and opens the files. The exchanges of two runs in one file would prove nothing: an earlier run is
 * replaced, or continued.
 * @throws OutputProblem as `makeRunFolder` does, or if the files can't be written.
 */
export function openRunFiles(directory: string | undefined, earlier: EarlierRun = {}): RunFiles {
  if (directory === undefined) return { evidence: noEvidence, writeRecord: () => undefined };
  makeRunFolder(directory, earlier);
  return writing(directory, () => {
    if (earlier.goOn !== true) removeEarlierRun(directory);
    const evidence = evidenceFile(join(directory, 'exchanges.jsonl'));
    const report = join(directory, 'report.json');
    const writeRecord = (record: RunRecord): void => {
      try {
        writeFileSync(`${report}.part`, recordText(record));
        renameSync(`${report}.part`, report);
      } finally {
        rmSync(`${report}.part`, { force: true });
      }
    };
    return { evidence, writeRecord: (record) => writing(directory, () => writeRecord(record)) };
  });
}

/** Milliseconds after which the lock of a process that was killed is free, and between its signs of life. */
const lockTimes = { stale: 5_000, update: 1_000 };

/**
 * Does something while no other run writes to the folder, which is made if missing. The lock of a killed process is free
 * after some seconds, which are waited for.
 * @param attempts How often a lock is asked for again, once a second.
 * @throws OutputProblem if another run uses the folder, or it can't be written.
 */
export async function withRunFolder<Result>(
  directory: string | undefined,
  use: () => Promise<Result>,
  attempts = lockTimes.stale / lockTimes.update + 1,
): Promise<Result> {
  if (directory === undefined) return use();
  let release;
  try {
    makeFolder(directory);
    const { default: lockfile } = await import('proper-lockfile');
    release = await lockfile.lock(directory, {
      ...lockTimes,
      lockfilePath: join(directory, 'run.lock'),
      retries: { retries: attempts, factor: 1, minTimeout: lockTimes.update },
      // A process that was suspended lost its lock: what it writes then is its own, or its folder was given away.
      onCompromised: () => undefined,
    });
  } catch (error) {
    if (errorCode(error) !== 'ELOCKED') throw problemWith(directory, error);
    throw new OutputProblem(`the output folder ${directory} is in use by another run: choose another folder`);
  }
  try {
    return await use();
  } finally {
    // The folder may be gone, or the lock lost.
    await release().catch(() => undefined);
  }
}

/**
 * The folder of a run without `--output`, with a number behind it if there is one: of two runs that begin in the same
 * second, each has its own. Made at once, so that no other run takes it.
 * @throws OutputProblem if it cannot be made.
 */
export function freeRunFolder(path: string): string {
  return writing(path, () => {
    makeFolder(dirname(path));
    for (let number = 1; ; number += 1) {
      const free = number === 1 ? path : `${path}-${number}`;
      try {
        mkdirSync(free);
        return free;
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error;
      }
    }
  });
}

function writing<Result>(directory: string, write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    throw problemWith(directory, error);
  }
}

function problemWith(directory: string, error: unknown): OutputProblem {
  if (error instanceof OutputProblem) return error;
  return new OutputProblem(`the output folder ${directory} can't be written (${whyOf(error)})`, {
    cause: error,
  });
}

/** `ENOSPC` says more than a sentence with a path and a call in it. */
function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  return 'code' in error ? String(error.code) : error.message;
}

/**
 * Makes the folder for what is written there before the run begins. Reports are only written into the folder of a run: in
 * any other folder, files of such names are somebody else's.
 * @throws OutputProblem if it can't be made, holds a run that is neither to be replaced nor continued, or a file of another
 * kind with the name of one of a run's own, such as `manifest.json`.
 */
export function makeRunFolder(directory: string, { goOn = false, overwrite = false }: EarlierRun): void {
  writing(directory, () => makeFolder(directory));
  if (goOn) return;
  const wasARun = writing(directory, () => isOfARun(join(directory, 'report.json')));
  if (wasARun && !overwrite)
    throw new OutputProblem(
      `the output folder ${directory} holds a run: choose another folder, or add --overwrite to replace it`,
    );
  for (const name of filesOfARun) {
    const path = join(directory, name);
    // A run whose disk was full from the beginning leaves empty lines behind.
    const isOwn = name.endsWith('.jsonl') ? () => wasARun || statSync(path).size === 0 : () => isOfARun(path);
    if (existsSync(path) && !writing(directory, isOwn))
      throw new OutputProblem(
        `the output folder ${directory} holds a ${name} that does not belong to a run: choose another folder`,
      );
  }
}

function removeEarlierRun(directory: string): void {
  const reports = isOfARun(join(directory, 'report.json')) ? reportFiles : [];
  for (const name of [...filesOfARun, ...reports]) rmSync(join(directory, name), { force: true });
}

/** Whether a record or a manifest is what a run has written: it begins with its format. */
function isOfARun(path: string): boolean {
  if (!existsSync(path)) return false;
  return /^\s*\{\s*"format"\s*:\s*"petstore-conformance/.test(readFileSync(path, 'latin1').slice(0, 100));
}

/**
 * Makes a folder and those above it that are missing. One after the other: Node's own `recursive` never ends if
 * a file system takes no new folder and says that there is none (ENOENT), as `/proc` does.
 * @throws as `mkdirSync` does; ENOTDIR if a file is in the way.
 */
export function makeFolder(path: string): void {
  const isThere = (): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isThere()) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have been quicker.
    if (!isThere()) throw error;
  }
}
