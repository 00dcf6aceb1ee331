import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordedBody } from './record-exchange.js';

function recorded(body: Uint8Array, truncated = false) {
  return recordedBody({ body, bytes: body.length, truncated });
}

describe('the body of a response is recorded', () => {
  it('as text, character for character, where it is UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        expect(recorded(Buffer.from(text))).toEqual({ text, bytes: Buffer.byteLength(text) });
      }),
    );
  });

  it('as base64, byte for byte, where it is not', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const body = Uint8Array.of(0xff, ...bytes);
        expect(recorded(body)).toEqual({ base64: Buffer.from(body).toString('base64'), bytes: body.length });
      }),
    );
  });

  it('with its byte order mark, which JSON must not have', () => {
    expect(recorded(Buffer.from('\ufeff[]')).text).toBe('\ufeff[]');
  });

  it('without text where there is none', () => {
    expect(recorded(new Uint8Array())).toEqual({ bytes: 0 });
  });

  it('up to the first 16 KB where it was cut off, even in the middle of a character', () => {
    for (let shift = 0; shift < 4; shift += 1) {
      const body = Buffer.from('x'.repeat(shift) + '🐕'.repeat(10_000));
      const { text, truncated, bytes } = recorded(body, true);
      expect({ truncated, bytes }).toEqual({ truncated: true, bytes: body.length });
      expect(text).toMatch(/^x*(🐕)+$/u);
      expect(Buffer.byteLength(text ?? '')).toBeGreaterThan(16_380);
    }
  });
});
