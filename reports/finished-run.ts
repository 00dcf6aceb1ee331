import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { exchangeSchema, type Exchange } from '../lib/http/exchange.js';
import { runRecordSchema, type RunRecord } from '../lib/run/record.js';
import { linesOf } from './lines.js';

export const recordFile = 'report.json';
export const exchangesFile = 'exchanges.jsonl';

/** A run's folder that cannot be read; the message is one line for people. */
export class UnreadableRun extends Error {
  override readonly name = 'UnreadableRun';
}

/** A run that has ended, however it ended: what its folder holds. */
export interface FinishedRun {
  readonly directory: string;
  readonly record: RunRecord;
  /** Every recorded exchange in the order of the file, read as it is asked for; none where there is no file. */
  readonly exchanges: () => AsyncIterable<Exchange>;
  /** The exchanges of these ids, in one pass over the file; an id that was not recorded is left out. */
  readonly exchangesById: (ids: Iterable<string>) => Promise<Map<string, Exchange>>;
}

/**
 * Reads a run's folder. The record is parsed at once, the exchanges only as they are asked for.
 *
 * @throws UnreadableRun where there is no such folder or no record in it that this version reads.
 */
export async function readFinishedRun(directory: string): Promise<FinishedRun> {
  const record = await readRecord(directory);
  return {
    directory,
    record,
    exchanges: () => readExchanges(directory),
    exchangesById: (ids) => pickExchanges(directory, new Set(ids)),
  };
}

async function readRecord(directory: string): Promise<RunRecord> {
  const file = join(directory, recordFile);
  const text = await readFile(file, 'utf8').catch(async (error: unknown) => {
    throw new UnreadableRun(await whyNoRecord(directory, error));
  });
  const parsed = runRecordSchema.safeParse(parseJson(text, file));
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const [first] = issues;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  throw new UnreadableRun(
    `${file} is no run record: at ${first?.path.join('.') || 'its top'}: ${first?.message}${more}`,
  );
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UnreadableRun(`${file} is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function whyNoRecord(directory: string, error: unknown): Promise<string> {
  const folder = await stat(directory).catch(() => undefined);
  if (!folder) return `${directory}: there is no such folder`;
  if (!folder.isDirectory()) return `${directory} is no folder: name the folder that a run wrote`;
  if (isMissing(error)) return `${directory} holds no ${recordFile}: it is not a run's folder`;
  return `${join(directory, recordFile)} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
}

/**
 * The exchanges of a run's folder, one at a time. A last line that was cut off, as a killed run leaves it, is passed
 * over; none are given where the file is missing.
 *
 * @throws UnreadableRun where another line is no exchange, naming the line.
 */
async function* readExchanges(directory: string): AsyncGenerator<Exchange> {
  for await (const { text, number, last } of exchangeLines(directory)) {
    const exchange = parseExchange(text, number, directory, last);
    if (exchange) yield exchange;
  }
}

async function pickExchanges(directory: string, wanted: ReadonlySet<string>): Promise<Map<string, Exchange>> {
  const found = new Map<string, Exchange>();
  if (wanted.size === 0) return found;
  for await (const { text, number, last } of exchangeLines(directory)) {
    const id = leadingId(text);
    if (id !== undefined && !wanted.has(id)) continue;
    const exchange = parseExchange(text, number, directory, last);
    if (exchange && wanted.has(exchange.id)) found.set(exchange.id, exchange);
    if (found.size === wanted.size) break;
  }
  return found;
}

/** The id at the head of a line as the recorder writes it, which spares the parsing of lines that nobody asked for. */
function leadingId(line: string): string | undefined {
  return /^\{"id":"([^"\\]*)"/.exec(line)?.[1];
}

interface ExchangeLine {
  readonly text: string;
  /** From 1. */
  readonly number: number;
  readonly last: boolean;
}

async function* exchangeLines(directory: string): AsyncGenerator<ExchangeLine> {
  let number = 0;
  let held: string | undefined;
  try {
    for await (const text of linesOf(
      createReadStream(join(directory, exchangesFile), { highWaterMark: 1 << 18 }),
    )) {
      if (held !== undefined) yield { text: held, number, last: false };
      held = text;
      number += 1;
    }
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  if (held !== undefined) yield { text: held, number, last: true };
}

function parseExchange(text: string, number: number, directory: string, last: boolean): Exchange | undefined {
  const where = `${join(directory, exchangesFile)}, line ${number}`;
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    if (last) return undefined;
    throw new UnreadableRun(`${where} is no JSON`);
  }
  const parsed = exchangeSchema.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw new UnreadableRun(
    `${where} is no exchange: ${z.prettifyError(parsed.error).replaceAll(/\s*\n\s*/gu, ' ')}`,
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
