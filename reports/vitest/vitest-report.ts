import { dirname, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorCode } from '../../lib/usage/error-code.js';
import { UsageProblem } from '../../lib/usage/usage-problem.js';
import { explained, passedOptions, type GivenOptions } from './vitest-options.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of a finished run. */
    runFolder: string;
  }
}

/** Tells Vitest's reporters of a run that has ended. */
export type VitestReport = () => Promise<void>;

const here = dirname(fileURLToPath(import.meta.url));

/**
 * Starts Vitest with reporters of the user's choice. The function that it returns tells them of the run that a folder
 * holds: Vitest runs a test for each requirement, which passes or fails as the record says. A Vitest and a configuration of
 * the folder that the program is called in are left alone.
 *
 * @param directory where the run's files will be
 * @throws UsageProblem if Vitest is not installed, or can't use its options: before anything is sent
 */
export async function vitestReport(options: GivenOptions, directory: string): Promise<VitestReport> {
  const passed = passedOptions(options);
  const { createVitest, ReportersMap } = await import('vitest/node').catch((error: unknown) => {
    if (errorCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageProblem(
      '--reporter needs Vitest, which is not installed: npm install --save-dev vitest (or use --report=junit, which needs nothing)',
      { cause: error },
    );
  });
  const { exitCode } = process;
  const restore = (): void => {
    process.off('newListener', endedByTheRunAlone);
    // The record decides the exit code.
    process.exitCode = exitCode;
  };
  process.on('newListener', endedByTheRunAlone);
  const test = {
    root: here,
    include: [`results.suite${extname(fileURLToPath(import.meta.url))}`],
    exclude: [],
    cache: false,
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    provide: { runFolder: directory },
    outputFile: passed.outputFile,
    reporters: [{}, ...passed.reporters],
  } as const;
  // Nothing of the folder that the program is called in is read: no configuration, no environment.
  const config = { configFile: false, envDir: false, clearScreen: false, logLevel: 'error', test } as const;
  try {
    const vitest = await createVitest('test', { watch: false, config: false }, config as never);
    return async () => {
      try {
        await vitest.start();
        const [error] = vitest.state.getUnhandledErrors();
        if (error !== undefined) throw error;
      } finally {
        await vitest.close();
        restore();
      }
    };
  } catch (error) {
    restore();
    throw explained(error, passed, Object.keys(ReportersMap));
  }
}

/** Vitest and Vite would end the process at once on a signal: the run ends it, when its record is written. */
function endedByTheRunAlone(event: string | symbol, listener: (...arguments_: unknown[]) => void): void {
  if (event === 'SIGINT' || event === 'SIGTERM' || event === 'SIGHUP')
    queueMicrotask(() => process.removeListener(event, listener));
}
