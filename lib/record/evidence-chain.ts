import { lineHash, noLineBefore } from '../http/exchange/evidence.js';
import { linesOf } from './lines.js';
import { openRegular } from './regular-file.js';
import { jsonOf } from './record-text.js';

/** Where the lines of `exchanges.jsonl` do not follow each other as they were written. */
export interface BrokenChain {
  /** The number of the first line that does not name the hash of the one before it. */
  readonly line: number;
}

/**
 * Follows the hashes of the lines of a file of evidence. A last line that was cut off, as a killed run leaves it, is passed
 * over; a file without hashes, as earlier versions wrote it, is not broken.
 * @returns The first break; undefined if there is none. Rejects as `openRegular` does.
 */
export async function brokenChain(path: string): Promise<BrokenChain | undefined> {
  let before = noLineBefore;
  let number = 0;
  const file = await openRegular(path);
  for await (const line of linesOf(file.createReadStream({ highWaterMark: 1 << 18 }))) {
    number += 1;
    const named = /"previous":"([0-9a-f]{64})"\}$/.exec(line)?.[1];
    if (named === undefined && number === 1) return undefined;
    if (named === undefined && jsonOf(line) === undefined) return undefined;
    if (named !== before) return { line: number };
    before = lineHash(line);
  }
  return undefined;
}
