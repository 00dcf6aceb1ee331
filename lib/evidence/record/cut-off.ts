import { Interrupted } from '../../http/client/run-end.js';
import type { RunRecord } from './record.js';

/** How the record of a run that is still going on says that it is not whole. */
export const cutOff = 'the run was cut off';

/** Whether a run was killed: its record is as it was written last, and knows no more. */
export function wasKilled({ run: { stopped } }: Pick<RunRecord, 'run'>): boolean {
  return stopped === cutOff;
}

/** Whether a run was interrupted or killed: it might have sent more at any moment. One that lost its target ended by itself. */
export function wasCutOff({ run: { stopped } }: Pick<RunRecord, 'run'>): boolean {
  return stopped === cutOff || stopped === new Interrupted().message;
}

/** Why a requirement of a run that ended early by choice was not judged. */
export const notReached = 'not reached: the run stopped at a failure (--bail)';
