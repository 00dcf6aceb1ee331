import { closeSync, openSync, writeSync } from 'node:fs';
import { RunStopped } from '../client/run-end.js';
import type { Exchange } from './exchange.js';

/** Keeps exchanges as they happen. */
export interface Evidence {
  append(exchange: Exchange): void;
  close(): void;
}

/**
 * Appends to `exchanges.jsonl`, a line an exchange, written at once: a killed run keeps what it saw.
 * @throws RunStopped if the disk is full.
 */
export function evidenceFile(path: string): Evidence {
  const descriptor = openSync(path, 'a');
  return {
    append(exchange) {
      const line = Buffer.from(`${JSON.stringify(exchange)}\n`);
      try {
        for (let written = 0; written < line.length;) written += writeSync(descriptor, line, written);
      } catch (error) {
        const why = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
        throw new RunStopped(`the evidence can no longer be written to ${path} (${why})`, { cause: error });
      }
    },
    close: () => closeSync(descriptor),
  };
}

/** Keeps nothing: for programs that ask for no files. */
export const noEvidence: Evidence = { append: () => undefined, close: () => undefined };
