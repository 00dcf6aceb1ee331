const int64Minimum = -(2n ** 63n);
const int64Maximum = 2n ** 63n - 1n;

export function isInt64(value: bigint): boolean {
  return value >= int64Minimum && value <= int64Maximum;
}

/** The integer that a text writes in its one canonical form (`12`, `-3`; not `012`, `+12`, `12.0`), else undefined. */
export function canonicalInteger(text: string): bigint | undefined {
  return /^(?:0|-?[1-9]\d*)$/.test(text) ? BigInt(text) : undefined;
}
