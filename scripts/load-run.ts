import { systemClock } from '../lib/http/clock/clock.js';
import { redactionOfProgram } from '../lib/options/command-redaction.js';
import { liveLines } from '../lib/run/live-lines.js';
import { withService } from '../lib/options/with-service.js';
import { runLoad, type LoadProgress, type LoadRequest } from '../lib/run/run-load.js';
import { writeReports } from '../reports/renderers.js';
import { loadExitCode } from '../reports/summary/load-summary.js';
import { renderTerminal } from '../reports/terminal/terminal-report.js';
import { duration } from '../reports/text/quantity.js';
import { complain, interruption, layout, print, runFolder } from './run-command.js';

/** Sends the load, prints its result, and gives the exit code. */
export async function showLoad(request: LoadRequest): Promise<number> {
  const { start, wait, overwrite, output } = request.values;
  const directory = runFolder(output, `load-${request.target.name}`);
  const signal = interruption('ending the load: its record is being written');
  const redact = redactionOfProgram(process).received;
  const own = { directory, signal, clock: systemClock };
  return withService({ ...request, ...own, start, wait, overwrite, redact, complain }, async () => {
    let state: (() => LoadProgress) | undefined;
    const begun = (asked: () => LoadProgress): void => void (state = asked);
    const live = await liveLines(process.stderr, () => [
      state ? progressLine(state(), request.plan) : 'preparing the load',
    ]);
    const record = await runLoad({ ...request, ...own, begun }).finally(() => live.end());
    await writeReports(directory, ['html']);
    print(renderTerminal(record, { ...layout, directory }));
    return signal.aborted ? 130 : loadExitCode(record);
  });
}

function progressLine(state: LoadProgress, { durationMs }: LoadRequest['plan']): string {
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
