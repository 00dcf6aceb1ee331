import { closeSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseCLI, ReportersMap } from 'vitest/node';
import { z } from 'zod';
import { makeFolder } from '../../record/make-folder.js';
import { didYouMean } from '../../usage/nearest-name.js';
import { UsageProblem } from '../../usage/usage-problem.js';

/** Those of Vitest's own options that pass through, as it wants them in its configuration. */
export interface PassedOptions {
  readonly reporters: readonly string[];
  readonly outputFile?: string | Record<string, string>;
  readonly bail?: number;
  readonly testNamePattern?: string;
}

const parsed = z.object({
  reporter: z.union([z.string(), z.array(z.string())]).default([]),
  outputFile: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
  bail: z.int('--bail is to be a whole number').nonnegative('--bail is to be a whole number').optional(),
  // What looks like a number comes as one.
  testNamePattern: z.coerce.string().optional(),
  t: z.coerce.string().optional(),
});

/**
 * Reads Vitest's options; paths are taken from where the program was called, not from where Vitest finds the suite.
 * @throws UsageProblem where Vitest can make nothing of them.
 */
export function passedOptions(argv: readonly string[]): PassedOptions {
  const { reporter, outputFile, bail, testNamePattern, t } = parse(argv);
  const pattern = testNamePattern ?? t;
  if (outputFile !== undefined && [reporter].flat().length === 0)
    throw new UsageProblem('--outputFile goes with --reporter: json, junit or another that writes a file');
  return {
    reporters: [reporter].flat().map((name) => (/^\.{0,2}\//.test(name) ? resolve(name) : name)),
    ...(outputFile === undefined ? {} : { outputFile: absolute(outputFile) }),
    ...(bail === undefined ? {} : { bail }),
    ...(pattern === undefined ? {} : { testNamePattern: validPattern(pattern) }),
  };
}

function parse(argv: readonly string[]): z.infer<typeof parsed> {
  try {
    return parsed.parse(parseCLI(['vitest', ...argv]).options);
  } catch (error) {
    if (error instanceof z.ZodError) throw new UsageProblem(error.issues[0]?.message ?? '', { cause: error });
    throw new UsageProblem(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function validPattern(pattern: string): string {
  try {
    RegExp(pattern);
    return pattern;
  } catch (error) {
    throw new UsageProblem(`-t is to be a regular expression, and ${JSON.stringify(pattern)} is none`, {
      cause: error,
    });
  }
}

function absolute(outputFile: string | Record<string, string>): string | Record<string, string> {
  if (typeof outputFile === 'string') return writable(resolve(outputFile));
  return Object.fromEntries(
    Object.entries(outputFile).map(([name, path]) => [name, writable(resolve(path))]),
  );
}

/** A reporter would say it with a stack trace, and some only when the run has ended. */
function writable(path: string): string {
  try {
    makeFolder(dirname(path));
    closeSync(openSync(path, 'a'));
    return path;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new UsageProblem(`--outputFile: ${path} can't be written (${code})`, { cause: error });
  }
}

/** What Vitest's failure to start says of the options: a reporter that it can't load. Anything else is returned as it is. */
export function explained(error: unknown, { reporters }: PassedOptions): unknown {
  const loading = /^Failed to load custom Reporter from (.*)$/s.exec(
    error instanceof Error ? error.message : '',
  );
  if (!loading) return error;
  const known = Object.keys(ReportersMap);
  const name = reporters.find((reporter) => !known.includes(reporter)) ?? loading[1] ?? '';
  return new UsageProblem(`--reporter: there is no reporter ${name}.${didYouMean(name, known)}`, {
    cause: error,
  });
}
