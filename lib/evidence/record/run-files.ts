import { createHash } from 'node:crypto';
import { closeSync, copyFileSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode, UsageProblem } from '../../explain/usage-problem.js';
import { RunStopped } from '../../http/client/run-end.js';
import type { Exchange } from '../exchange.js';
import { exchangeSchema, type RecordedExchange } from '../recorded-exchange.js';
import type { RunRecord } from './record.js';
import { bytesOf, linesOf, readLines, recordText, replaceFile, withoutControls } from './regular-file.js';

const evidenceFile = 'exchanges.jsonl';
export const ledgerFileName = 'ledger.jsonl';
const filesOfARun = [evidenceFile, ledgerFileName, 'report.json', 'manifest.json'] as const;
/** What reports are called: those of an earlier run say nothing of this one. */
export const reportFiles = ['report.html', 'junit.xml', 'summary.md'] as const;
/** What a run writes, so that its manifest describes it. */
export const fileOfRun: ReadonlySet<string> = new Set([...filesOfARun, ...reportFiles]);
/** What the service of `--start` prints, on and on after the run: it is not the run's to prove. */
export const serviceLog = 'service.log';

/** The output folder can't be used: said before anything is sent. */
export class OutputProblem extends UsageProblem {}

/** What a run has found can't be written when it ends: the disk is full, or the folder is gone. */
export class RecordLost extends Error {
  override readonly name = 'RecordLost';
  constructor(
    readonly record: RunRecord,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/**
 * Opens the files of a run, which are written as it goes on, in the place of an earlier one: the exchanges of two in one
 * file would prove nothing. Without a folder nothing is written. @throws OutputProblem
 */
export function openRunFiles(directory: string | undefined, overwrite?: boolean) {
  const nothing = (): void => undefined;
  if (directory === undefined) return { append: nothing, writeRecord: nothing, close: nothing };
  makeRunFolder(directory, overwrite);
  return writing(directory, () => {
    // In a folder without a run, a file with the name of a report is somebody else's.
    if (holdsRun(directory)) for (const name of fileOfRun) rmSync(join(directory, name), { force: true });
    return {
      ...exchangeFile(join(directory, evidenceFile)),
      /** @throws OutputProblem if it can't be written; the previous one stays. */
      writeRecord: (record: RunRecord): void =>
        writing(directory, () => replaceFile(join(directory, 'report.json'), recordText(record))),
    };
  });
}

/** Writes the files of a run that sent nothing itself, with the ledger of the folder that it was read from. @throws OutputProblem */
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

/** @throws OutputProblem if the folder can't be made, or holds a run that is not to be replaced, or a file like one of a run's. */
export function makeRunFolder(directory: string, overwrite = false): void {
  writing(directory, () => {
    makeFolder(directory);
    const isRun = holdsRun(directory);
    if (isRun && overwrite) return;
    const taken = filesOfARun.find((name) => existsSync(join(directory, name)));
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
  return (
    existsSync(path) && /^\s*\{\s*"format"\s*:\s*"petstore-conformance/.test(bytesOf(path).toString('latin1'))
  );
}

/** Makes a folder that is new, with a number behind its name if there is one: two runs may begin in the same second. */
export function freeRunFolder(path: string, number = 1): string {
  const free = number === 1 ? path : `${path}-${number}`;
  return writing(free, () => makeFolder(free)) ? free : freeRunFolder(path, number + 1);
}

/** Makes a folder and those above it, and returns whether it is new. Node's own `recursive` never ends in `/proc`. */
function makeFolder(path: string): boolean {
  if (existsSync(path)) return false;
  // A working directory that is gone is its own parent.
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

/** What the next line names as `previous`. */
function lineHash(line: string): string {
  return createHash('sha256').update(line).digest('hex');
}

/**
 * Writes an exchange to a line, at once: a killed run keeps what it saw. Each line names the hash of the one before it, so
 * that none can be changed, removed or put in between without changing all that follow. `append` throws RunStopped.
 */
export function exchangeFile(path: string) {
  const descriptor = openSync(path, 'w');
  let previous = noLineBefore;
  return {
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

/** The exchanges of a run's folder, as `readLines` reads them. */
export function readExchanges(directory: string): Generator<RecordedExchange> {
  return readLines(join(directory, evidenceFile), exchangeSchema);
}

/** The number of the first line that does not name the hash of the one before it. Throws as `bytesOf` does. */
export function brokenChain(path: string): number | undefined {
  let before = noLineBefore;
  let number = 0;
  for (const line of linesOf(path)) {
    number += 1;
    const named = /"previous":"([0-9a-f]{64})"\}$/.exec(line)?.[1];
    // Earlier versions wrote no hashes.
    if (named === undefined && number === 1) return undefined;
    if (named !== before) return number;
    before = lineHash(line);
  }
  return undefined;
}
