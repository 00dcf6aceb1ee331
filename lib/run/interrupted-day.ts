import { join } from 'node:path';
import { UsageProblem } from '../explain/usage-problem.js';
import { readDays } from '../limits/day.js';
import type { LedgerLine } from '../load/ledger.js';
import { runRecordSchema, type RunRecord } from '../evidence/record/record.js';
import { readRegular } from '../evidence/record/regular-file.js';
import type { Settings } from './settings.js';

/**
 * What the run that `--resume` names has counted of the day, in the lines of its ledger; none without `--resume`.
 * @throws UsageProblem if it counted none of this target and plan, or reached the limit.
 */
export async function interruptedDay({ resume, target }: Settings): Promise<LedgerLine[]> {
  if (resume === undefined) return [];
  const refuse = (problem: string, cause?: unknown): never => {
    throw new UsageProblem(`--resume: ${problem}`, { cause });
  };
  const path = join(resume, 'report.json');
  const record = await readRegular(path)
    .then((text): RunRecord => runRecordSchema.parse(JSON.parse(text)))
    .catch((error: unknown) => refuse(`${path} can't be read as a run's record`, error));
  const { plan } = target;
  const { baseUrl, perMinute, perDay } = record.target;
  const isOfTarget = baseUrl === target.baseUrl && perMinute === plan.perMinute && perDay === plan.perDay;
  const lines = isOfTarget ? await readDays(resume, plan.name) : [];
  const last = lines.at(-1) ?? refuse(`the run in ${resume} counted no day of this target and plan`);
  const { day } = record.plans?.[0] ?? {};
  if (day?.rejection !== undefined) refuse("the day's limit was reached already: begin a new run");
  // A run that was killed has sent one more, and what came of it is not known.
  return day ? lines : [...lines, { ...last, outcome: 'lost', status: undefined, reason: 'aborted' }];
}
