import { isDeepStrictEqual } from 'node:util';
import { dirname, resolve } from 'node:path';
import type { RunRecord } from '../lib/evidence/record/record.js';
import { foldersOfRuns, readFinishedRun } from './finished-run.js';
import { isLoad } from './summary/load-summary.js';
import { unnamedTarget } from './summary/verdict-sentences.js';
import { compareRuns, type ChangeKind } from './compare.js';

/** Runs beside this one that are read, the latest ones: a folder may hold those of many targets. */
const mostRead = 20;

/**
 * The record with what changed since the last finished run of the same target with the same options whose folder is beside
 * this run's. Reports are made of the record alone, so that they stay the same when that folder is gone.
 */
export async function withPreviousRun(record: RunRecord, directory: string): Promise<RunRecord> {
  const before = await previousOf(record, resolve(directory));
  if (!before) return record;
  const { id, startedAt } = before.run;
  const wasTried = ({ requirements }: RunRecord, name: string): boolean =>
    requirements.some((row) => row.id === name && row.verdict !== 'not-tested');
  // What one of them did not try is no news.
  const changes = compareRuns(before, record).changes.filter(
    ({ name }) => wasTried(before, name) && wasTried(record, name),
  );
  const idsOf = (...kinds: readonly ChangeKind[]): string[] =>
    changes.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name);
  const otherwise = idsOf('newly failed', 'newly judged', 'no longer judged');
  return { ...record, previous: { id, startedAt, broke: idsOf('broke'), fixed: idsOf('fixed'), otherwise } };
}

/** The last run that tested the same target with the same options, earlier, and came to its end. */
async function previousOf(record: RunRecord, own: string): Promise<RunRecord | undefined> {
  const others = (await foldersOfRuns(dirname(own))).filter((folder) => folder !== own);
  // The one that was written last comes first.
  for (const folder of others.slice(0, mostRead)) {
    const { record: before } = (await readFinishedRun(folder).catch(() => undefined)) ?? {};
    if (!before?.run.complete || isLoad(before) || before.run.startedAt >= record.run.startedAt) continue;
    if (isDeepStrictEqual(testOf(before), testOf(record))) return before;
  }
  return undefined;
}

/** What was tested, and how. A target without a name is known by its address. */
function testOf({ target, run }: RunRecord): unknown[] {
  const { only = [], except = [], description } = run.options ?? {};
  return [
    target.name === unnamedTarget ? target.baseUrl : target.name,
    [target.plan, target.planGiven ?? true, target.readOnly],
    [run.profile, run.limits, run.strict ?? false],
    [only, except, description?.source],
  ];
}
