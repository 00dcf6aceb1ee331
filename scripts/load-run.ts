import { join } from 'node:path';
import { createLogUpdate } from 'log-update';
import { systemClock } from '../lib/http/clock/clock.js';
import { RecordLost } from '../lib/record/run-files.js';
import { runLoad, type RunLoadOptions } from '../lib/sustained/run-load.js';
import type { LoadState } from '../lib/sustained/tally.js';
import { drawingWidth } from '../lib/usage/terminal-width.js';
import { loadExitCode, loadLines } from '../reports/summary/load-summary.js';
import { duration } from '../reports/text/duration.js';
import { writeReports } from '../reports/write-reports.js';
import { interruption } from './interruption.js';
import { complain } from './run-command.js';
import { runFolder } from './run-folder.js';

const { stdout, stderr } = process;

/** Sends the load, prints what it was like, and gives the exit code. */
export async function showLoad(
  options: Pick<RunLoadOptions, 'target' | 'plan' | 'values' | 'command' | 'environment'>,
): Promise<number> {
  const directory = runFolder(options.values.output, `load-${options.target.name}`);
  const signal = interruption('the load');
  const progress = progressOn();
  try {
    const record = await runLoad({
      ...options,
      directory,
      clock: systemClock,
      signal,
      progress: progress.show,
    }).finally(progress.end);
    await writeReports(directory, ['html']);
    stdout.write(`${loadLines(record).join('\n')}\nReport       ${join(directory, 'report.html')}\n`);
    return signal.aborted ? 130 : loadExitCode(record);
  } catch (error) {
    if (!(error instanceof RecordLost)) throw error;
    // What was measured is printed all the same.
    stdout.write(`${loadLines(error.record).join('\n')}\n`);
    await complain('petstore-load', error.message);
    return 3;
  }
}

/** A line that changes on a terminal; in a log, a line every ten seconds. */
function progressOn(): { show: (state: LoadState) => void; end: () => void } {
  const width = drawingWidth(stderr);
  if (width !== undefined) {
    const log = createLogUpdate(stderr, { showCursor: true });
    return { show: (state) => log(progressLine(state).slice(0, width - 1)), end: () => log.clear() };
  }
  let last = Number.NEGATIVE_INFINITY;
  return {
    show(state) {
      if (state.elapsedMs - last < 10_000) return;
      last = state.elapsedMs;
      stderr.write(`${progressLine(state)}\n`);
    },
    end: () => undefined,
  };
}

function progressLine(state: LoadState): string {
  const { sent, good, refused, errors, withheld, p50Ms, p99Ms, waitingMs } = state;
  return [
    `${duration(state.elapsedMs)} of ${duration(state.durationMs)}`,
    `${sent} sent, ${good} good, ${refused} rejected with 429, ${errors} errors${withheld > 0 ? `, ${withheld} withheld` : ''}`,
    `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`,
    ...(waitingMs > 0 ? [`waiting ${duration(waitingMs)} as the target asks`] : []),
  ].join('; ');
}
