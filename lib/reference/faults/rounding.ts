import { isInt64 } from '../operations/integers.js';

/**
 * The integer that is left of one that went through a double, as in JavaScript's JSON.parse. Where rounding leaves int64
 * it stays as it is, so that nothing but digits is wrong.
 */
export function throughDouble(integer: bigint): bigint {
  const double = BigInt(Number(integer));
  return isInt64(double) ? double : integer;
}
