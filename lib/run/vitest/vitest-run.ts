import { randomUUID } from 'node:crypto';
import { dirname, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BroadcastChannel } from 'node:worker_threads';
import { createVitest, type InlineConfig } from 'vitest/node';
import type { Finding, RequirementResult } from '../../record/record.js';
import { isRequirementId, requirementRow } from '../../specification/catalogue.js';
import { logText, printable } from '../../usage/printable.js';
import { UsageProblem } from '../../usage/usage-problem.js';
import type { Driver } from '../conformance.js';
import type { Engine } from '../engine.js';
import { channelName, outcomeRequestSchema, type Outcome, type Provided } from './vitest-message.js';
import { explained, passedOptions, type GivenOptions, type PassedOptions } from './vitest-options.js';
import { leftToVitest } from '../../record/cut-off.js';

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
    const conformance = provided(engine);
    checkPattern(passed.testNamePattern, conformance);
    const channel = new BroadcastChannel(channelName(conformance.run));
    const errors: unknown[] = [];
    const underWay = new Set<Promise<unknown>>();
    channel.addEventListener('message', (event: unknown) => {
      const request = outcomeRequestSchema.safeParse((event as MessageEvent).data);
      if (!request.success) return;
      const { judge: id } = request.data;
      const judged = judge(engine, id, strict)
        // An error of the suite ends the run: Vitest would end the process, as if the target had failed.
        .catch((error: unknown): Outcome => {
          errors.push(error);
          return { id, outcome: 'failed', message: 'an error of the suite itself' };
        })
        .then((outcome) => channel.postMessage(outcome))
        .finally(() => underWay.delete(judged));
      underWay.add(judged);
    });
    const { exitCode } = process;
    process.on('newListener', endedByTheRunAlone);
    try {
      const config = isolatedConfig(passed, conformance);
      const vitest = await createVitest('test', { watch: false, config: false }, config);
      const stop = (): void => void vitest.cancelCurrentRun('keyboard-input');
      signal.addEventListener('abort', stop, { once: true });
      // While Vitest starts its worker, which takes longer than anything else.
      void engine.open().catch(() => undefined);
      try {
        await vitest.start();
        // Vitest may stop at a failure (--bail): what has been requested is judged to its end all the same.
        await Promise.all(underWay);
        errors.push(...vitest.state.getUnhandledErrors());
        if (errors.length > 0) throw errors[0];
      } finally {
        signal.removeEventListener('abort', stop);
        await vitest.close();
      }
    } catch (error) {
      throw explained(error, passed);
    } finally {
      process.off('newListener', endedByTheRunAlone);
      channel.close();
      // The record decides the exit code.
      process.exitCode = exitCode;
    }
    return passed.bail === undefined ? {} : { reason: leftToVitest.bail };
  };
}

/** Nothing of the folder that the program is called in is read: no configuration, no environment. */
function isolatedConfig({ reporters, ...passed }: PassedOptions, conformance: Provided) {
  const test: InlineConfig = {
    root: here,
    include: [`conformance.suite${extname(fileURLToPath(import.meta.url))}`],
    exclude: [],
    cache: false,
    pool: 'threads',
    isolate: false,
    fileParallelism: false,
    maxWorkers: 1,
    // The client alone limits what is under way at once.
    maxConcurrency: 1_000,
    // The client has deadlines; a wait for the limiter may take a minute.
    testTimeout: 0,
    hookTimeout: 0,
    passWithNoTests: true,
    provide: { conformance },
    ...passed,
    reporters: [{}, ...reporters],
  };
  return { configFile: false, envDir: false, clearScreen: false, logLevel: 'error', test } as const;
}

/** @throws UsageProblem for a pattern that leaves nothing to judge: such a run would show nothing. */
function checkPattern(pattern: string | undefined, { stages }: Provided): void {
  // As Vitest puts the names together.
  const names = stages.flatMap(({ phase, tests }) => tests.map(({ id, title }) => `${phase} ${id} ${title}`));
  if (pattern === undefined || names.some((name) => RegExp(pattern).test(name))) return;
  throw new UsageProblem(
    `nothing is left to judge: -t ${JSON.stringify(pattern)} matches no selected requirement`,
  );
}

/** Vitest and Vite would end the process at once on a signal: the run ends it, when its record is written. */
function endedByTheRunAlone(event: string | symbol, listener: (...arguments_: unknown[]) => void): void {
  if (event === 'SIGINT' || event === 'SIGTERM' || event === 'SIGHUP')
    queueMicrotask(() => process.removeListener(event, listener));
}

function provided({ stages }: Engine): Provided {
  return {
    run: randomUUID(),
    stages: stages.map(({ phase, ids }) => ({
      phase,
      tests: ids.map((id) => ({ id, title: requirementRow(id).title })),
    })),
  };
}

async function judge(engine: Engine, id: string, strict: boolean): Promise<Outcome> {
  if (!isRequirementId(id)) throw new Error(`${id} is not in the catalogue`);
  const { verdict, findings, reason = '' } = await engine.judge(id);
  const message = findings.map(findingText).join('\n\n') || logText([printable(reason)]);
  const outcome = outcomes[verdict];
  if (outcome === 'skipped') return { id, outcome, message: `${verdict}: ${message}` };
  return { id, outcome: strict && verdict === 'warn' ? 'failed' : outcome, message };
}

const outcomes = {
  fail: 'failed',
  warn: 'passed',
  pass: 'passed',
  observed: 'passed',
  inconclusive: 'skipped',
  'not-applicable': 'skipped',
  'not-tested': 'skipped',
} as const satisfies Record<RequirementResult['verdict'], Outcome['outcome']>;

/** For Vitest's reporters, which print it as it is: text of the target must not move the cursor, nor command a CI. */
function findingText({ message, expected, received, reproduce }: Finding): string {
  const lines = [
    message,
    expected && `expected: ${expected}`,
    received && `received: ${received}`,
    reproduce,
  ];
  return logText(lines.flatMap((line) => (line === undefined || line === '' ? [] : [printable(line)])));
}
