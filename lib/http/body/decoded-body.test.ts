import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentCodings, decodeBody } from './decoded-body.js';

const packers: Record<string, (body: Uint8Array) => Uint8Array> = {
  gzip: gzipSync,
  'x-gzip': gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
};
const coding = fc.constantFrom(...Object.keys(packers));
const limit = 4_096;

function pack(body: Uint8Array, codings: readonly string[]): Uint8Array {
  return codings.reduce((packed, name) => packers[name]?.(packed) ?? packed, body);
}

describe('a packed body', () => {
  it('is what it was before, under any codings one upon another', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 600 }),
        fc.array(coding, { maxLength: 4 }),
        async (body, codings) => {
          const decoded = await decodeBody(pack(body, codings), codings, limit, true);
          expect(decoded.failure).toBeUndefined();
          expect(decoded.truncated).toBe(false);
          expect(Buffer.from(decoded.body)).toEqual(Buffer.from(body));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('may be deflated without zlib around it, as some servers do', async () => {
    const decoded = await decodeBody(deflateRawSync('{"name":"a"}'), ['deflate'], limit, true);
    expect(Buffer.from(decoded.body).toString()).toBe('{"name":"a"}');
  });

  it('is never longer than the limit, and exactly the limit is none too long', async () => {
    const exact = await decodeBody(gzipSync(Buffer.alloc(limit)), ['gzip'], limit, true);
    expect([exact.body.length, exact.truncated, exact.failure]).toEqual([limit, false, undefined]);
    const packed = gzipSync(Buffer.alloc(limit + 1));
    const longer = await decodeBody(packed, ['gzip'], limit, true);
    expect([longer.body, longer.truncated, longer.failure?.kind]).toEqual([packed, true, 'too-large']);
  });

  it('that is cut off is a failure where the response was complete, and else as much as there is', async () => {
    const text = 'a text that is long enough to be cut in two '.repeat(20);
    const cut = gzipSync(text, { level: 0 }).subarray(0, 400);
    expect((await decodeBody(cut, ['gzip'], limit, true)).failure?.message).toContain(
      'not what its Content-Encoding (gzip) says',
    );
    const partial = await decodeBody(cut, ['gzip'], limit, false);
    expect(partial.failure).toBeUndefined();
    expect(partial.body.length).toBeGreaterThan(100);
    expect(text.startsWith(Buffer.from(partial.body).toString())).toBe(true);
  });

  it('that cannot be unpacked is kept as it came', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 60 }),
        fc.array(coding, { minLength: 1, maxLength: 5 }),
        async (body, codings) => {
          const decoded = await decodeBody(body, codings, limit, true);
          expect(decoded.failure ? decoded.body : body).toEqual(body);
        },
      ),
      { numRuns: 60 },
    );
    expect((await decodeBody(Buffer.from('a'), ['zstd'], limit, true)).failure?.kind).toBe('not-http');
    const twenty = await decodeBody(Buffer.from('a'), Array<string>(20).fill('gzip'), limit, true);
    expect(twenty.failure?.message).toContain('20 codings');
  });
});

describe('content codings', () => {
  it('are read from all Content-Encoding headers in order, identity left out', () => {
    const headers = [
      ['Content-Encoding', 'GZIP, identity'],
      ['X-Encoding', 'br'],
      ['content-encoding', ' br ,'],
    ] as const;
    expect(contentCodings(headers)).toEqual(['gzip', 'br']);
    expect(contentCodings([])).toEqual([]);
  });
});
