import { drawingWidth, terminalWidth } from '../explain/terminal.js';

/** Milliseconds between two drawings on a terminal, and between two lines in a log. */
const redrawEvery = 80;
const lineEvery = 15_000;

interface LiveLines {
  readonly isLog: boolean;
  readonly end: () => void;
}

/** Lines that change on a terminal, and now and then a line of their own in a log. */
export async function liveLines(
  stream: NodeJS.WriteStream,
  lines: (isLog: boolean) => readonly string[],
): Promise<LiveLines> {
  // What draws is loaded for a terminal alone.
  const isTerminal = drawingWidth(stream) !== undefined;
  const [update, wrap] = isTerminal
    ? await Promise.all([import('log-update'), import('fast-wrap-ansi')])
    : [];
  const log = update?.createLogUpdate(stream, { showCursor: true });
  const fitted = (line: string): string =>
    wrap?.wrapAnsi(line, Math.max(20, terminalWidth(stream) - 1), { hard: true }) ?? line;
  const draw = (): void => log?.(lines(false).map(fitted).join('\n'));
  const timer = setInterval(
    () => (log ? draw() : stream.write(`${lines(true).join('; ')}\n`)),
    log ? redrawEvery : lineEvery,
  );
  timer.unref();
  return {
    isLog: log === undefined,
    end() {
      clearInterval(timer);
      log?.clear();
    },
  };
}
