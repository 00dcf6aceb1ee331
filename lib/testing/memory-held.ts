/** Bytes that this thread holds; what others of the process do meanwhile is not its doing. */
export function memoryHeld(): number {
  const { heapTotal, external } = process.memoryUsage();
  return heapTotal + external;
}
