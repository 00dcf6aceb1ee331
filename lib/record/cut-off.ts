import { Interrupted } from '../http/client/run-end.js';
import type { RequirementResult, RunRecord } from './record.js';

/** How the record of a run that is still going on says that it is not whole. */
export const cutOff = 'the run was cut off';

/** Whether a run was interrupted or killed: it might have sent more at any moment. One that lost its target ended by itself. */
export function wasCutOff({ run: { stopped } }: RunRecord): boolean {
  return stopped === cutOff || stopped === new Interrupted().message;
}

/** Why an option of Vitest kept a requirement from being judged. */
export const leftToVitest = {
  pattern: 'not selected (-t)',
  bail: 'not reached: the run stopped at a failure (--bail)',
} as const;
const reasonsOfVitest: ReadonlySet<string | undefined> = new Set(Object.values(leftToVitest));

/** Whether an option of Vitest, which no replay knows of, kept a requirement from being judged. */
export function wasLeftToVitest({ reason }: RequirementResult): boolean {
  return reasonsOfVitest.has(reason);
}
