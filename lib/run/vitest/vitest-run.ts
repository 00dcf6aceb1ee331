import { randomUUID } from 'node:crypto';
import { dirname, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BroadcastChannel } from 'node:worker_threads';
import { createVitest, type InlineConfig } from 'vitest/node';
import { isRequirementId, requirementRow, type RequirementId } from '../../specification/catalogue.js';
import { UsageProblem } from '../../usage/usage-problem.js';
import type { Driver } from '../conformance.js';
import type { Engine } from '../engine.js';
import type { RequirementResult } from '../../record/record.js';
import { explained, passedOptions, type GivenOptions } from './vitest-options.js';
import { channelName, questionSchema, type Answer, type Provided } from './vitest-message.js';

export interface DriverOptions {
  /** Vitest's own options. */
  readonly options: GivenOptions;
  readonly strict: boolean;
  readonly signal: AbortSignal;
}

const here = dirname(fileURLToPath(import.meta.url));

/**
 * Drives a run through Vitest, in this process and one worker thread, with settings of its own: a Vitest and a
 * configuration of the folder that it is called in are left alone.
 *
 * @throws UsageProblem at once if Vitest can't use its options.
 */
export function vitestDriver({ options, strict, signal }: DriverOptions): Driver {
  const passed = passedOptions(options);
  return async (engine) => {
    checkPattern(passed.testNamePattern, engine);
    const run = randomUUID();
    const channel = new BroadcastChannel(channelName(run));
    const broken: unknown[] = [];
    channel.addEventListener('message', (event: unknown) => {
      const question = questionSchema.safeParse((event as MessageEvent).data);
      if (!question.success) return;
      const { ask } = question.data;
      void answer(engine, ask, strict)
        // An error of the suite is the run's to tell: Vitest would end the process, as if the target had failed.
        .catch((error: unknown): Answer => {
          broken.push(error);
          return { id: ask, outcome: 'failed', message: 'an error of the suite itself' };
        })
        .then((answer) => channel.postMessage(answer));
    });
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
      ...passed,
      reporters: [{}, ...passed.reporters],
    };
    const exitCode = process.exitCode;
    process.on('newListener', endedByTheRunAlone);
    // Nothing of the folder that the program is called in is read: no configuration, no environment.
    const isolated = {
      configFile: false,
      envDir: false,
      clearScreen: false,
      logLevel: 'error',
      test: settings,
    } as const;
    const vitest = await createVitest('test', { watch: false, config: false }, isolated).catch(
      (error: unknown) => {
        process.off('newListener', endedByTheRunAlone);
        channel.close();
        throw explained(error, passed);
      },
    );
    const stop = (): void => void vitest.cancelCurrentRun('keyboard-input');
    signal.addEventListener('abort', stop, { once: true });
    // While Vitest starts its worker, which takes longer than anything else.
    void engine.open().catch(() => undefined);
    try {
      await vitest.start();
      if (broken.length > 0) throw broken[0];
      const errors = vitest.state.getUnhandledErrors();
      if (errors.length > 0)
        throw new Error(
          `Vitest failed: ${String(errors[0] instanceof Error ? errors[0].message : errors[0])}`,
        );
    } finally {
      signal.removeEventListener('abort', stop);
      await vitest.close();
      process.off('newListener', endedByTheRunAlone);
      channel.close();
      // The record decides it.
      process.exitCode = exitCode;
    }
    return passed.bail === undefined ? {} : { reason: 'not reached: the run stopped at a failure (--bail)' };
  };
}

/** @throws UsageProblem for a pattern that leaves nothing to judge: such a run would show nothing. */
function checkPattern(pattern: string | undefined, { stages }: Engine): void {
  if (pattern === undefined) return;
  const names = stages.flatMap(({ phase, ids }) => ids.map((id) => testName(phase, id)));
  if (names.some((name) => RegExp(pattern).test(name))) return;
  throw new UsageProblem(
    `nothing is left to judge: -t ${JSON.stringify(pattern)} matches no requirement that is selected`,
  );
}

/** As Vitest puts it together. */
function testName(phase: string, id: RequirementId): string {
  return `${phase} ${id} ${requirementRow(id).title}`;
}

/** Vitest and Vite would end the process at once on a signal: the run ends it, when its record is written. */
function endedByTheRunAlone(event: string | symbol, listener: (...arguments_: unknown[]) => void): void {
  if (event === 'SIGINT' || event === 'SIGTERM') {
    queueMicrotask(() => process.removeListener(event, listener));
  }
}

function provided(run: string, engine: Engine): Provided {
  return {
    run,
    stages: engine.stages.map(({ phase, ids }) => ({
      phase,
      tests: ids.map((id) => ({ id, title: requirementRow(id).title })),
    })),
  };
}

async function answer(engine: Engine, id: string, strict: boolean): Promise<Answer> {
  if (!isRequirementId(id)) return { id, outcome: 'failed', message: 'not in the catalogue' };
  const result = await engine.judge(id);
  return { id, ...outcomeOf(result, strict) };
}

function outcomeOf(result: RequirementResult, strict: boolean): Omit<Answer, 'id'> {
  const message = result.findings.map(findingText).join('\n\n') || (result.reason ?? '');
  switch (result.verdict) {
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
      return { outcome: 'skipped', message: `${result.verdict}: ${message}` };
  }
}

function findingText({
  message,
  expected,
  received,
  reproduce,
}: RequirementResult['findings'][number]): string {
  const lines = [
    message,
    expected && `expected: ${expected}`,
    received && `received: ${received}`,
    reproduce,
  ];
  return lines.filter((line) => line !== undefined && line !== '').join('\n');
}
