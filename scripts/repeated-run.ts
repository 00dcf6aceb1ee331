import { resolve } from 'node:path';
import { commandLineOptions } from '../lib/options/command-line-options.js';
import type { RunRecord } from '../lib/record/record.js';
import { failsClass, leavesClassOpen } from '../lib/verdict/class-verdict.js';
import { isLeftToTheWholeRun } from '../lib/repetition/not-sent-again.js';
import { toRepeat, type RepeatedSettings } from '../lib/repetition/repetition.js';
import { readCommandLine, type CommandLine, type Typed as Value } from '../lib/usage/command-line.js';
import { commandOf, wordsOf } from '../lib/usage/command-text.js';
import { UsageProblem } from '../lib/usage/usage-problem.js';
import { foldersOfRuns, readFinishedRun, UnreadableRun, type FinishedRun } from '../reports/finished-run.js';
import { isSelfCheck } from '../reports/summary/self-check.js';

/** `--again`: a run of what failed in an earlier one, which its record tells. */

/** Where runs without `--output` are. */
const runsFolder = resolve('reports', 'runs');

/** What selects requirements. */
const selecting = ['only', 'except'] as const satisfies ReadonlyArray<keyof typeof commandLineOptions>;

/** What is said of one run, not of every one that is like it. */
const ofOneRun: readonly string[] = [
  'bail',
  'again',
  'watch',
  'output',
  'overwrite',
  'resume',
  'dryRun',
  'maxRequests',
  'apiKey',
  'otherApiKey',
  'observeBanKey',
] as const satisfies ReadonlyArray<keyof typeof commandLineOptions>;

type Typed = CommandLine['typed'];

/** What a run that repeats another one is asked to do. */
interface RepeatedRun {
  readonly typed: Typed;
  /** Why everything is run, if it is. */
  readonly wholeRun: string | undefined;
  /** What is tried again, if not. */
  readonly settings?: Omit<RepeatedSettings, 'only'>;
}

/**
 * The command line of a run that repeats what failed in an earlier one: the same target, plan and profile, and the same
 * seed, unless other ones are typed.
 * @param which The folder of the earlier run, or `last`.
 * @throws UsageProblem if there is no such run, and if nothing failed in it.
 */
export async function repeating(which: string, typed: Typed, invocation: string): Promise<RepeatedRun> {
  const { record, directory, exchanges } = await runNamed(which, typed);
  const repetition = await toRepeat(record, exchanges());
  // A run that repeated another one has selected what failed in that one.
  const isSelected = repetition?.wholeRun !== undefined && record.run.options?.again === undefined;
  const before = typedIn(record, isSelected ? [] : selecting);
  if (!repetition)
    throw new UsageProblem(
      `nothing failed in ${directory}: to run everything, use ${commandOf(invocation, commandLineOptions, before)}`,
    );
  // A target that is typed now is the one.
  const isElsewhere = typed['target'] !== undefined || typed['baseUrl'] !== undefined;
  if (isElsewhere) for (const option of ['target', 'baseUrl']) delete before[option];
  else if (isSelfCheck(record)) before['target'] = 'reference';
  const { again: _, ...now } = typed;
  const { wholeRun, settings } = repetition;
  const all = { seed: String(record.run.seed), ...before, ...now };
  if (wholeRun !== undefined) return { typed: all, wholeRun };
  const { only, ...again } = settings;
  return { typed: { ...all, only: only.join(',') }, wholeRun, settings: again };
}

/** What was typed for a run, without keys, and without what was meant for it alone. */
function typedIn({ run, target }: RunRecord, without: readonly string[] = selecting): Record<string, Value> {
  // Behind how it was called: `npm test --`.
  const argv = wordsOf(run.command).filter((word) => /^--./u.test(word));
  try {
    const { typed } = readCommandLine(argv, commandLineOptions, { operands: true, environment: {} });
    const kept = Object.entries(typed).filter(([option]) => ![...ofOneRun, ...without].includes(option));
    return Object.fromEntries(kept);
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
  const isUntried = requirements.some(isLeftToTheWholeRun);
  const hasFailed = requirements.some((one) => failsClass(one, { strict: run.strict }));
  if (hasFailed || (!isUntried && requirements.some(leavesClassOpen))) {
    const key = typed['apiKey'] === undefined ? '' : 'PETSTORE_API_KEY=… ';
    const again = resolve(directory, '..') === runsFolder ? 'last' : directory;
    return `Again: ${key}${commandOf(invocation, commandLineOptions, { again })}`;
  }
  if (typed['again'] === undefined || run.options?.again === undefined) return undefined;
  const { seed: _, ...all } = typedIn(record);
  const tried = isUntried ? 'What failed was not all tried again' : triedText(run);
  return `${tried}. To run everything: ${commandOf(invocation, commandLineOptions, all)}`;
}

/** What a round that passed has tried: if much failed alike, some of it stands for the rest. */
function triedText({ options }: RunRecord['run']): string {
  const tried = Object.values(options?.repeated ?? {}).reduce((sum, found) => sum + found.length, 0);
  const all = options?.round?.findings ?? tried;
  return tried < all
    ? `${tried} of the ${all} findings were tried again, for all that are like them, and passed`
    : 'What failed was tried again and passed';
}
