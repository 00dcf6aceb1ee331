import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Exchange } from '../lib/evidence/exchange.js';
import type { RecordedExchange } from '../lib/evidence/recorded-exchange.js';
import { errorCode, UsageProblem } from '../lib/explain/usage-problem.js';
import { runRecordSchema, type RequirementResult } from '../lib/evidence/record/record.js';
import {
  bytesOf,
  parsedAs,
  readRegular,
  replaceFile,
  UnreadableRun,
} from '../lib/evidence/record/regular-file.js';
import { fileOfRun, readExchanges } from '../lib/evidence/record/run-files.js';
import { isRequirementId } from '../lib/specification/catalogue.js';
import { isLoad } from './summary/measurements.js';

export const recordFile = 'report.json';

export type FinishedRun = Awaited<ReturnType<typeof readFinishedRun>>;

/** Reads a run's folder: the record at once, the exchanges on demand. @throws UnreadableRun */
export async function readFinishedRun(directory: string) {
  const file = join(directory, recordFile);
  const text = await readRegular(file).catch((error: unknown) => {
    if (error instanceof UnreadableRun) throw error;
    const why = `there is no ${recordFile} that can be read (${errorCode(error)})`;
    throw new UnreadableRun(`${directory} is not the folder of a run: ${why}`);
  });
  const record = parsedAs(text, runRecordSchema, `${file} is not a run record of this version`);
  return {
    directory,
    record,
    /** `report.json` as it stands in the folder. */
    text,
    /** Every exchange in the order of the file; none if there is no file. */
    exchanges: (): Exchange[] => Array.from(readExchanges(directory), (line) => new Exchange(line)),
    /** The exchanges of these ids, in one pass over the file; an id that was not recorded is left out. */
    async exchangesById(ids: Iterable<string>) {
      const found = new Map<string, RecordedExchange>();
      const only = new Set(ids);
      for (const one of readExchanges(directory)) if (only.has(one.id)) found.set(one.id, one);
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
  const folders = names.map((name) => join(parent, name)).filter((one) => existsSync(join(one, recordFile)));
  const writtenAt = (folder: string): number => statSync(join(folder, recordFile)).mtimeMs;
  // Of two that were written at once the name decides, which begins with the time of the run.
  return folders
    .toSorted()
    .toReversed()
    .toSorted((one, other) => writtenAt(other) - writtenAt(one));
}

/** Requirements, and those whose requests showed what these found: tried alone they might pass though the fault is there. */
export async function withRequestsBehind(
  { exchangesById }: Pick<FinishedRun, 'exchangesById'>,
  results: readonly RequirementResult[],
): Promise<string[]> {
  const findings = results.flatMap((result) => result.findings);
  // The first exchanges of a finding show it; others of an invariant are like them.
  const shown = await exchangesById(findings.flatMap(({ exchanges }) => exchanges.slice(0, 5)));
  const behind = Array.from(shown.values(), ({ purpose }) => purpose).filter(isRequirementId);
  return [...new Set([...results.map(({ id }) => id), ...behind])];
}

const manifestFile = 'manifest.json';

/** The files of a run with what proves each: its name in the run's folder, its size, its SHA-256 in hexadecimal. */
const manifestSchema = z.object({
  format: z.literal('petstore-conformance-manifest/1'),
  files: z.array(
    z.strictObject({
      name: z.string().regex(/^\w[\w.-]*$/u, 'a name inside the folder'),
      bytes: z.int().nonnegative(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/u, 'a SHA-256 in hexadecimal'),
    }),
  ),
});

/** What proves a file. Throws as `bytesOf` does. */
export function describeFile(directory: string, name: string) {
  const bytes = bytesOf(join(directory, name));
  return { name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** The names of what is in a run's folder, sorted, beside the manifest itself and files that are still being written. */
export async function namesIn(directory: string): Promise<string[]> {
  const names = await readdir(directory);
  return names.filter((name) => name !== manifestFile && !name.endsWith('.part')).toSorted();
}

/** Describes every file that a finished run has written in `manifest.json`: its last file. Others are not the run's to prove. */
export async function writeManifest(directory: string) {
  const names = (await namesIn(directory)).filter((name) => fileOfRun.has(name));
  const files = names.map((name) => describeFile(directory, name));
  const manifest = { format: 'petstore-conformance-manifest/1', files };
  replaceFile(join(directory, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

/** SHA-256 of a run's manifest, in hexadecimal: it stands for every file of the run. Rejects as the file system does. */
export async function manifestDigest(directory: string): Promise<string> {
  return describeFile(directory, manifestFile).sha256;
}

/** The manifest of a run's folder; undefined if there is none, as after an interrupted run. @throws UnreadableRun */
export async function readManifest(directory: string) {
  const path = join(directory, manifestFile);
  if (!existsSync(path)) return undefined;
  return parsedAs(await readRegular(path), manifestSchema, `${path} is not a manifest`);
}
