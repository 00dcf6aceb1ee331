import { systemClock } from '../lib/http/clock/clock.js';
import { invocationOf, readCommandLine } from '../lib/options/command-line.js';
import { redactFromMessages } from '../lib/options/command-redaction.js';
import { loadCommand, loadOptions, loadPlan } from '../lib/options/load-options.js';
import { readOptions, readSources } from '../lib/options/read-options.js';
import { withTarget } from '../lib/options/run-request.js';
import { withService } from '../lib/options/with-service.js';
import { liveLines } from '../lib/run/live-lines.js';
import { runLoad, type LoadProgress } from '../lib/run/run-load.js';
import { writeReports } from '../reports/renderers.js';
import { loadExitCode } from '../reports/summary/load-summary.js';
import { renderTerminal } from '../reports/terminal/terminal-report.js';
import { duration } from '../reports/text/quantity.js';
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
      let state: (() => LoadProgress) | undefined;
      const begun = (asked: () => LoadProgress): void => void (state = asked);
      const live = await liveLines(process.stderr, () => [
        state ? progressLine(state(), plan.durationMs) : 'preparing the load',
      ]);
      const record = await runLoad({ ...load, begun }).finally(() => live.end());
      await writeReports(directory, ['html']);
      print(renderTerminal(record, { ...layout, directory }));
      return signal.aborted ? 130 : loadExitCode(record);
    });
  });
}

function progressLine(state: LoadProgress, durationMs: number): string {
  if (state.elapsedMs < 0) return `prepared; the load begins in ${duration(-state.elapsedMs)}`;
  const { withheld, waitingMs, figures } = state;
  const { sent, good, refused, errors, notSent, latency: { p50 = 0, p99 = 0 } = {} } = figures;
  return [
    `${duration(state.elapsedMs)} of ${duration(durationMs)}`,
    `${sent} sent, ${good} good, ${refused} rejected with 429, ${errors} errors, ${notSent + withheld} not sent`,
    `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
    ...(waitingMs > 0 ? [`waiting ${duration(waitingMs)} as the target asks`] : []),
  ].join('; ');
}
