import { closeSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { makeFolder } from '../../lib/record/folder.js';
import { errorCode } from '../../lib/usage/error-code.js';
import { didYouMean } from '../../lib/usage/nearest-name.js';
import { UsageProblem } from '../../lib/usage/usage-problem.js';

/** The reporters of Vitest, and the files that they write, as they were given. */
export interface GivenOptions {
  readonly reporter?: readonly string[] | undefined;
  /** Files by the reporter that writes each; '' stands for every reporter. */
  readonly outputFile?: Readonly<Record<string, string>> | undefined;
}

/** The same as Vitest wants them in its configuration. */
export interface PassedOptions {
  readonly reporters: readonly string[];
  readonly outputFile?: string | Record<string, string>;
}

/**
 * Paths are relative to the caller's folder, not to the one in which Vitest finds the tests.
 * @throws UsageProblem for a file that no reporter writes, or that can't be written.
 */
export function passedOptions({ reporter = [], outputFile }: GivenOptions): PassedOptions {
  if (outputFile !== undefined && reporter.length === 0)
    throw new UsageProblem('--outputFile needs --reporter: json, junit or another that writes a file');
  const files = Object.entries(outputFile ?? {}).map(
    ([name, path]) => [name, writable(resolve(path))] as const,
  );
  const forAll = files.find(([name]) => name === '')?.[1];
  return {
    reporters: reporter.map((name) => (/^\.{0,2}\//.test(name) ? resolve(name) : name)),
    ...(files.length === 0 ? {} : { outputFile: forAll ?? Object.fromEntries(files) }),
  };
}

/** Vitest's reporters for programs; they print if they have no file. */
const forPrograms: ReadonlySet<string> = new Set(['json', 'junit', 'tap', 'tap-flat']);

/** Whether a program reads the standard output, so that nothing else may stand there. */
export function ownsStandardOutput({ reporter = [], outputFile = {} }: GivenOptions): boolean {
  return reporter.some(
    (name) => forPrograms.has(name) && outputFile[name] === undefined && outputFile[''] === undefined,
  );
}

/** A reporter would say it with a stack trace, and some only when the run has ended. */
function writable(path: string): string {
  try {
    makeFolder(dirname(path));
    closeSync(openSync(path, 'a'));
    return path;
  } catch (error) {
    throw new UsageProblem(`--outputFile: ${path} can't be written (${errorCode(error)})`, { cause: error });
  }
}

/**
 * Vitest's failure to start in our words if it can't load a reporter. Any other error is returned as it is.
 * @param known the names of its own reporters
 */
export function explained(error: unknown, { reporters }: PassedOptions, known: readonly string[]): unknown {
  const loading = /^Failed to load custom Reporter from (.*)$/s.exec(
    error instanceof Error ? error.message : '',
  );
  if (!loading) return error;
  const name = reporters.find((reporter) => !known.includes(reporter)) ?? loading[1] ?? '';
  return new UsageProblem(`--reporter: there is no reporter ${name}.${didYouMean(name, known)}`, {
    cause: error,
  });
}
