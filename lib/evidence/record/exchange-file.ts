import { createHash } from 'node:crypto';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../explain/error-code.js';
import { RunStopped } from '../../http/client/run-end.js';
import { exchangeSchema, type RecordedExchange } from '../recorded-exchange.js';
import { jsonOf, withoutControls } from './record-text.js';
import { linesOf, readLines } from './regular-file.js';

/** What the first line names in the place of a line before it. */
const noLineBefore = '0'.repeat(64);

/** What the next line names as `previous`: SHA-256 of a line without its line feed, in hexadecimal. */
function lineHash(line: string): string {
  return createHash('sha256').update(line).digest('hex');
}

/**
 * Makes `exchanges.jsonl`, a line an exchange, written at once: a killed run keeps what it saw. Each line names the hash of
 * the one before it, so that none can be changed, removed or put in between without changing all that follow.
 */
export function exchangeFile(path: string) {
  const descriptor = openSync(path, 'w');
  let previous = noLineBefore;
  return {
    /** @throws RunStopped if the disk is full. */
    append: (exchange: RecordedExchange): void => {
      const line = withoutControls(JSON.stringify({ ...exchange, previous }));
      try {
        writeFileSync(descriptor, `${line}\n`);
      } catch (error) {
        const message = `the evidence can no longer be written to ${path} (${errorCode(error)})`;
        throw new RunStopped(message, { cause: error });
      }
      previous = lineHash(line);
    },
    close: () => closeSync(descriptor),
  };
}

/** The exchanges of a run's folder, one at a time, as `readLines` reads them. @param whole the run got to its end */
export function readExchanges(directory: string, whole = false): Generator<RecordedExchange> {
  return readLines(join(directory, 'exchanges.jsonl'), exchangeSchema, whole);
}

/**
 * Follows the hashes of the lines of a file of evidence. A last line that was cut off, as a killed run leaves it, is passed
 * over; a file without hashes, as earlier versions wrote it, is not broken.
 * @returns The number of the first line that does not name the hash of the one before it. Throws as `bytesOf` does.
 */
export function brokenChain(path: string): number | undefined {
  let before = noLineBefore;
  let number = 0;
  for (const line of linesOf(path)) {
    number += 1;
    const named = /"previous":"([0-9a-f]{64})"\}$/.exec(line)?.[1];
    if (named === undefined && (number === 1 || jsonOf(line) === undefined)) return undefined;
    if (named !== before) return number;
    before = lineHash(line);
  }
  return undefined;
}
