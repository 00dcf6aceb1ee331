import type { Settings } from '../lib/run/settings.js';
import { changesBelow, NextChange, type Next } from '../lib/options/next-change.js';
import { UsageProblem } from '../lib/explain/usage-problem.js';
import { count } from '../lib/explain/count.js';
import { complain } from './run-command.js';
import { idsToRepeat } from './repeated-run.js';
import type { Round } from './run-target.js';

interface Watching {
  /** The file or folder that is watched. */
  readonly path: string;
  /** The run repeats an earlier one: everything is judged once that passes. */
  readonly isAgain: boolean;
  readonly signal: AbortSignal;
  readonly judge: (settings: Settings) => Promise<Round>;
}

/** `--watch`: rounds until the user ends them; gives the exit code of the last one. */
export async function watchRounds(
  settings: Settings,
  { path, isAgain, signal, judge }: Watching,
): Promise<number> {
  const changes = changesBelow(path);
  const next = new NextChange(changes);
  const whole = isAgain ? { ...settings, only: [] } : settings;
  try {
    return await repeatRounds(whole, isAgain ? settings.only : [], {
      judge: async (round) =>
        judge(round).catch((error: unknown): Round => {
          // A service that does not start is mended, too.
          if (!(error instanceof UsageProblem)) throw error;
          complain(error.message);
          return { code: 2 };
        }),
      next: async () => next.wait(signal),
      tell: async (line) => {
        // A change before that is not seen.
        await changes.ready;
        process.stderr.write(`${line} (Ctrl-C: end)\n`);
      },
    });
  } finally {
    await changes.close();
  }
}

interface Rounds {
  readonly judge: (settings: Settings) => Promise<Round>;
  readonly next: () => Promise<Next>;
  readonly tell: (line: string) => Promise<void>;
}

/**
 * Judges everything, then what failed at each change until it passes, and then everything.
 * @param first What the first round judges; everything if empty.
 */
export async function repeatRounds(
  whole: Settings,
  first: readonly string[],
  { judge, next, tell }: Rounds,
): Promise<number> {
  let failed = first;
  for (let isFirst = true; ; isFirst = false) {
    // Each round takes the place of the one before, in one folder.
    const round = isFirst ? whole : { ...whole, overwrite: true };
    const wasWhole = failed.length === 0;
    const { code, record } = await judge(wasWhole ? round : { ...round, only: failed, except: [] });
    if (record) failed = idsToRepeat(record, whole);
    if (!wasWhole && failed.length === 0 && code !== 130) continue;
    const rest = failed.length === 0 ? 'everything' : count(failed.length, 'requirement');
    await tell(`Watching: a change runs ${rest} again`);
    if ((await next()) === 'end') return code;
  }
}
