import * as fc from 'fast-check';

/** Ranges of code units in which texts go wrong: controls, ASCII, what has no width or turns direction, surrogates. */
const codeUnits = fc.oneof(
  fc.integer({ min: 0x00, max: 0x1f }),
  fc.integer({ min: 0x20, max: 0x7e }),
  fc.integer({ min: 0x7f, max: 0xa0 }),
  fc.integer({ min: 0x2000, max: 0x206f }),
  fc.integer({ min: 0xd800, max: 0xdfff }),
  fc.integer({ min: 0x00, max: 0xffff }),
);

/** Any text that JavaScript can hold; much faster to begin with than fast-check's own of every character. */
export const anyText = fc.array(codeUnits, { maxLength: 40 }).map((units) => String.fromCharCode(...units));
