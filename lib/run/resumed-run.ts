import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExchangeLogOptions } from '../evidence/exchange-log.js';
import { UsageProblem } from '../explain/usage-problem.js';
import { readDays } from '../limits/day/day-count.js';
import { UnusableLedger } from '../load/ledger-file.js';
import { runRecordSchema, type RunRecord } from '../evidence/record/record.js';
import { readExchanges, UnreadableRun } from '../evidence/record/read-exchanges.js';
import type { Settings } from './settings.js';

/** An interrupted run that this one resumes. */
export interface ResumedRun {
  readonly directory: string;
  readonly record: RunRecord;
  /** What it sent, by its evidence: its record does not know all if it was killed. */
  readonly sent: NonNullable<ExchangeLogOptions['goOnFrom']>;
}

/**
 * Reads the run that `--resume` names.
 * @throws UsageProblem if there is none, or it was of another target or plan.
 */
export async function readResumedRun({ resume, target }: Settings): Promise<ResumedRun | undefined> {
  if (resume === undefined) return undefined;
  const refuse = (problem: string, cause?: unknown): never => {
    throw new UsageProblem(`--resume: ${problem}`, { cause });
  };
  const path = join(resume, 'report.json');
  const record = await readFile(path, 'utf8')
    .then((text) => runRecordSchema.parse(JSON.parse(text)))
    .catch((error: unknown) => refuse(`${path} can't be read as a run's record`, error));
  const { baseUrl, plan } = target;
  const before = record.target;
  if (before.baseUrl !== baseUrl) refuse(`the run in ${resume} was of ${before.baseUrl}, not of ${baseUrl}`);
  if (before.perMinute !== plan.perMinute || before.perDay !== plan.perDay)
    refuse(
      `the day in ${resume} was counted for ${before.perMinute} requests a minute and ${before.perDay} a day, not for ${plan.perMinute} and ${plan.perDay}`,
    );
  let exchanges = 0;
  const byOperation: Record<string, number> = { listPets: 0 };
  const count = (name: string, requests = 1): void =>
    void (byOperation[name] = (byOperation[name] ?? 0) + requests);
  try {
    const lines = await readDays(resume, plan.name);
    if (lines.length === 0)
      refuse(`no day of the plan ${plan.name} was counted in ${resume}: there is nothing to resume`);
    count('listPets', lines.length);
    for await (const { id, purpose, operation } of readExchanges(resume)) {
      exchanges = Math.max(exchanges, Number(id.slice(1)) || 0);
      if (purpose !== 'LIMIT-10') count(operation ?? 'unlisted');
    }
  } catch (error) {
    if (error instanceof UnreadableRun || error instanceof UnusableLedger) refuse(error.message, error);
    throw error;
  }
  const sent = Object.values(byOperation).reduce((sum, one) => sum + one, 0);
  return { directory: resume, record, sent: { sent, exchanges, byOperation } };
}
