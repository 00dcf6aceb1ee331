import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decoded } from './reception.js';

const packers: Record<string, (body: Uint8Array) => Uint8Array> = {
  gzip: gzipSync,
  'x-gzip': gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
};
const coding = fc.constantFrom(...Object.keys(packers));
const limit = 4_096;

async function unpack(body: Uint8Array, coding: string, truncated = false) {
  const headers = [['content-encoding', coding] as const];
  return decoded<Parameters<typeof decoded>[0]>({ headers, body, truncated }, limit);
}

describe('a packed body', () => {
  it('is what it was before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 600 }), coding, async (body, name) => {
        const unpacked = await unpack(packers[name]?.(body) ?? body, ` ${name.toUpperCase()}`);
        expect(unpacked).toMatchObject({ truncated: false });
        expect(unpacked.failure).toBeUndefined();
        expect(Buffer.from(unpacked.body)).toEqual(Buffer.from(body));
      }),
      { numRuns: 60 },
    );
    expect(await unpack(Buffer.from('[]'), 'identity')).toMatchObject({ body: Buffer.from('[]') });
  });

  it('is never longer than the limit, and exactly the limit is none too long', async () => {
    const exact = await unpack(gzipSync(Buffer.alloc(limit)), 'gzip');
    expect([exact.body.length, exact.truncated, exact.failure]).toEqual([limit, false, undefined]);
    const packed = gzipSync(Buffer.alloc(limit + 1));
    const longer = await unpack(packed, 'gzip');
    expect([longer.body, longer.truncated, longer.failure?.kind]).toEqual([packed, true, 'too-large']);
  });

  it('that is cut off is a failure where the response was complete, and else kept as it came', async () => {
    const cut = gzipSync('a text that is long enough '.repeat(20)).subarray(0, 30);
    expect((await unpack(cut, 'gzip')).failure?.message).toContain(
      'not what its Content-Encoding (gzip) says',
    );
    expect(await unpack(cut, 'gzip', true)).toMatchObject({ body: cut, truncated: true });
  });

  it('that cannot be unpacked is kept as it came', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 60 }), coding, async (body, name) => {
        const unpacked = await unpack(body, name);
        expect(unpacked.failure ? unpacked.body : body).toEqual(body);
      }),
      { numRuns: 60 },
    );
    for (const other of ['zstd', 'gzip, br'])
      expect((await unpack(Buffer.from('a'), other)).failure?.kind).toBe('not-http');
  });
});
