/** Milliseconds of `250ms`, `30s`, `5m`, `2h`; undefined for other texts. A number alone has no meaning. */
export function durationOf(text: string): number | undefined {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|min|h)$/.exec(text.trim()) ?? [];
  const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, min: 60_000, h: 3_600_000 };
  return number === undefined ? undefined : Number(number) * (units[unit] ?? Number.NaN);
}
