import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { linesIn } from './regular-file.js';
import { collect } from '../../../reports/testing/collect.js';

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

it('gives the same lines however the bytes are cut', async () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'é', '日', '👩', '\u2028', '\r', '{', '"') });
  await fc.assert(
    fc.asyncProperty(
      fc.array(line),
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      async (lines, size, closed) => {
        const ended = closed || lines.at(-1) === '';
        const text = lines.join('\n') + (ended && lines.length > 0 ? '\n' : '');
        expect(await collect(linesIn(inPieces(Buffer.from(text), size)))).toEqual(lines);
      },
    ),
  );
});
