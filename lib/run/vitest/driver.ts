import { randomUUID } from 'node:crypto';
import { dirname, extname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BroadcastChannel } from 'node:worker_threads';
import { createVitest, parseCLI, type InlineConfig } from 'vitest/node';
import { UsageProblem } from '../../command-line/usage-problem.js';
import { isRequirementId, requirementRow } from '../../specification/catalogue.js';
import type { Driver } from '../conformance.js';
import type { Engine } from '../engine.js';
import type { RequirementResult } from '../record.js';
import { z } from 'zod';
import { channelName, questionSchema, type Answer, type Provided } from './protocol.js';

export interface DriverOptions {
  /** Vitest's own options, as typed. */
  readonly argv: readonly string[];
  readonly strict: boolean;
  readonly signal: AbortSignal;
}

const here = dirname(fileURLToPath(import.meta.url));

/**
 * Drives a run through Vitest, in this process and one worker thread, with settings of its own: a Vitest and a
 * configuration of the folder that it is called in are left alone.
 */
export function vitestDriver({ argv, strict, signal }: DriverOptions): Driver {
  return async (engine) => {
    const { reporter, outputFile, bail, testNamePattern, t } = parseOptions(argv);
    const run = randomUUID();
    const channel = new BroadcastChannel(channelName(run));
    channel.onmessage = (event: unknown) => {
      const question = questionSchema.safeParse((event as MessageEvent).data);
      if (question.success) void answer(engine, question.data.ask, strict).then((told) => channel.postMessage(told));
    };
    const pattern = testNamePattern ?? t;
    const settings: InlineConfig = {
      root: here,
      include: [`conformance.suite${extname(fileURLToPath(import.meta.url))}`],
      exclude: [],
      cache: false,
      pool: 'threads',
      isolate: false,
      fileParallelism: false,
      maxWorkers: 1,
      // The pace is kept in one place, the client: here everything may be under way at once.
      maxConcurrency: 1_000,
      // The client has deadlines; a wait for the limiter may take a minute.
      testTimeout: 0,
      hookTimeout: 0,
      passWithNoTests: true,
      provide: { conformance: provided(run, engine) },
      reporters: [{}, ...[reporter ?? []].flat()],
      ...(pattern === undefined ? {} : { testNamePattern: pattern }),
      ...(bail === undefined ? {} : { bail }),
      ...(outputFile === undefined ? {} : { outputFile: absolute(outputFile) }),
    };
    const exitCode = process.exitCode;
    const interrupts = process.listeners('SIGINT');
    // Nothing of the folder that the program is called in is read: no configuration, no environment.
    const isolated = { configFile: false, envDir: false, clearScreen: false, logLevel: 'error', test: settings } as const;
    const vitest = await createVitest('test', { watch: false, config: false }, isolated);
    // Vitest would end the process at once on Ctrl-C: the run ends it, when its record is written.
    for (const listener of process.listeners('SIGINT')) {
      if (!interrupts.includes(listener)) process.removeListener('SIGINT', listener);
    }
    const stop = (): void => void vitest.cancelCurrentRun('keyboard-input');
    signal.addEventListener('abort', stop, { once: true });
    try {
      await vitest.start();
      const errors = vitest.state.getUnhandledErrors();
      if (errors.length > 0) throw new Error(`Vitest failed: ${String(errors[0] instanceof Error ? errors[0].message : errors[0])}`);
    } finally {
      signal.removeEventListener('abort', stop);
      await vitest.close();
      channel.close();
      // The record decides it.
      process.exitCode = exitCode;
    }
    return bail === undefined ? {} : { reason: 'not reached: the run stopped at a failure (--bail)' };
  };
}

const passedOptions = z.object({
  reporter: z.union([z.string(), z.array(z.string())]).optional(),
  outputFile: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
  bail: z.coerce.number().int().nonnegative().optional(),
  testNamePattern: z.coerce.string().optional(),
  t: z.coerce.string().optional(),
});

function parseOptions(argv: readonly string[]): z.infer<typeof passedOptions> {
  try {
    return passedOptions.parse(parseCLI(['vitest', ...argv]).options);
  } catch (error) {
    throw new UsageProblem(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Relative to where the program was called, not to where Vitest finds the suite. */
function absolute(outputFile: string | Record<string, string>): string | Record<string, string> {
  if (typeof outputFile === 'string') return resolve(outputFile);
  return Object.fromEntries(Object.entries(outputFile).map(([name, path]) => [name, resolve(path)]));
}

function provided(run: string, engine: Engine): Provided {
  return {
    run,
    stages: engine.stages.map(({ phase, ids }) => ({ phase, tests: ids.map((id) => ({ id, title: requirementRow(id).title })) })),
  };
}

async function answer(engine: Engine, id: string, strict: boolean): Promise<Answer> {
  if (!isRequirementId(id)) return { id, outcome: 'failed', message: 'not in the catalogue' };
  const row = await engine.judge(id);
  return { id, ...outcomeOf(row, strict) };
}

function outcomeOf(row: RequirementResult, strict: boolean): Omit<Answer, 'id'> {
  const message = row.findings.map(told).join('\n\n') || (row.reason ?? '');
  switch (row.verdict) {
    case 'fail':
      return { outcome: 'failed', message };
    case 'warn':
      return { outcome: strict ? 'failed' : 'passed', message };
    case 'pass':
    case 'observed':
      return { outcome: 'passed', message };
    case 'inconclusive':
    case 'not-applicable':
    case 'not-tested':
      return { outcome: 'skipped', message: `${row.verdict}: ${message}` };
  }
}

function told({ message, expected, received, reproduce }: RequirementResult['findings'][number]): string {
  const lines = [message, expected && `expected: ${expected}`, received && `received: ${received}`, reproduce];
  return lines.filter((line) => line !== undefined && line !== '').join('\n');
}

