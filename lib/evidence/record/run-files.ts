import { createHash } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode } from '../../explain/error-code.js';
import { UsageProblem } from '../../explain/usage-problem.js';
import { RunStopped } from '../../http/client/run-end.js';
import type { Exchange } from '../exchange.js';
import { exchangeSchema, type RecordedExchange } from '../recorded-exchange.js';
import type { RunRecord } from './record.js';
import { jsonOf, linesOf, readLines, recordText, withoutControls } from './regular-file.js';

export const ledgerFileName = 'ledger.jsonl';
const filesOfARun = ['exchanges.jsonl', ledgerFileName, 'report.json', 'manifest.json'] as const;
/** What reports are called: those of an earlier run say nothing of this one. */
export const reportFiles = ['report.html', 'junit.xml', 'summary.md'] as const;

/** What the service of `--start` prints, on and on after the run: it is not the run's to prove. */
export const serviceLog = 'service.log';

/** What a run writes, so that its manifest describes it. */
export const fileOfRun: ReadonlySet<string> = new Set([...filesOfARun, ...reportFiles]);

/** The output folder can't be used: said before anything is sent. */
export class OutputProblem extends UsageProblem {}

/** What a run has found can't be written when it ends: the disk is full, or the folder is gone. */
export class RecordLost extends Error {
  override readonly name = 'RecordLost';
  constructor(
    /** What would have been written. */
    readonly record: RunRecord,
    cause: unknown,
  ) {
    const message = cause instanceof OutputProblem ? cause.message : undefined;
    super(message ?? `the run's files can't be written (${errorCode(cause)})`, { cause });
  }
}

/**
 * Makes the folder and opens the files of a run, written as it goes on, so that a killed run keeps what it has. The
 * exchanges of two runs in one file would prove nothing: an earlier run is replaced.
 * @throws OutputProblem as `makeRunFolder` does, or if the files can't be written.
 */
export function openRunFiles(directory: string | undefined, overwrite?: boolean) {
  const nothing = (): void => undefined;
  if (directory === undefined) return { append: nothing, writeRecord: nothing, close: nothing };
  makeRunFolder(directory, overwrite);
  const report = join(directory, 'report.json');
  const evidence = writing(directory, () => {
    // In a folder without a run, a file with the name of a report is somebody else's.
    if (holdsRun(directory)) for (const name of fileOfRun) rmSync(join(directory, name), { force: true });
    return exchangeFile(join(directory, 'exchanges.jsonl'));
  });
  return {
    ...evidence,
    /**
     * Replaces `report.json` as a whole: a reader never sees half of one.
     * @throws OutputProblem if it cannot be written; the previous one stays.
     */
    writeRecord: (record: RunRecord): void =>
      writing(directory, () => {
        try {
          writeFileSync(`${report}.part`, recordText(record));
          renameSync(`${report}.part`, report);
        } finally {
          rmSync(`${report}.part`, { force: true });
        }
      }),
  };
}

/**
 * Writes the files of a run that sent nothing itself, the ledger in the folder that it was read from among them; nothing
 * without a folder. @throws OutputProblem
 */
export function writeRun(
  to: string | undefined,
  run: { record: RunRecord; exchanges: readonly Exchange[]; directory?: string },
  overwrite?: boolean,
): void {
  const files = openRunFiles(to, overwrite);
  try {
    for (const { line } of run.exchanges) files.append(line);
    const ledger = join(run.directory ?? '', ledgerFileName);
    if (run.directory !== undefined && to !== undefined && existsSync(ledger))
      copyFileSync(ledger, join(to, ledgerFileName));
    files.writeRecord(run.record);
  } finally {
    files.close();
  }
}

/**
 * Makes the folder for what is written there before the run begins.
 * @throws OutputProblem if it can't be made, holds a run that is not to be replaced, or a file of
 * somebody else with the name of one of a run's own, such as `manifest.json`.
 */
export function makeRunFolder(directory: string, overwrite = false): void {
  writing(directory, () => {
    makeFolder(directory);
    const isRun = holdsRun(directory);
    if (isRun && overwrite) return;
    // An empty file is nobody's: a run whose disk was full from the beginning leaves one behind.
    const taken = filesOfARun.find(
      (name) => (statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0) > 0,
    );
    if (taken === undefined) return;
    const problem = isRun
      ? 'a run: choose another folder, or add --overwrite to replace it'
      : `a ${taken} that does not belong to a run: choose another folder`;
    throw new OutputProblem(`the output folder ${directory} holds ${problem}`);
  });
}

/** Whether the record in a folder is what a run has written: it begins with its format. */
function holdsRun(directory: string): boolean {
  const path = join(directory, 'report.json');
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  return isFile && /^\s*\{\s*"format"\s*:\s*"petstore-conformance/.test(readFileSync(path, 'latin1'));
}

/**
 * The folder of a run without `--output`, with a number behind it if there is one: of two runs that begin in the same
 * second, each has its own. Made at once, so that no other run takes it.
 * @throws OutputProblem if it cannot be made.
 */
export function freeRunFolder(path: string, number = 1): string {
  const free = number === 1 ? path : `${path}-${number}`;
  return writing(free, () => makeFolder(free)) ? free : freeRunFolder(path, number + 1);
}

/** Makes a folder and those above it, and returns whether it is new. Node's own `recursive` never ends in `/proc`. */
function makeFolder(path: string): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return false;
  if (dirname(path) !== path) makeFolder(dirname(path));
  mkdirSync(path);
  return true;
}

function writing<Result>(directory: string, write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    if (error instanceof OutputProblem) throw error;
    const message = `the output folder ${directory} can't be written (${errorCode(error)})`;
    throw new OutputProblem(message, { cause: error });
  }
}

/** What the first line names in the place of a line before it. */
const noLineBefore = '0'.repeat(64);

/** What the next line names as `previous`: SHA-256 of a line without its line feed, in hexadecimal. */
function lineHash(line: string): string {
  return createHash('sha256').update(line).digest('hex');
}

/**
 * Makes `exchanges.jsonl`, a line an exchange, written at once: a killed run keeps what it saw. Each line names the hash of
 * the one before it, so that none can be changed, removed or put in between without changing all that follow.
 */
export function exchangeFile(path: string) {
  const descriptor = openSync(path, 'w');
  let previous = noLineBefore;
  return {
    /** @throws RunStopped if the disk is full. */
    append: (exchange: RecordedExchange): void => {
      const line = withoutControls(JSON.stringify({ ...exchange, previous }));
      try {
        writeFileSync(descriptor, `${line}\n`);
      } catch (error) {
        const message = `the evidence can no longer be written to ${path} (${errorCode(error)})`;
        throw new RunStopped(message, { cause: error });
      }
      previous = lineHash(line);
    },
    close: () => closeSync(descriptor),
  };
}

/** The exchanges of a run's folder, one at a time, as `readLines` reads them. @param whole the run got to its end */
export function readExchanges(directory: string, whole = false): Generator<RecordedExchange> {
  return readLines(join(directory, 'exchanges.jsonl'), exchangeSchema, whole);
}

/**
 * Follows the hashes of the lines of a file of evidence. A last line that was cut off, as a killed run leaves it, is passed
 * over; a file without hashes, as earlier versions wrote it, is not broken.
 * @returns The number of the first line that does not name the hash of the one before it. Throws as `bytesOf` does.
 */
export function brokenChain(path: string): number | undefined {
  let before = noLineBefore;
  let number = 0;
  for (const line of linesOf(path)) {
    number += 1;
    const named = /"previous":"([0-9a-f]{64})"\}$/.exec(line)?.[1];
    if (named === undefined && (number === 1 || jsonOf(line) === undefined)) return undefined;
    if (named !== before) return number;
    before = lineHash(line);
  }
  return undefined;
}
