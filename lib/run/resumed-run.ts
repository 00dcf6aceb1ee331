import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageProblem } from '../explain/usage-problem.js';
import { readDays } from '../limits/day/day-count.js';
import { UnusableLedger } from '../load/ledger-file.js';
import type { Plan } from '../specification/plan.js';
import { runRecordSchema, type RunRecord } from '../evidence/record/record.js';
import { readExchanges, UnreadableRun } from '../evidence/record/read-exchanges.js';
import type { Settings } from './settings.js';

/** An interrupted run that this one resumes. */
export interface ResumedRun {
  readonly directory: string;
  readonly record: RunRecord;
  /** The number of its last exchange. */
  readonly exchanges: number;
  /** What it sent, even if it was killed before its record could say so. */
  readonly requests: Pick<RunRecord['requests'], 'sent' | 'byOperation'>;
}

/**
 * Reads the run that `--resume` names.
 * @throws UsageProblem if there is none, or it was of another target.
 */
export async function readResumedRun({ resume, target }: Settings): Promise<ResumedRun | undefined> {
  if (resume === undefined) return undefined;
  const record = await readRecord(join(resume, 'report.json'));
  if (record.target.baseUrl !== target.baseUrl) {
    throw new UsageProblem(
      `--resume: the run in ${resume} was of ${record.target.baseUrl}, not of ${target.baseUrl}`,
    );
  }
  let exchanges = 0;
  let others = 0;
  let counted: number;
  try {
    counted = await countedIn(resume, target.plan, record);
    for await (const { id, purpose } of readExchanges(resume)) {
      exchanges = Math.max(exchanges, Number(id.slice(1)) || 0);
      if (purpose !== 'LIMIT-10') others += 1;
    }
  } catch (error) {
    if (error instanceof UnreadableRun || error instanceof UnusableLedger)
      throw new UsageProblem(`--resume: ${error.message}`, { cause: error });
    throw error;
  }
  return { directory: resume, record, exchanges, requests: requestsOf(record, others + counted) };
}

/** A record of a run that was killed is that of its beginning: what it sent since were listings, nearly all. */
function requestsOf({ requests }: RunRecord, sent: number): ResumedRun['requests'] {
  const unsaid = Math.max(0, sent - requests.sent);
  const { listPets = 0, ...byOperation } = requests.byOperation;
  return { sent: requests.sent + unsaid, byOperation: { ...byOperation, listPets: listPets + unsaid } };
}

/** How many requests of the plan's days stand in the ledger of a run. */
async function countedIn(directory: string, plan: Plan, { plans, target }: RunRecord): Promise<number> {
  const { name, perMinute, perDay } = plan;
  const { lines } = await readDays(directory, name);
  if (lines.length === 0)
    throw new UsageProblem(
      `--resume: no day of the plan ${name} was counted in ${directory}: there is nothing to resume`,
    );
  const before = plans?.find((one) => one.plan === name) ?? (target.plan === name ? target : undefined);
  if (before && (before.perMinute !== perMinute || before.perDay !== perDay))
    throw new UsageProblem(
      `--resume: the day in ${directory} was counted for ${before.perMinute} requests a minute and ${before.perDay} a day, not for ${perMinute} and ${perDay}`,
    );
  return lines.length;
}

async function readRecord(path: string): Promise<RunRecord> {
  try {
    return runRecordSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    throw new UsageProblem(`--resume: ${path} can't be read as a run's record`, { cause: error });
  }
}
