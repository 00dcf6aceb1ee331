import * as fc from 'fast-check';

/** A key that looks like a real one and that nobody has. */
export const unknownKey: fc.Arbitrary<string> = fc.string({
  unit: fc.constantFrom(...'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'.split('')),
  minLength: 32,
  maxLength: 32,
});
