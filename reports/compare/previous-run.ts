import { dirname, resolve } from 'node:path';
import type { RunRecord } from '../../lib/record/record.js';
import { foldersOfRuns, readFinishedRun } from '../finished-run.js';
import { isLoad } from '../summary/load-summary.js';
import { unnamedTarget } from '../summary/verdict-sentences.js';
import { compareRuns } from './run-comparison.js';

/** Runs beside this one that are read, the latest ones: a folder may hold those of many targets. */
const mostRead = 5;

/**
 * The record with what came out otherwise than in the last finished run of the same target whose folder is beside this
 * run's. Reports are made of the record alone, so that they stay the same when that folder is gone.
 */
export async function withPreviousRun(record: RunRecord, directory: string): Promise<RunRecord> {
  if (isLoad(record)) return record;
  const before = await previousOf(record, directory);
  if (!before) return record;
  const { changes } = compareRuns(before, record);
  const wasChosen = changes.filter(({ before: was, after: is }) =>
    [was, is].every((result) => result !== undefined && result.verdict !== 'not-tested'),
  );
  const idsOf = (isOne: (kind: string) => boolean): string[] =>
    wasChosen.filter(({ kind }) => isOne(kind)).map(({ id }) => id);
  const { id, startedAt } = before.run;
  const previous = {
    id,
    startedAt,
    broke: idsOf((kind) => kind === 'broke'),
    fixed: idsOf((kind) => kind === 'fixed'),
    otherwise: idsOf((kind) => kind !== 'broke' && kind !== 'fixed'),
  };
  return { ...record, previous };
}

async function previousOf(record: RunRecord, directory: string): Promise<RunRecord | undefined> {
  const own = resolve(directory);
  const others = (await foldersOfRuns(dirname(own))).filter((folder) => folder !== own);
  // A folder that a run was not told to use is named after its target.
  const isNamed = (folder: string): number => Number(folder.endsWith(`-${record.target.name}`));
  const latest = others.toSorted((one, other) => isNamed(other) - isNamed(one));
  const finished = await Promise.all(
    latest.slice(0, mostRead).map(async (folder) => readFinishedRun(folder).catch(() => undefined)),
  );
  return finished
    .flatMap((one) => (one && isEarlier(one.record, record) ? [one.record] : []))
    .toSorted((one, other) => Date.parse(other.run.startedAt) - Date.parse(one.run.startedAt))
    .toSorted((one, other) => Number(isPartial(one)) - Number(isPartial(other)))[0];
}

/** A run of everything has more to compare with than one of some requirements. */
function isPartial({ run }: RunRecord): boolean {
  return (run.options?.only.length ?? 0) > 0;
}

/** Whether a run tested the same target, earlier, and came to its end. */
function isEarlier(before: RunRecord, { run, target }: RunRecord): boolean {
  const isSame =
    target.name === unnamedTarget
      ? before.target.baseUrl === target.baseUrl
      : before.target.name === target.name;
  return isSame && before.run.complete && !isLoad(before) && before.run.startedAt < run.startedAt;
}
