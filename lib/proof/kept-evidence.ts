import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Exchange } from '../evidence/exchange.js';
import { runRecordSchema, type RunRecord } from '../evidence/record/record.js';
import { readExchanges } from '../evidence/record/run-files.js';
import type { Profile } from '../verdict/profile.js';
import { judgeAgain } from '../run/judge-again.js';
import type { ProofCase } from './proof-case.js';

/**
 * The record of a case whose evidence is kept: if the folder holds a run of the case, the rules judge that one again, and
 * nothing is sent. Otherwise the case is run into the folder.
 */
export async function runOrJudgeAgain(
  { name, run }: Pick<ProofCase, 'name' | 'run'>,
  profile: Profile,
  folder: string,
): Promise<RunRecord> {
  const directory = join(folder, name);
  const file = join(directory, 'report.json');
  if (!existsSync(file)) return run(profile, directory);
  const record = runRecordSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const exchanges = Array.from(readExchanges(directory), (line) => new Exchange(line));
  return (await judgeAgain({ record, exchanges, directory })).record;
}
