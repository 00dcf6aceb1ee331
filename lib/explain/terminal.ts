/** The width of what is no terminal: a log, a file. */
const widthOfALog = 80;

/**
 * Columns of a terminal. Undefined for what is none, and for a pseudo-terminal that nobody gave a size (0 columns): lines
 * can't be drawn over each other there.
 */
export function drawingWidth({ isTTY, columns }: Partial<NodeJS.WriteStream>): number | undefined {
  return isTTY === true && columns !== undefined && columns > 0 ? columns : undefined;
}

/** Columns that lines are broken to. */
export function terminalWidth(stream: Partial<NodeJS.WriteStream>): number {
  return drawingWidth(stream) ?? widthOfALog;
}
