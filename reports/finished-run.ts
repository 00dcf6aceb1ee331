import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Exchange } from '../lib/evidence/exchange.js';
import type { RecordedExchange } from '../lib/evidence/recorded-exchange.js';
import { errorCode, UsageProblem } from '../lib/explain/usage-problem.js';
import { runRecordSchema } from '../lib/evidence/record/record.js';
import { parsedAs, readRegular, UnreadableRun } from '../lib/evidence/record/regular-file.js';
import type { RequirementResult } from '../lib/evidence/record/requirement-result.js';
import { readExchanges } from '../lib/evidence/record/run-files.js';
import { isRequirementId } from '../lib/specification/catalogue.js';
import { isLoad } from './summary/load-summary.js';

export const recordFile = 'report.json';

/** A run that has ended, however it ended: what its folder holds. */
export type FinishedRun = Awaited<ReturnType<typeof readFinishedRun>>;

/**
 * Reads a run's folder. The record is parsed at once, the exchanges only on demand.
 * @throws UnreadableRun if there is no such folder or no record in it that this version reads.
 */
export async function readFinishedRun(directory: string) {
  const file = join(directory, recordFile);
  const text = await readRegular(file).catch((error: unknown) => {
    if (error instanceof UnreadableRun) throw error;
    const why = `there is no ${recordFile} that can be read (${errorCode(error)})`;
    throw new UnreadableRun(`${directory} is not the folder of a run: ${why}`);
  });
  const record = parsedAs(text, runRecordSchema, `${file} is not a run record of this version`);
  // Only a run that was cut off leaves half a line.
  const whole = record.run.complete;
  return {
    directory,
    record,
    /** `report.json` as it stands in the folder. */
    text,
    /** Every exchange in the order of the file; none if there is no file. */
    exchanges: (): Exchange[] => Array.from(readExchanges(directory, whole), (line) => new Exchange(line)),
    /** The exchanges of these ids, in one pass over the file; an id that was not recorded is left out. */
    async exchangesById(ids: Iterable<string>) {
      const found = new Map<string, RecordedExchange>();
      const only = new Set(ids);
      for (const one of readExchanges(directory, whole)) if (only.has(one.id)) found.set(one.id, one);
      return found;
    },
  };
}

/** A run that has judged requirements. @throws UsageProblem for a load, UnreadableRun if there is no run. */
export async function readJudgedRun(directory: string): Promise<FinishedRun> {
  const run = await readFinishedRun(directory);
  if (isLoad(run.record)) throw new UsageProblem(`${directory} holds a load, which judges no requirement`);
  return run;
}

/** The folders in one that hold a record, the one whose record was written last at first. */
export async function foldersOfRuns(parent: string): Promise<string[]> {
  const names = await readdir(parent).catch(() => []);
  const folders = names.map(async (name) => {
    const directory = join(parent, name);
    const file = await stat(join(directory, recordFile)).catch(() => undefined);
    return file?.isFile() ? [{ directory, writtenAt: file.mtimeMs }] : [];
  });
  // Of two that were written at once the name decides, which begins with the time of the run.
  return (await Promise.all(folders))
    .flat()
    .toSorted((one, other) => other.writtenAt - one.writtenAt || (one.directory < other.directory ? 1 : -1))
    .map(({ directory }) => directory);
}

/** The first exchanges of a finding show it; others of an invariant are like them. */
const exchangesRead = 5;

/**
 * Requirements and those whose requests showed what these found, each once: a rule judges every request of a run, and tried
 * without the one that showed a fault it would pass though the fault is still there.
 */
export async function withRequestsBehind(
  { exchangesById }: Pick<FinishedRun, 'exchangesById'>,
  results: readonly RequirementResult[],
): Promise<string[]> {
  const findings = results.flatMap((result) => result.findings);
  const shown = await exchangesById(findings.flatMap(({ exchanges }) => exchanges.slice(0, exchangesRead)));
  const behind = Array.from(shown.values(), ({ purpose }) => purpose).filter(isRequirementId);
  return [...new Set([...results.map(({ id }) => id), ...behind])];
}
