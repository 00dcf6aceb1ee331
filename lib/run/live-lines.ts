import { terminalWidth } from '../explain/terminal.js';

/** Milliseconds between two drawings on a terminal, and between two lines in a log. */
const redrawEvery = 80;
const lineEvery = 15_000;

/** Lines that change on a terminal, and now and then a line of their own in a log. */
export async function liveLines(
  stream: NodeJS.WriteStream,
  lines: (isLog: boolean) => readonly string[],
): Promise<{ readonly isLog: boolean; readonly end: () => void }> {
  const isLog = terminalWidth(stream) === undefined;
  // What draws is loaded for a terminal alone.
  const log = isLog ? undefined : (await import('log-update')).createLogUpdate(stream, { showCursor: true });
  const timer = setInterval(
    () => (log ? log(lines(false).join('\n')) : stream.write(`${lines(true).join('; ')}\n`)),
    isLog ? lineEvery : redrawEvery,
  );
  timer.unref();
  return {
    isLog,
    end() {
      clearInterval(timer);
      log?.clear();
    },
  };
}
