import { existsSync, readdirSync, statSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { redactFromMessages, redactionOfProgram } from '../lib/options/command-redaction.js';
import { readOptions, readSources } from '../lib/options/read-options.js';
import { fleetPlan, fleetPlanText } from '../lib/fleet/fleet-plan.js';
import { keepFleet, LedgersRefused, readFleet } from '../lib/fleet/fleet-files.js';
import { launcherFiles, launcherNames, startTimes } from '../lib/fleet/launchers.js';
import { mergeLedgers } from '../lib/fleet/merge.js';
import { mostMeasurements } from '../lib/fleet/share.js';
import { runWorker } from '../lib/fleet/worker.js';
import { openRunFiles, withRunFolder } from '../lib/record/run-files.js';
import { loadOptions, loadPlan } from '../lib/sustained/load-options.js';
import { thresholdNames } from '../lib/sustained/thresholds.js';
import { durationOf } from '../lib/usage/duration.js';
import { suiteDigest } from '../lib/run/suite-code.js';
import { packageFile, suiteName, suiteVersion } from '../lib/run/suite-name.js';
import { systemClock } from '../lib/http/clock/clock.js';
import { variableOf } from '../lib/target/environment.js';
import { invocationOf, optionLines, readCommandLine, valuesTyped } from '../lib/usage/command-line.js';
import {
  checkOptions,
  oneOf,
  onOff,
  option,
  readAs,
  text,
  wholeNumber,
} from '../lib/usage/options-schema.js';
import { UsageProblem } from '../lib/usage/usage-problem.js';
import { terminalWidth } from '../lib/usage/terminal.js';
import { writeReports } from '../reports/renderers.js';
import { loadExitCode } from '../reports/summary/load-summary.js';
import { renderTerminal } from '../reports/terminal/terminal-report.js';
import { complain, interruption, print } from './run-command.js';
import { runFolder } from './run-folder.js';

/** `load plan`, `load part` and `load merge`: a load that several machines send, and one record of it. */

const startRule = readAs((typed) => {
  if (typed === 'reset') return { rule: 'reset' as const, everyMs: 60_000 };
  const everyMs = durationOf(/^grid:(.+)$/.exec(typed)?.[1] ?? '');
  return everyMs !== undefined && everyMs >= 1_000 ? { rule: 'grid' as const, everyMs } : undefined;
}, 'must be reset, or grid: and a time of at least a second (grid:60s)');

// A fleet starts no service: `--start` is when it begins.
const { start: _start, wait: _wait, ...ofLoad } = loadOptions;
const planOptions = {
  ...ofLoad,
  workers: option(wholeNumber(1, 1_000), { value: '4', help: 'how many share the load' }),
  volley: option(wholeNumber(1, 100_000), {
    value: 'N',
    help: 'requests sent at once when the load is over',
  }),
  maxRequests: option(wholeNumber(1, 1_000_000_000), { value: 'N', help: 'the budget of the fleet' }),
  startAt: option(startRule, {
    flag: 'start',
    value: 'grid:60s',
    help: "by the target's clock: its next minute, or Reset",
  }),
  launcher: option(oneOf(launcherNames), { value: 'NAME', help: 'artillery, kubernetes, github: a folder' }),
};

const partOptions = {
  worker: option(wholeNumber(0, 999), { value: 'N', help: 'from 0; by default the first that is free' }),
  ledger: option(text, { value: 'FILE', help: 'the file of its ledger (-: standard output)' }),
  help: onOff({ help: 'this text', short: 'h' }),
};

const { output, overwrite, help } = loadOptions;
const mergeOptions = { output, overwrite, help };

const commands: Readonly<Record<string, (argv: readonly string[]) => Promise<number>>> = {
  plan: planFleet,
  part: sendPart,
  merge: mergeFleet,
};

/** The command of a fleet that a command line begins with, if it begins with one. */
export function fleetCommand([name = '', ...rest]: readonly string[]): (() => Promise<number>) | undefined {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  return command && (() => command(rest));
}

/** Milliseconds after its first moment in which a plan may be started. */
const validMs = 3_600_000;

async function planFleet(argv: readonly string[]): Promise<number> {
  const invocation = `${invocationOf('load', process.argv)} plan`;
  const { typed } = readCommandLine(argv, planOptions, { operand: 'baseUrl' });
  if (typed['help'])
    return print(
      `${invocation} [options]: what each worker of a fleet sends, in plan.json.\n\n${optionLines(planOptions)}\n`,
    );
  const sources = await readSources();
  const targetName = typeof typed['target'] === 'string' ? typed['target'] : undefined;
  const keyVariable = targetName === undefined ? 'PETSTORE_API_KEY' : variableOf(targetName, 'API_KEY');
  // Whoever plans need not have the key.
  const values = {
    ...sources.values,
    [keyVariable]: sources.values[keyVariable] ?? 'no-key-is-needed-to-plan',
  };
  const request = readOptions(invocation, planOptions, typed, { ...sources, values });
  const { target } = request;
  if (!target) throw new UsageProblem('a fleet needs a target: give --base-url=URL or --target=NAME');
  redactFromMessages(target.apiKey);
  const load = loadPlan(request.values, target);
  const { workers = 4, volley = 0, launcher, connections = 50, seed = 0 } = request.values;
  const count = Math.max(1, Math.floor((load.ratePerSecond * load.durationMs) / 1_000));
  const { leadMs, everyMs } = startTimes[launcher ?? 'none'];
  const start = request.values.startAt ?? { rule: 'grid' as const, everyMs };
  // On the grid, so that a window of the target's clock begins with the load.
  const notBefore = Math.ceil((systemClock.now() + leadMs) / start.everyMs) * start.everyMs;
  const plan = fleetPlan({
    format: 'petstore-conformance-plan/1',
    suite: { name: suiteName, version: suiteVersion, digest: suiteDigest() },
    workers,
    seed,
    target: {
      name: target.name,
      baseUrl: target.baseUrl,
      plan: { ...target.plan },
      planGiven: target.planGiven,
      readOnly: target.readOnly,
      keyVariable,
      insecure: target.insecure === true,
      timeoutMs: target.deadlineMs,
      ...(target.categoryId !== undefined && { categoryId: String(target.categoryId) }),
    },
    load: {
      ratePerSecond: load.ratePerSecond,
      durationMs: load.durationMs,
      mix: load.mix,
      count,
      volley,
      connections,
      thresholds: thresholdNames.flatMap((name) => {
        const threshold = request.values[name];
        return threshold ? [{ name, text: threshold.text }] : [];
      }),
    },
    budget: request.values.maxRequests ?? count + volley + workers * mostMeasurements,
    start: { ...start, notBefore, latest: notBefore + validMs },
  });
  const file = request.values.output ?? (launcher === undefined ? 'plan.json' : `fleet-${launcher}`);
  if (launcher === undefined) {
    await writeFile(file, fleetPlanText(plan));
    return print(`${file}\n`);
  }
  await mkdir(file, { recursive: true });
  const files = { ...launcherFiles(launcher, plan), 'plan.json': fleetPlanText(plan) };
  for (const [name, content] of Object.entries(files)) await writeFile(join(file, name), content);
  await copyFile(workerFile(), join(file, 'worker.cjs'));
  return print(`${join(file, 'README.md')}\n`);
}

/** The one file that the build makes of a worker. */
function workerFile(): string {
  const file = fileURLToPath(packageFile('dist/worker.cjs'));
  if (!existsSync(file)) throw new UsageProblem('worker.cjs is not built: run npm run build');
  return file;
}

async function sendPart(argv: readonly string[]): Promise<number> {
  const invocation = `${invocationOf('load', process.argv)} part`;
  const { typed, operands } = readCommandLine(argv, partOptions, { operands: true });
  if (typed['help'])
    return print(
      `${invocation} plan.json [options]: sends one worker's part, and writes its ledger.\n\n${optionLines(partOptions)}\n`,
    );
  const [planFile, ...more] = operands;
  if (planFile === undefined || more.length > 0)
    throw new UsageProblem(`usage: ${invocation} plan.json [--worker=N]`);
  const { worker, ledger } = checkOptions(
    partOptions,
    valuesTyped(partOptions, typed),
    ([name = '']) => `--${name}`,
  );
  const environment = (await readSources()).values;
  const signal = interruption('ending the part: its ledger is being written');
  const written = await runWorker({ planFile: existing(planFile), worker, ledger, environment, signal });
  if (written !== '-') print(`${written}\n`);
  return signal.aborted ? 130 : 0;
}

function existing(file: string): string {
  if (!existsSync(file)) throw new UsageProblem(`${file} is not there: make it with load plan`);
  return resolve(file);
}

async function mergeFleet(argv: readonly string[]): Promise<number> {
  const invocation = `${invocationOf('load', process.argv)} merge`;
  const { typed, operands } = readCommandLine(argv, mergeOptions, { operands: true });
  if (typed['help'])
    return print(
      `${invocation} plan.json LEDGER|FOLDER… [options]: one run of the ledgers of all workers.\n\n${optionLines(mergeOptions)}\n`,
    );
  const [planFile, ...given] = operands;
  if (planFile === undefined || given.length === 0)
    throw new UsageProblem(`usage: ${invocation} plan.json LEDGER|FOLDER… [--output=DIR]`);
  const values = checkOptions(mergeOptions, valuesTyped(mergeOptions, typed), ([name = '']) => `--${name}`);
  let fleet;
  try {
    fleet = readFleet(existing(planFile), given.flatMap(ledgersIn));
  } catch (error) {
    if (!(error instanceof LedgersRefused)) throw error;
    for (const reason of error.reasons) await complain('petstore-load', reason);
    await complain('petstore-load', 'the ledgers are not merged: nothing can be said of the load');
    return 3;
  }
  const { plan } = fleet;
  const directory = runFolder(values.output, `fleet-${plan.target.name}`);
  return withRunFolder(directory, async () => {
    const files = openRunFiles(directory, { overwrite: values.overwrite });
    const command = redactionOfProgram(process)(['petstore-conformance load merge', ...argv].join(' '));
    keepFleet(directory, fleet);
    const record = await mergeLedgers({
      ...fleet,
      evidence: files.evidence,
      command,
      environment: process.env,
    });
    files.writeRecord(record);
    files.evidence.close();
    await writeReports(directory, ['html']);
    print(renderTerminal(record, { columns: terminalWidth(process.stdout), colour: false, directory }));
    return loadExitCode(record);
  });
}

/** The ledgers in a folder, or a file. */
function ledgersIn(path: string): string[] {
  if (!existsSync(path))
    throw new UsageProblem(`${path} is not there: a ledger or a folder of ledgers is expected`);
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => /\.(?:jsonl|log|txt)$/.test(name))
    .map((name) => join(path, name));
}
