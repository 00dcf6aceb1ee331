import { outputOptions } from '../lib/options/run-options.js';
import { systemClock } from '../lib/http/clock/clock.js';
import type { RunRecord } from '../lib/evidence/record/record.js';
import { writeRun } from '../lib/evidence/record/run-files.js';
import { UsageProblem } from '../lib/explain/usage-problem.js';
import { checkCommandLine, readCommandLine } from '../lib/options/command-line.js';
import { redactionOfProgram } from '../lib/options/command-redaction.js';
import { loadCommand, loadOptions, loadPlan } from '../lib/options/load-options.js';
import { readOptions, withTarget } from '../lib/options/request.js';
import { withService } from '../lib/options/with-service.js';
import { LoadCounter } from '../lib/load/load-counter.js';
import { ledgerFile, readLedger } from '../lib/load/ledger.js';
import type { Activity } from '../lib/limits/probe/session.js';
import { mergeShares, type ShareRun } from '../lib/load/merge-shares.js';
import { activityLines, liveLines } from '../lib/run/progress.js';
import { runLoad } from '../lib/run/run-load.js';
import { readFinishedRun } from '../reports/finished-run.js';
import { writeReports } from '../reports/renderers.js';
import { loadResult } from '../reports/summary/measurements.js';
import { renderTerminal } from '../reports/terminal/terminal-report.js';
import { verifyRun } from '../reports/verify/verify-run.js';
import { complain, interruption, layout, print, runFolder } from './run-command.js';

/** `load`: a steady load under the plan's limit, and whether what came back kept its bounds. */
export async function main(argv: readonly string[]): Promise<number> {
  if (argv[0] === 'merge') return mergeLoad(argv.slice(1));
  const { typed } = readCommandLine(argv, loadCommand);
  const request = await readOptions('load', loadOptions, typed);
  return withTarget(request, async (target) => {
    const { start, wait, overwrite, output } = request.values;
    const plan = loadPlan(request.values, target, systemClock.now());
    const directory = runFolder(output, `load-${target.name}`);
    const signal = interruption('ending the load: its record is being written');
    const load = { ...request, target, plan, directory, signal, clock: systemClock };
    return withService({ ...load, start, wait, overwrite, complain }, async () => {
      const counter = new LoadCounter();
      let current: Activity | null = { text: 'preparing the load' };
      const listener = { activity: (next: Activity | null): void => void (current = next) };
      const end = await liveLines(process.stderr, () => {
        const { sent, good, refused, errors, notSent, withheld, latency } = counter.figures;
        const { p50 = 0, p99 = 0 } = latency ?? {};
        return [
          `${sent} sent, ${good} good, ${refused} rejected with 429, ${errors} errors, ${notSent + withheld} not sent`,
          `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
          ...activityLines(current, systemClock.now()),
        ];
      });
      const record = await runLoad({ ...load, counter, listener }).finally(end);
      const code = await told(record, directory);
      return signal.aborted ? 130 : code;
    });
  });
}

/** Prints a load whose files are written; gives its exit code. */
async function told(record: RunRecord, directory: string): Promise<number> {
  await writeReports(directory, ['html']);
  print(renderTerminal(record, { ...layout, directory }));
  return loadResult(record).exitCode;
}

/** `load merge DIR…`: one run of the whole load, from the folders of its shares. */
async function mergeLoad(argv: readonly string[]): Promise<number> {
  const { values, operands } = checkCommandLine(argv, {
    name: 'load merge',
    operands: 'DIR…',
    options: outputOptions,
    summary: 'One run of the shares of a load.',
    closing: 'Exit: as that of a load; 2 if the folders are not all shares of one load',
  });
  const shares: ShareRun[] = [];
  for (const directory of operands) shares.push(await readShare(directory));
  const command = redactionOfProgram()(['petstore-conformance load merge', ...argv].join(' '));
  const merged = mergeShares(shares, command);
  const directory = runFolder(values.output, `load-${merged.record.target.name}`);
  writeRun(directory, merged, values.overwrite);
  const append = ledgerFile(directory);
  for (const line of merged.lines) append(line);
  return told(merged.record, directory);
}

/**
 * A share that its evidence proves: what was changed in it would change the whole.
 * @throws UsageProblem that says what is wrong with the folder
 */
async function readShare(directory: string): Promise<ShareRun> {
  const { record, exchanges } = await readFinishedRun(directory);
  const { code, remarks } = await verifyRun(directory);
  // An unfinished share is merged: then the whole is unfinished, too.
  if (code === 1 || (code === 3 && record.run.complete)) {
    const wrong = remarks.filter(({ mark }) => /[✗?]/u.test(mark)).map(({ text }) => text);
    throw new UsageProblem(`${directory}: ${wrong.join('; ')}`);
  }
  return { directory, record, lines: await readLedger(directory), exchanges: exchanges() };
}
