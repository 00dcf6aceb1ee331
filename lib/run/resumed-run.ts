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
  /** What it sent, even if it was killed before its record could say so. */
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
  let sent = 0;
  try {
    const lines = await readDays(resume, plan.name);
    if (lines.length === 0)
      refuse(`no day of the plan ${plan.name} was counted in ${resume}: there is nothing to resume`);
    sent += lines.length;
    for await (const { id, purpose } of readExchanges(resume)) {
      exchanges = Math.max(exchanges, Number(id.slice(1)) || 0);
      if (purpose !== 'LIMIT-10') sent += 1;
    }
  } catch (error) {
    if (error instanceof UnreadableRun || error instanceof UnusableLedger) refuse(error.message, error);
    throw error;
  }
  // A record of a run that was killed is that of its beginning: what it sent since were listings, nearly all.
  const unsaid = Math.max(0, sent - record.requests.sent);
  const { listPets = 0, ...byOperation } = record.requests.byOperation;
  return {
    directory: resume,
    record,
    sent: {
      sent: record.requests.sent + unsaid,
      exchanges,
      byOperation: { ...byOperation, listPets: listPets + unsaid },
    },
  };
}
