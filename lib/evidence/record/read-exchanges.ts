import { printable } from '../../explain/printable.js';
import { UsageProblem } from '../../explain/usage-problem.js';
import { join } from 'node:path';
import { z } from 'zod';
import { exchangeSchema, type RecordedExchange } from '../recorded-exchange.js';
import { linesOf } from './regular-file.js';
import { jsonOf } from './record-text.js';
import { errorCode } from '../../explain/error-code.js';
import { lineHash, noLineBefore } from '../evidence-file.js';

const exchangesFile = 'exchanges.jsonl';

/** A run's folder that cannot be read. Its files may be from anywhere: the message is made printable. */
export class UnreadableRun extends UsageProblem {
  constructor(message: string) {
    super(printable(message));
  }
}

export interface ReadOptions {
  /** The run got to its end: a last line that was cut off is damage, and not what a killed run leaves. */
  readonly whole?: boolean;
  /** The ids of the exchanges to read; all if there are none. */
  readonly only?: ReadonlySet<string>;
}

/**
 * The exchanges of a run's folder, one at a time. A last line that was cut off, as a killed run leaves it, is passed
 * over; none if the file is missing.
 *
 * @throws UnreadableRun if another line is not an exchange; names the line.
 */
export async function* readExchanges(
  directory: string,
  { whole = false, only }: ReadOptions = {},
): AsyncGenerator<RecordedExchange> {
  const path = join(directory, exchangesFile);
  let number = 0;
  let cutOff: UnreadableRun | undefined;
  try {
    for await (const text of linesOf(path)) {
      if (cutOff) throw cutOff;
      number += 1;
      // As the recorder begins each line: what nobody needs is not parsed.
      const id = only && /^\{"id":"([^"\\]*)"/.exec(text)?.[1];
      if (id !== undefined && !only?.has(id)) continue;
      const raw = jsonOf(text);
      if (raw === undefined) cutOff = new UnreadableRun(`${path}, line ${number} is not JSON`);
      else yield exchangeOf(raw, `${path}, line ${number}`);
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  if (cutOff && whole) throw cutOff;
}

/** The exchanges of these ids, in one pass over the file. */
export async function pickExchanges(
  directory: string,
  only: ReadonlySet<string>,
  { whole = false }: Pick<ReadOptions, 'whole'> = {},
): Promise<Map<string, RecordedExchange>> {
  const found = new Map<string, RecordedExchange>();
  for await (const exchange of readExchanges(directory, { whole, only })) {
    found.set(exchange.id, exchange);
  }
  return found;
}

function exchangeOf(raw: unknown, line: string): RecordedExchange {
  const parsed = exchangeSchema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const problem = z.prettifyError(parsed.error).replaceAll(/\s*\n\s*/gu, ' ');
  throw new UnreadableRun(`${line} is not an exchange: ${problem}`);
}

/** Whether a file is not there. */
export function isMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT';
}

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
  for await (const line of linesOf(path)) {
    number += 1;
    const named = /"previous":"([0-9a-f]{64})"\}$/.exec(line)?.[1];
    if (named === undefined && number === 1) return undefined;
    if (named === undefined && jsonOf(line) === undefined) return undefined;
    if (named !== before) return { line: number };
    before = lineHash(line);
  }
  return undefined;
}
