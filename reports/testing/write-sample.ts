import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Exchange } from '../../lib/http/exchange/exchange.js';
import type { RunRecord } from '../../lib/record/record.js';
import { sampleExchanges } from './sample-exchanges.js';
import { faultyRecord } from './sample-record.js';

/** Writes a run's two files into a new folder of the system's temporary one, as a run would, and gives its path. */
export async function writeSample(
  record: RunRecord = faultyRecord(),
  exchanges: readonly Exchange[] = sampleExchanges(),
): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-run-'));
  await writeFile(join(directory, 'report.json'), JSON.stringify(record));
  await writeFile(
    join(directory, 'exchanges.jsonl'),
    exchanges.map((exchange) => `${JSON.stringify(exchange)}\n`).join(''),
  );
  return directory;
}
