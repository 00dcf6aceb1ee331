import { systemClock } from '../lib/http/clock/clock.js';
import { invocationOf, readCommandLine } from '../lib/options/command-line.js';
import { redactFromMessages } from '../lib/options/command-redaction.js';
import { loadCommand, loadOptions, loadPlan } from '../lib/options/load-options.js';
import { readOptions, readSources } from '../lib/options/read-options.js';
import { withTarget } from '../lib/options/run-request.js';
import { withService } from '../lib/options/with-service.js';
import { LoadCounter } from '../lib/load/load-counter.js';
import type { Activity } from '../lib/limits/probe/session.js';
import { activityLines, liveLines } from '../lib/run/progress.js';
import { runLoad } from '../lib/run/run-load.js';
import { recordFile } from '../reports/finished-run.js';
import { writeManifest } from '../reports/manifest.js';
import { loadExitCode } from '../reports/summary/load-summary.js';
import { renderTerminal } from '../reports/terminal/terminal-report.js';
import { complain, interruption, layout, print, runFolder } from './run-command.js';

/** `load`: a steady load under the plan's limit, and whether what came back kept its bounds. */
export async function main(argv: readonly string[]): Promise<number> {
  if (argv[0] === 'merge') return (await import('./load-merge.js')).mergeLoad(argv.slice(1));
  const invocation = invocationOf('load');
  const { typed } = readCommandLine(argv, loadCommand(invocation));
  const request = readOptions(invocation, loadOptions, typed, await readSources());
  redactFromMessages(request.target?.apiKey);
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
      const end = await liveLines(process.stderr, () => [
        ...progressLines(counter),
        ...activityLines(current, systemClock.now()),
      ]);
      const record = await runLoad({ ...load, counter, listener }).finally(end);
      await writeManifest(directory);
      print(renderTerminal(record, { ...layout, directory, file: recordFile }));
      return signal.aborted ? 130 : loadExitCode(record);
    });
  });
}

function progressLines({ figures, withheld }: LoadCounter): string[] {
  const { sent, good, refused, errors, notSent, latency: { p50 = 0, p99 = 0 } = {} } = figures;
  return [
    `${sent} sent, ${good} good, ${refused} rejected with 429, ${errors} errors, ${notSent + withheld} not sent`,
    `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
  ];
}
