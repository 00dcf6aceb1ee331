import { writeFile } from 'node:fs/promises';
import { compareRuns, somethingBroke } from '../compare/compare-runs.js';
import { readFinishedRun } from '../finished-run.js';
import { updateManifest } from '../manifest.js';
import { matrixMarkdown, matrixOf, renderMatrix } from '../run-matrix.js';
import { writeReport } from '../renderer.js';
import { renderers } from '../renderers.js';
import { renderTerminal } from '../terminal/terminal-report.js';
import { renderComparison } from '../compare/comparison-text.js';
import { renderVerification } from '../verify/verification-text.js';
import { verificationExitCode, verifyRun, type JudgeAgain } from '../verify/verify-run.js';
import { draftWaivers } from '../waivers/draft-waivers.js';
import type { Command } from './parse.js';
import { usageOf, UsageProblem } from './usage.js';

/** What a command has from the outside. */
export interface Surroundings {
  /** How the command is called, for its help: `npm run report --`. */
  readonly invocation: string;
  readonly print: (text: string) => void;
  readonly columns: number;
  readonly colour: boolean;
  readonly now: Date;
  readonly judge: JudgeAgain;
}

/**
 * Does what was asked for and gives the exit code.
 * @throws UnreadableRun, UsageProblem with a line for people.
 */
export async function perform(command: Command, surroundings: Surroundings): Promise<number> {
  const { print, now, judge } = surroundings;
  switch (command.name) {
    case 'help':
      print(usageOf(surroundings.invocation));
      return 0;
    case 'render':
      return render(command, surroundings);
    case 'compare': {
      const before = await readFinishedRun(command.old);
      const after = await readFinishedRun(command.recent);
      const comparison = compareRuns(before.record, after.record);
      print(renderComparison(comparison, surroundings));
      return somethingBroke(comparison) ? 1 : 0;
    }
    case 'matrix': {
      const runs = await Promise.all(command.directories.map(readFinishedRun));
      const matrix = matrixOf(runs.map(({ record }) => record));
      if (command.output === undefined) print(renderMatrix(matrix, surroundings));
      else print(await store(command.output, matrixMarkdown(matrix), 'w'));
      return 0;
    }
    case 'waivers': {
      const draft = draftWaivers((await readFinishedRun(command.directory)).record, { now });
      if (command.output === undefined) print(draft);
      else print(await store(command.output, draft, 'wx'));
      return 0;
    }
    case 'verify': {
      const verification = await verifyRun(command.directory, judge);
      print(renderVerification(verification, surroundings));
      return verificationExitCode(verification);
    }
    default:
      return command satisfies never;
  }
}

type Render = Extract<Command, { name: 'render' }>;

async function render({ directory, reports, output }: Render, surroundings: Surroundings): Promise<number> {
  const run = await readFinishedRun(directory);
  const made: string[] = [];
  for (const name of reports) {
    if (name === 'terminal') {
      surroundings.print(renderTerminal(run.record, { ...surroundings, directory }));
    } else {
      const renderer = renderers[name];
      surroundings.print(await writeReport(run, renderer, output).catch(cannotWrite));
      made.push(renderer.file);
    }
  }
  if (output === undefined) await updateManifest(directory, made);
  return 0;
}

/** `wx` refuses to replace a file: waivers that people have filled in are not to be lost. */
async function store(file: string, text: string, flag: 'w' | 'wx'): Promise<string> {
  await writeFile(file, text, { flag }).catch(cannotWrite);
  return file;
}

function cannotWrite(error: unknown): never {
  if (!(error instanceof Error) || !('syscall' in error)) throw error;
  const why = 'code' in error && error.code === 'EEXIST' ? 'it is there already' : error.message;
  throw new UsageProblem('path' in error ? `${String(error.path)} cannot be written: ${why}` : why, {
    cause: error,
  });
}
