import { rm } from 'node:fs/promises';
import { onTestFinished } from 'vitest';
import type { Exchange } from '../../lib/http/exchange/exchange.js';
import type { RunRecord } from '../../lib/record/record.js';
import { readFinishedRun, type FinishedRun } from '../finished-run.js';
import { writeSample } from './write-sample.js';

/** A finished run in a folder of its own, which goes when the test that asked for it has finished. */
export async function sampleRun(record?: RunRecord, exchanges?: readonly Exchange[]): Promise<FinishedRun> {
  const directory = await writeSample(record, exchanges);
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return readFinishedRun(directory);
}
