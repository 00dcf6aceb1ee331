import { once, type EventEmitter } from 'node:events';
import { relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { watch, type FSWatcher } from 'chokidar';
import type { RunRecord } from '../lib/evidence/record/record.js';
import { count } from '../lib/explain/count.js';
import { UsageProblem } from '../lib/explain/usage-problem.js';
import type { Settings } from '../lib/run/settings.js';
import { resultsToRepeat } from './again.js';
import { complain } from './run-command.js';

/** One round of a run. Without a record, it could not begin. */
export interface Round {
  readonly code: number;
  readonly record?: RunRecord | undefined;
}

/** Folders whose files nobody edits, and what a run writes itself. */
const ignored = /(?:^|[\\/])(?:\.git|node_modules|__pycache__|\.venv|reports[\\/]runs)(?:[\\/]|$)|\.log$/;

/**
 * `--watch`: judges everything, then what failed at each change of a file until it passes, and then everything; gives the exit
 * code of the last round once the user ends them.
 * @param first what the first round judges; everything if empty
 * @param files emits `all` with an event and a path for each change
 */
export async function watchRounds(
  whole: Settings,
  first: readonly string[],
  files: EventEmitter,
  signal: AbortSignal,
  judge: (settings: Settings) => Promise<Round>,
): Promise<number> {
  const changed = changesOf(files);
  let failed = first;
  for (let isFirst = true; ; isFirst = false) {
    // Each round takes the place of the one before, in one folder.
    const round = isFirst ? whole : { ...whole, overwrite: true };
    const wasWhole = failed.length === 0;
    const { code, record } = await judge(wasWhole ? round : { ...round, only: failed, except: [] }).catch(
      (error: unknown): Round => {
        // A service that does not start is mended, too.
        if (!(error instanceof UsageProblem)) throw error;
        return { code: complain(error.message, 2) };
      },
    );
    if (record) failed = resultsToRepeat(record, whole).map(({ id }) => id);
    if (!wasWhole && failed.length === 0 && code !== 130) continue;
    const rest = failed.length === 0 ? 'everything' : count(failed.length, 'requirement');
    process.stderr.write(`Watching: a change runs ${rest} again (Ctrl-C: end)\n`);
    if (!(await changed(signal))) return code;
  }
}

/** The files that are watched, once a change of one is seen. What can't be watched, such as a folder without permission, is not. */
export async function watched(path: string): Promise<FSWatcher> {
  const files = watch(path, { ignored: (file) => ignored.test(relative('.', file)), ignoreInitial: true });
  files.on('error', () => undefined);
  await once(files, 'ready');
  return files;
}

/** Milliseconds after a change in which further ones belong to it: an editor, or a build, writes more than one file. */
const settles = 100;

/**
 * Waits for a change, one time after another; false if the signal aborts. A change while nobody waits counts for the next
 * wait, unless the file had changed in such a time before: then it is the service that writes it.
 */
export function changesOf(files: EventEmitter): (signal: AbortSignal) => Promise<boolean> {
  const writtenByService = new Set<string>();
  let isWaiting = false;
  let hasChanged = false;
  files.on('all', (_, path: string) => {
    if (isWaiting || writtenByService.has(path)) return;
    writtenByService.add(path);
    hasChanged = true;
  });
  return async (signal) => {
    isWaiting = true;
    // An interruption is no failure of the wait.
    if (!hasChanged) await once(files, 'all', { signal }).catch(() => undefined);
    await delay(settles, undefined, { signal }).catch(() => undefined);
    isWaiting = false;
    hasChanged = false;
    return !signal.aborted;
  };
}
