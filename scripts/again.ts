import { resolve } from 'node:path';
import { commandLineOptions, conformanceCommand } from '../lib/options/run-options.js';
import type { RunRecord, RequirementResult } from '../lib/evidence/record/record.js';
import { failsClass, leavesClassOpen } from '../lib/verdict/class-verdict.js';
import { commandOf, invocationOf, readCommandLine, wordsOf } from '../lib/options/command-line.js';
import type { Typed } from '../lib/options/option.js';
import { count } from '../lib/explain/count.js';
import { UsageProblem } from '../lib/explain/usage-problem.js';
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
  const before = typedIn(record);
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
export function resultsToRepeat(
  { requirements }: RunRecord,
  strictness: { readonly strict?: boolean | undefined },
): readonly RequirementResult[] {
  const failed = requirements.filter((result) => failsClass(result, strictness));
  return failed.length > 0 ? failed : requirements.filter(leavesClassOpen);
}

/** What was typed for a run, without what was meant for it alone. */
function typedIn({ run }: RunRecord): Record<string, string | true> {
  // Behind how it was called, `npm test --`; no record holds a key.
  const argv = wordsOf(run.command).filter((word) => /^--./u.test(word) && !word.endsWith('=***'));
  const { typed } = readCommandLine(argv, conformanceCommand, {});
  return Object.fromEntries(Object.entries(typed).filter(([option]) => !ofOneRun.has(option)));
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
