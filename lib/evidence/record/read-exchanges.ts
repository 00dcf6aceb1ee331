import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { exchangeSchema, type RecordedExchange } from '../recorded-exchange.js';
import { jsonOf } from './record-text.js';
import { linesOf, UnreadableRun } from './regular-file.js';

/**
 * The exchanges of a run's folder, one at a time. A last line that was cut off, as a killed run leaves it, is passed
 * over; none if the file is missing.
 * @param whole the run got to its end: a last line that was cut off is damage, and not what a killed run leaves
 * @param only the ids of the exchanges to read; all if there are none
 * @throws UnreadableRun if another line is not an exchange; names the line.
 */
export function* readExchanges(
  directory: string,
  whole = false,
  only?: ReadonlySet<string>,
): Generator<RecordedExchange> {
  const path = join(directory, 'exchanges.jsonl');
  if (!existsSync(path)) return;
  let number = 0;
  let cutOff: UnreadableRun | undefined;
  for (const text of linesOf(path)) {
    if (cutOff) throw cutOff;
    number += 1;
    // As the recorder begins each line: what nobody needs is not parsed.
    const id = only && /^\{"id":"([^"\\]*)"/.exec(text)?.[1];
    if (id !== undefined && !only?.has(id)) continue;
    const raw = jsonOf(text);
    const { data, error } = exchangeSchema.safeParse(raw);
    if (data) yield data;
    else if (raw === undefined) cutOff = new UnreadableRun(`${path}, line ${number} is not JSON`);
    else {
      const problem = z.prettifyError(error).replaceAll(/\s*\n\s*/gu, ' ');
      throw new UnreadableRun(`${path}, line ${number} is not an exchange: ${problem}`);
    }
  }
  if (cutOff && whole) throw cutOff;
}
