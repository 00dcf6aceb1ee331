import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sampleExchanges, sampleStart } from './sample-exchanges.js';
import { faultyRecord } from './sample-record.js';

/** Writes a run of so many exchanges, as a day under a limit makes them, to measure reports with. */
export async function writeLargeRun(directory: string, count: number): Promise<void> {
  await mkdir(directory, { recursive: true });
  const requests = { sent: count, byOperation: { listPets: count }, waitedMs: 80_000_000 };
  await writeFile(join(directory, 'report.json'), JSON.stringify(faultyRecord({ requests })));
  await pipeline(Readable.from(lines(count)), createWriteStream(join(directory, 'exchanges.jsonl')));
}

function* lines(count: number): Generator<string> {
  const samples = sampleExchanges();
  const gap = 86_400_000 / count;
  for (let index = 0; index < count; index += 1) {
    const sample = samples[index % samples.length];
    const exchange = {
      ...sample,
      id: `e${index + 1}`,
      sentAt: new Date(sampleStart + index * gap).toISOString(),
    };
    yield `${JSON.stringify(exchange)}\n`;
  }
}
