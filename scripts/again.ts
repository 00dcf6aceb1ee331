import { once, type EventEmitter } from 'node:events';
import { relative, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { FSWatcher } from 'chokidar';
import { commandLineOptions, conformanceCommand } from '../lib/options/run-options.js';
import type { RunRecord, RequirementResult } from '../lib/evidence/record/record.js';
import { failsClass, leavesClassOpen } from '../lib/verdict/class-verdict.js';
import { commandOf, invocationOf, readCommandLine, wordsOf } from '../lib/options/command-line.js';
import type { Typed } from '../lib/options/option.js';
import { count } from '../lib/explain/count.js';
import { UsageProblem } from '../lib/explain/usage-problem.js';
import type { Settings } from '../lib/run/settings.js';
import {
  foldersOfRuns,
  readJudgedRun,
  withRequestsBehind,
  type FinishedRun,
} from '../reports/finished-run.js';
import { isSelfCheck } from '../reports/summary/verdict-sentences.js';
import { complain, runsFolder } from './run-command.js';

/** What is said of one run, not of every one that is like it; and what selects requirements. */
const ofOneRun = new Set(
  'only except bail again watch output overwrite resume dryRun maxRequests maxTime'.split(' '),
);

/**
 * The command line of a run that repeats what failed or warned in an earlier one: the same target, plan, profile and seed,
 * unless other ones are typed.
 * @param which the folder of the earlier run, or `last`
 * @throws UsageProblem if there is no such run, and if there is nothing in it to repeat
 */
export async function repeating(which: string, typed: Typed): Promise<Typed> {
  const run = await (which === 'last' ? lastRun(typed) : readJudgedRun(resolve(which)));
  const { record, directory } = run;
  // Behind how it was called, `npm test --`; no record holds a key.
  const argv = wordsOf(record.run.command).filter((word) => /^--./u.test(word) && !word.endsWith('=***'));
  const { typed: all } = readCommandLine(argv, conformanceCommand, {});
  const before = Object.fromEntries(Object.entries(all).filter(([option]) => !ofOneRun.has(option)));
  const only = await withRequestsBehind(run, resultsToRepeat(record, { strict: true }));
  if (only.length === 0) throw new UsageProblem(`nothing failed in ${directory}: run it without --again`);
  if (!record.run.complete) {
    const unknown = count(record.requirements.filter(leavesClassOpen).length, 'requirement');
    const why = record.run.stopped ?? 'it was cut off';
    complain(`the run in ${directory} did not finish (${why}): it says nothing of ${unknown}`);
  }
  // A target that is typed now is the one.
  if (typed['target'] !== undefined || typed['baseUrl'] !== undefined)
    for (const option of ['target', 'baseUrl']) delete before[option];
  else if (isSelfCheck(record)) before['target'] = 'reference';
  const { again: _, ...now } = typed;
  return { seed: String(record.run.seed), ...before, ...now, only: only.join(',') };
}

/**
 * The requirements that failed in a run; if none did, those that keep it from being conformant.
 * @param strict warnings count as failures
 */
function resultsToRepeat(
  { requirements }: RunRecord,
  strictness: { readonly strict?: boolean | undefined },
): readonly RequirementResult[] {
  const failed = requirements.filter((result) => failsClass(result, strictness));
  return failed.length > 0 ? failed : requirements.filter(leavesClassOpen);
}

/** The last run of the target that is typed; of any if none is. */
async function lastRun({ target, baseUrl }: Typed): Promise<FinishedRun> {
  const isMeant = (known: RunRecord['target']): boolean =>
    typeof target === 'string'
      ? target.toLowerCase() === known.name
      : typeof baseUrl !== 'string' || baseUrl.replace(/\/+$/, '') === known.baseUrl;
  for (const directory of await foldersOfRuns(runsFolder())) {
    const run = await readJudgedRun(directory).catch((error: unknown) => {
      if (!(error instanceof UsageProblem)) throw error;
    });
    if (run && isMeant(run.record.target)) return run;
  }
  throw new UsageProblem(
    `--again=last: there is no run of ${target ?? baseUrl ?? 'any target'} in ${runsFolder()}`,
  );
}

/** The line that tells how to run once more what failed; undefined if there is nothing to repeat. */
export function nextLine(record: RunRecord, directory: string, typed: Typed): string | undefined {
  if (resultsToRepeat(record, record.run).length === 0) return undefined;
  const key = typed['apiKey'] === undefined ? '' : 'PETSTORE_API_KEY=… ';
  const again = resolve(directory, '..') === runsFolder() ? 'last' : directory;
  return `Again: ${key}${commandOf(invocationOf('test'), commandLineOptions, { again })}`;
}

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
  // Loaded for a watched run alone.
  const { watch } = await import('chokidar');
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
