import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { exchangeSchema, type Exchange } from '../http/exchange/exchange.js';
import { linesOf } from './lines.js';

const exchangesFile = 'exchanges.jsonl';

/** A run's folder that cannot be read; the message is one line for people. */
export class UnreadableRun extends Error {
  override readonly name = 'UnreadableRun';
}

export interface Wholeness {
  /** The run got to its end: a last line that was cut off is damage, and not what a killed run leaves. */
  readonly whole?: boolean;
}

/**
 * The exchanges of a run's folder, one at a time. A last line that was cut off, as a killed run leaves it, is passed
 * over; none if the file is missing.
 *
 * @throws UnreadableRun if another line is not an exchange; names the line.
 */
export async function* readExchanges(
  directory: string,
  { whole = false }: Wholeness = {},
): AsyncGenerator<Exchange> {
  for await (const { text, number, last } of exchangeLines(directory)) {
    const exchange = parseExchange(text, number, directory, last && !whole);
    if (exchange) yield exchange;
  }
}

/** The exchanges of these ids, in one pass over the file. */
export async function pickExchanges(
  directory: string,
  wanted: ReadonlySet<string>,
  { whole = false }: Wholeness = {},
): Promise<Map<string, Exchange>> {
  const found = new Map<string, Exchange>();
  if (wanted.size === 0) return found;
  for await (const { text, number, last } of exchangeLines(directory)) {
    const id = leadingId(text);
    if (id !== undefined && !wanted.has(id)) continue;
    const exchange = parseExchange(text, number, directory, last && !whole);
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

function parseExchange(
  text: string,
  number: number,
  directory: string,
  mayBeCut: boolean,
): Exchange | undefined {
  const where = `${join(directory, exchangesFile)}, line ${number}`;
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    if (mayBeCut) return undefined;
    throw new UnreadableRun(`${where} is no JSON`);
  }
  const parsed = exchangeSchema.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw new UnreadableRun(
    `${where} is no exchange: ${z.prettifyError(parsed.error).replaceAll(/\s*\n\s*/gu, ' ')}`,
  );
}

/** Whether a file is not there. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
