import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageProblem } from '../../usage/usage-problem.js';
import { readJournal, UnusableJournal } from '../../limits/day/journal.js';
import type { Plan, PlanName } from '../../specification/plan.js';
import { runRecordSchema, type RunRecord } from '../../record/record.js';
import { readExchanges, UnreadableRun } from '../../record/recorded-exchanges.js';
import type { Settings } from '../settings.js';

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
export async function readResumedRun({
  resume,
  target,
  planKeys,
}: Settings): Promise<ResumedRun | undefined> {
  if (resume === undefined) return undefined;
  const record = await readRecord(join(resume, 'report.json'));
  if (record.target.baseUrl !== target.baseUrl) {
    throw new UsageProblem(
      `--resume: the run in ${resume} was of ${record.target.baseUrl}, not of ${target.baseUrl}`,
    );
  }
  const counted = (planKeys ?? [target]).reduce((sum, { plan }) => sum + countedIn(resume, plan), 0);
  let exchanges = 0;
  let others = 0;
  try {
    for await (const { id, purpose } of readExchanges(resume)) {
      exchanges = Math.max(exchanges, Number(id.slice(1)) || 0);
      if (purpose !== 'LIMIT-10') others += 1;
    }
  } catch (error) {
    if (error instanceof UnreadableRun)
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

/** The journal of a plan's day within a run's folder. */
export function dayJournal(directory: string, plan: PlanName): string {
  return join(directory, `day-${plan}.jsonl`);
}

function countedIn(directory: string, { name, perMinute, perDay }: Plan): number {
  try {
    const { sent, begun } = readJournal(dayJournal(directory, name));
    if (begun && (begun.perMinute !== perMinute || begun.perDay !== perDay))
      throw new UnusableJournal(
        `the day in ${directory} was counted for ${begun.perMinute} requests a minute and ${begun.perDay} a day, not for ${perMinute} and ${perDay}`,
      );
    return sent;
  } catch (error) {
    if (!(error instanceof UnusableJournal)) throw error;
    throw new UsageProblem(`--resume: ${error.message}`, { cause: error });
  }
}

async function readRecord(path: string): Promise<RunRecord> {
  try {
    return runRecordSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    throw new UsageProblem(`--resume: ${path} can't be read as a run's record`, { cause: error });
  }
}
