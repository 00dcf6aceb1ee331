import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { RunStopped } from '../http/client/run-end.js';
import { withoutControls } from './record/record-text.js';
import type { RecordedExchange } from './recorded-exchange.js';
import { errorCode } from '../explain/error-code.js';

/** Keeps exchanges as they happen. */
export interface Evidence {
  append(exchange: RecordedExchange): void;
  close(): void;
}

/** What the first line names in the place of a line before it. */
export const noLineBefore = '0'.repeat(64);

/** What the next line names as `previous`: SHA-256 of a line without its line feed, in hexadecimal. */
export function lineHash(line: string | Uint8Array): string {
  return createHash('sha256').update(line).digest('hex');
}

/**
 * Appends to `exchanges.jsonl`, a line an exchange, written at once: a killed run keeps what it saw. Each line names the
 * hash of the one before it, so that none can be changed, removed or put in between without changing all that follow.
 * @throws RunStopped if the disk is full.
 */
export function evidenceFile(path: string): Evidence {
  const descriptor = openSync(path, 'a');
  let previous = lastHash(path);
  return {
    append(exchange) {
      const line = withoutControls(JSON.stringify({ ...exchange, previous }));
      const bytes = Buffer.from(`${line}\n`);
      try {
        for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
      } catch (error) {
        throw new RunStopped(`the evidence can no longer be written to ${path} (${errorCode(error)})`, {
          cause: error,
        });
      }
      previous = lineHash(line);
    },
    close: () => closeSync(descriptor),
  };
}

/** The hash of the last line of a run that goes on. What a killed run left of a line is taken away. */
function lastHash(path: string): string {
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf('\n') + 1;
  if (end < bytes.length) truncateSync(path, end);
  if (end === 0) return noLineBefore;
  return lineHash(bytes.subarray(bytes.subarray(0, end - 1).lastIndexOf('\n') + 1, end - 1));
}

/** Keeps nothing: for programs that ask for no files. */
export const noEvidence: Evidence = { append: () => undefined, close: () => undefined };
