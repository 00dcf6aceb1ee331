import { resolve } from 'node:path';
import { commandLineOptions } from '../lib/options/command-line-options.js';
import type { RunRecord } from '../lib/evidence/record/record.js';
import { failsClass, leavesClassOpen } from '../lib/verdict/class-verdict.js';
import { readCommandLine } from '../lib/options/command-line.js';
import type { Typed } from '../lib/options/option.js';
import { commandOf, wordsOf } from '../lib/options/command-text.js';
import { UsageProblem } from '../lib/explain/usage-problem.js';
import { foldersOfRuns, readFinishedRun, UnreadableRun, type FinishedRun } from '../reports/finished-run.js';
import { isSelfCheck } from '../reports/summary/self-check.js';

/** `--again`: the requirements that failed or warned in an earlier run, each whole, as `--only` tries them. */

/** Where runs without `--output` are. */
const runsFolder = resolve('reports', 'runs');

/** What is said of one run, not of every one that is like it; and what selects requirements. */
const ofOneRun: readonly string[] = [
  'only',
  'except',
  'bail',
  'again',
  'watch',
  'output',
  'overwrite',
  'resume',
  'dryRun',
  'maxRequests',
  'maxTime',
  'apiKey',
  'otherApiKey',
  'observeBanKey',
] as const satisfies ReadonlyArray<keyof typeof commandLineOptions>;

/**
 * The command line of a run that repeats what failed or warned in an earlier one: the same target, plan and profile, and
 * the same seed, unless other ones are typed.
 * @param which The folder of the earlier run, or `last`.
 * @throws UsageProblem if there is no such run, and if there is nothing in it to repeat.
 */
export async function repeating(which: string, typed: Typed, invocation: string): Promise<Typed> {
  const { record, directory } = await runNamed(which, typed);
  const before = typedIn(record);
  const only = idsToRepeat(record, { strict: true });
  if (only.length === 0)
    throw new UsageProblem(
      `nothing failed in ${directory}: to run everything, use ${commandOf(invocation, commandLineOptions, before)}`,
    );
  // A target that is typed now is the one.
  const isElsewhere = typed['target'] !== undefined || typed['baseUrl'] !== undefined;
  if (isElsewhere) for (const option of ['target', 'baseUrl']) delete before[option];
  else if (isSelfCheck(record)) before['target'] = 'reference';
  const { again: _, ...now } = typed;
  return { seed: String(record.run.seed), ...before, ...now, only: only.join(',') };
}

/**
 * The requirements that failed in a run; if none did, those that keep it from being conformant.
 * @param strict warnings count as failures
 */
export function idsToRepeat({ requirements }: RunRecord, { strict }: { readonly strict: boolean }): string[] {
  const failed = requirements.filter((result) => failsClass(result, { strict }));
  return (failed.length > 0 ? failed : requirements.filter(leavesClassOpen)).map(({ id }) => id);
}

/** What was typed for a run, without keys, and without what was meant for it alone. */
function typedIn({ run, target }: RunRecord): Record<string, string | true> {
  // Behind how it was called: `npm test --`.
  const argv = wordsOf(run.command).filter((word) => /^--./u.test(word));
  try {
    const { typed } = readCommandLine(argv, { name: '', options: commandLineOptions }, {});
    return Object.fromEntries(Object.entries(typed).filter(([option]) => !ofOneRun.includes(option)));
  } catch (error) {
    // Another program has called its run by another name.
    if (!(error instanceof UsageProblem)) throw error;
    return { baseUrl: target.baseUrl };
  }
}

async function runNamed(which: string, typed: Typed): Promise<FinishedRun> {
  const folders = which === 'last' ? await foldersOfRuns(runsFolder) : [resolve(which)];
  for (const directory of folders) {
    const run = await runIn(directory, which === 'last');
    if (run?.record.load && which !== 'last')
      throw new UsageProblem(`--again: ${directory} holds a load, which judges no requirement`);
    const wanted = typed['target'];
    const isWanted = typeof wanted !== 'string' || wanted.toLowerCase() === run?.record.target.name;
    if (run && !run.record.load && (isWanted || which !== 'last')) return run;
  }
  throw new UsageProblem(
    `--again=last: there is no run${typeof typed['target'] === 'string' ? ` of ${typed['target']}` : ''} in ${runsFolder}`,
  );
}

async function runIn(directory: string, mayBeNone: boolean): Promise<FinishedRun | undefined> {
  try {
    return await readFinishedRun(directory);
  } catch (error) {
    if (!(error instanceof UnreadableRun)) throw error;
    if (mayBeNone) return undefined;
    throw new UsageProblem(`--again: ${error.message}`, { cause: error });
  }
}

/**
 * The line that tells what to run next: what failed once more or, when that passes, everything. Undefined if there is
 * nothing to repeat.
 */
export function nextLine(
  record: RunRecord,
  directory: string,
  typed: Typed,
  invocation: string,
): string | undefined {
  const { requirements, run } = record;
  if (requirements.some((one) => failsClass(one, { strict: run.strict }) || leavesClassOpen(one))) {
    const key = typed['apiKey'] === undefined ? '' : 'PETSTORE_API_KEY=… ';
    const again = resolve(directory, '..') === runsFolder ? 'last' : directory;
    return `Again: ${key}${commandOf(invocation, commandLineOptions, { again })}`;
  }
  if (typed['again'] === undefined) return undefined;
  const { seed: _, ...all } = typedIn(record);
  const hasWarnings = requirements.some(({ verdict }) => verdict === 'warn');
  return `${hasWarnings ? 'No failure is left' : 'What failed was tried again and passed'}. To run everything: ${commandOf(invocation, commandLineOptions, all)}`;
}
