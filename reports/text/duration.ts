const units = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
] as const;

/** Milliseconds in the unit that people would use, from two of it on: `4.2 s`, `119.0 s`, `3.5 minutes`, `2.0 days`. */
export function duration(milliseconds: number): string {
  const [name, length] = units.find(([, length]) => milliseconds >= 2 * length) ?? ['s', 1_000];
  return `${(milliseconds / length).toFixed(1)} ${name}`;
}
