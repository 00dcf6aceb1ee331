import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { RecordedExchange } from '../../lib/evidence/recorded-exchange.js';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { readFinishedRun, type FinishedRun } from '../finished-run.js';
import { sampleExchanges } from './sample-exchanges.js';
import { faultyRecord } from './sample-record.js';

/** A run in a folder of its own, which is removed when the test has finished. */
export async function sampleRun(
  record: RunRecord = faultyRecord(),
  exchanges: readonly RecordedExchange[] = sampleExchanges(),
): Promise<FinishedRun> {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-run-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  await writeFile(join(directory, 'report.json'), JSON.stringify(record));
  await writeFile(
    join(directory, 'exchanges.jsonl'),
    exchanges.map((exchange) => `${JSON.stringify(exchange)}\n`).join(''),
  );
  return readFinishedRun(directory);
}
