/**
 * Columns of a terminal. Undefined for what is none, and for a pseudo-terminal that nobody gave a size (0 columns): lines
 * can't be drawn over each other there.
 */
export function terminalWidth({ isTTY, columns }: Partial<NodeJS.WriteStream>): number | undefined {
  return isTTY === true && columns !== undefined && columns > 0 ? columns : undefined;
}
