/** How many of the ascending times are not after `time`. */
export function notAfter(times: readonly number[], time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? Infinity) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function ascending(times: readonly number[]): readonly number[] {
  return times.toSorted((a, b) => a - b);
}
