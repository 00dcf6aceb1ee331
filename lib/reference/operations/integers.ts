const int64Minimum = -(2n ** 63n);
const int64Maximum = 2n ** 63n - 1n;

export function isInt64(value: bigint): boolean {
  return value >= int64Minimum && value <= int64Maximum;
}

/** The integer that a text writes in its one canonical form (`12`, `-3`; not `012`, `+12`, `12.0`), else undefined. */
export function canonicalInteger(text: string): bigint | undefined {
  return /^(?:0|-?[1-9]\d*)$/.test(text) ? BigInt(text) : undefined;
}

/**
 * The integer that remains of one that went through a double, as with JavaScript's JSON.parse. If rounding would leave
 * int64 the integer is unchanged, so that only its digits are wrong.
 */
export function throughDouble(integer: bigint): bigint {
  const double = BigInt(Number(integer));
  return isInt64(double) ? double : integer;
}
