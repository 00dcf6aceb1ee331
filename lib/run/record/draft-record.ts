import { OutputProblem } from '../../record/run-files.js';
import type { Listener } from '../settings.js';

/** Milliseconds between two versions of an unfinished record: if a requirement was judged in between, and if none was. */
const after = { aResult: 1_000, noResult: 10_000 } as const;

export interface UnfinishedRecords {
  readonly listener: Listener;
  readonly stop: () => void;
}

/**
 * Has the record written now and then as it stands, so that a killed run leaves one that is seconds old: also while
 * nothing is judged, as in a long wait for the limit.
 */
export function unfinishedRecords(next: Listener | undefined, write: () => void): UnfinishedRecords {
  let judged = false;
  let written = performance.now();
  const timer = setInterval(() => {
    if (performance.now() - written < (judged ? after.aResult : after.noResult)) return;
    try {
      write();
    } catch (error) {
      // The evidence will not be written either, and ends the run; or the disk has room again.
      if (!(error instanceof OutputProblem)) throw error;
    }
    judged = false;
    written = performance.now();
  }, after.aResult / 2);
  timer.unref();
  return {
    listener: {
      ...next,
      result(result) {
        next?.result?.(result);
        judged = true;
      },
    },
    stop: () => clearInterval(timer),
  };
}
