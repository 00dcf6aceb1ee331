import type { RunRecord } from '../../lib/evidence/record/record.js';
import type { FinishedRun } from '../finished-run.js';

/** A record as reports are given it, without a folder and without exchanges. */
export function finishedRunOf(record: RunRecord): FinishedRun {
  return {
    directory: '',
    record,
    text: '',
    exchanges: () => [],
    exchangesById: async () => new Map(),
  };
}
