import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decoded } from './decoded-body.js';

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

async function unpack(body: Uint8Array, codings: readonly string[], truncated = false) {
  const headers = codings.map((name) => ['content-encoding', name] as const);
  return decoded<Parameters<typeof decoded>[0]>({ headers, body, truncated }, limit);
}

describe('a packed body', () => {
  it('is what it was before, under any codings one upon another', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 600 }),
        fc.array(coding, { maxLength: 4 }),
        async (body, codings) => {
          const unpacked = await unpack(pack(body, codings), codings);
          expect(unpacked.failure).toBeUndefined();
          expect(unpacked.truncated).toBe(false);
          expect(Buffer.from(unpacked.body)).toEqual(Buffer.from(body));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('has its codings in all headers of the name in order, identity left out', async () => {
    const unpacked = await unpack(pack(Buffer.from('[]'), ['gzip', 'br']), ['GZIP, identity', ' br ,']);
    expect(Buffer.from(unpacked.body).toString()).toBe('[]');
  });

  it('may be deflated without zlib around it, as some servers do', async () => {
    const { body } = await unpack(deflateRawSync('{"name":"a"}'), ['deflate']);
    expect(Buffer.from(body).toString()).toBe('{"name":"a"}');
  });

  it('is never longer than the limit, and exactly the limit is none too long', async () => {
    const exact = await unpack(gzipSync(Buffer.alloc(limit)), ['gzip']);
    expect([exact.body.length, exact.truncated, exact.failure]).toEqual([limit, false, undefined]);
    const packed = gzipSync(Buffer.alloc(limit + 1));
    const longer = await unpack(packed, ['gzip']);
    expect([longer.body, longer.truncated, longer.failure?.kind]).toEqual([packed, true, 'too-large']);
  });

  it('that is cut off is a failure where the response was complete, and else kept as it came', async () => {
    const cut = gzipSync('a text that is long enough '.repeat(20)).subarray(0, 30);
    expect((await unpack(cut, ['gzip'])).failure?.message).toContain(
      'not what its Content-Encoding (gzip) says',
    );
    expect(await unpack(cut, ['gzip'], true)).toMatchObject({ body: cut, truncated: true });
  });

  it('that cannot be unpacked is kept as it came', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 60 }),
        fc.array(coding, { minLength: 1, maxLength: 5 }),
        async (body, codings) => {
          const unpacked = await unpack(body, codings);
          expect(unpacked.failure ? unpacked.body : body).toEqual(body);
        },
      ),
      { numRuns: 60 },
    );
    expect((await unpack(Buffer.from('a'), ['zstd'])).failure?.kind).toBe('not-http');
    const twenty = await unpack(Buffer.from('a'), Array<string>(20).fill('gzip'));
    expect(twenty.failure?.message).toContain('20 codings');
  });
});
