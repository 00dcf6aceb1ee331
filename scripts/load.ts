import { randomInt, randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { createLogUpdate } from 'log-update';
import { redactionOfProgram } from '../lib/command-line/secrets.js';
import { invocationOf } from '../lib/usage/invocation.js';
import { UsageProblem } from '../lib/usage/usage-problem.js';
import { systemClock } from '../lib/http/clock/clock.js';
import { loadLine, loadPlan, type LoadLine } from '../lib/sustained/load-options.js';
import type { LoadState } from '../lib/sustained/tally.js';
import { performLoad } from '../lib/sustained/perform-load.js';
import { startReference } from '../lib/run/embedded.js';
import { freeRunFolder, OutputProblem, RecordLost } from '../lib/record/run-files.js';
import type { Target } from '../lib/target/target.js';
import { readEnvironment } from '../lib/target/environment.js';
import { resolveTarget } from '../lib/target/read-target.js';
import { loadProgress } from '../lib/sustained/progress-line.js';
import { loadExitCode, loadLines } from '../reports/summary/load-summary.js';
import { drawingWidth, terminalWidth } from '../lib/usage/terminal-width.js';
import { interruption } from './interruption.js';

/** `npm run load`: a steady load under the plan's rate, and whether what came back kept its bounds. */

const invocation = invocationOf('load', process.argv);

const help = `${invocation} [options]: a steady load under the plan's rate.
Without a target: the embedded reference service.

  --target=NAME | --base-url=URL --api-key=KEY   as for npm test; --plan, --per-minute, --per-day
  --duration=30s        how long: 30s, 5m, 2h
  --rate=auto           evenly spaced arrivals: 10/s, 55/min; auto: nine tenths of the plan
  --mix=listPets:8,createPet:1,getPet:1          shares of the operations
  --connections=50      requests under way at once
  --p50 --p90 --p99 --p999 --max=250ms           longest latency, from the planned moment
  --errors=0 --refused=0.1%                      most errors, most 429
  --goodput=9.5/s       fewest successful answers a second
  --output=DIR          where the run's files go
  --seed=N              names of the animals that are created
  --read-only  --allow-writes  --allow-load (production)  --ca=FILE  --insecure

Exit: 0 every bound kept, 1 one missed, 2 usage, 3 the target was lost, 130 interrupted
`;

const { stdout, stderr, env } = process;

async function main(argv: readonly string[]): Promise<number> {
  const line = loadLine(argv);
  if (line.help) {
    stdout.write(help);
    return 0;
  }
  const environment = readEnvironment(process.cwd(), env);
  const configured = resolveTarget(line.target, environment);
  const embedded = configured ? undefined : await startReference();
  const target = configured ?? embedded?.target;
  if (!target) throw new Error('a load has a target');
  try {
    return await send(line, target, environment.values);
  } finally {
    await embedded?.service.close();
  }
}

async function send(
  line: LoadLine,
  target: Target,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const { ratePerSecond, mix } = loadPlan(line, target);
  const id = randomUUID();
  const moment = new Date().toISOString().replaceAll(':', '-').slice(0, 19);
  const directory =
    line.output === undefined
      ? freeRunFolder(resolve('reports', 'runs', `${moment}-load-${target.name}`))
      : resolve(line.output);
  const signal = interruption('the load');
  const progress = progressOn();
  const record = await performLoad({
    id,
    target,
    environment,
    ratePerSecond,
    mix,
    durationMs: line.durationMs,
    connections: line.connections,
    thresholds: line.thresholds,
    seed: line.seed ?? randomInt(2 ** 32),
    directory,
    command: `${invocation} ${withoutKeys(process.argv.slice(2)).join(' ')}`.trim(),
    clock: systemClock,
    signal,
    progress: progress.tell,
  }).finally(progress.end);
  const { writeReports } = await import('../reports/write-reports.js');
  await writeReports(directory, ['html']);
  stdout.write(`${loadLines(record).join('\n')}\nReport       ${join(directory, 'report.html')}\n`);
  return signal.aborted ? 130 : loadExitCode(record);
}

/** The command as it is recorded: a key on it is replaced. */
function withoutKeys(argv: readonly string[]): string[] {
  return argv.map((argument, index) => {
    if (argument.startsWith('--api-key=')) return '--api-key=$PETSTORE_API_KEY';
    return argv[index - 1] === '--api-key' ? '$PETSTORE_API_KEY' : argument;
  });
}

function progressOn(): { tell: (state: LoadState) => void; end: () => void } {
  if (drawingWidth(stderr) === undefined) {
    let last = Number.NEGATIVE_INFINITY;
    return {
      tell(state) {
        if (state.elapsedMs - last < 10_000) return;
        last = state.elapsedMs;
        stderr.write(`${loadProgress(state)}\n`);
      },
      end: () => undefined,
    };
  }
  const log = createLogUpdate(stderr, { showCursor: true });
  return {
    tell: (state) => log(loadProgress(state).slice(0, terminalWidth(stderr) - 1)),
    end: () => log.clear(),
  };
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageProblem || error instanceof OutputProblem || error instanceof RecordLost))
    throw error;
  // What was measured is told all the same.
  if (error instanceof RecordLost) stdout.write(`${loadLines(error.record).join('\n')}\n`);
  stderr.write(`petstore-load: ${redactionOfProgram(process)(error.message)}\n`);
  process.exitCode = error instanceof RecordLost ? 3 : 2;
}
