import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFinishedRun } from '../finished-run.js';
import { writeReport } from '../renderer.js';
import { sampleExchanges } from '../testing/sample-exchanges.js';
import { faultyRecord } from '../testing/sample-record.js';
import { htmlReport } from './render.js';
import { memoryHeld } from '../../lib/testing/memory-held.js';
import { threadCpuMs } from '../../lib/testing/thread-cpu.js';

/** As many as a day's limit run on a Business key sends, twice over. */
const exchangesOfADay = 200_000;

let directory: string;

/** Every finding is shown by the last exchanges, so that the whole evidence has to be read. */
function recordOfADay() {
  const record = faultyRecord();
  const last = ['e1', `e${exchangesOfADay - 1}`, `e${exchangesOfADay}`];
  return {
    ...record,
    requirements: record.requirements.map((row) => ({
      ...row,
      findings: row.findings.map((finding) => ({ ...finding, exchanges: last })),
    })),
  };
}

function* linesOfADay(): Generator<string> {
  const samples = sampleExchanges().map((exchange) => JSON.stringify(exchange).replace(/^\{"id":"e\d+"/, ''));
  const block = 1_000;
  for (let from = 1; from <= exchangesOfADay; from += block) {
    yield Array.from({ length: block }, (_, index) => {
      const number = from + index;
      return `{"id":"e${number}"${samples[number % samples.length] ?? ''}\n`;
    }).join('');
  }
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'petstore-day-'));
  await writeFile(join(directory, 'report.json'), JSON.stringify(recordOfADay()));
  await pipeline(Readable.from(linesOfADay()), createWriteStream(join(directory, 'exchanges.jsonl')));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

test('200,000 exchanges make a report within 10 s of CPU, 500 MB of memory and 5 MB of HTML', async () => {
  const before = memoryHeld();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, memoryHeld());
  }, 50);
  const begin = threadCpuMs();
  const report = await writeReport(await readFinishedRun(directory), htmlReport);
  const elapsed = threadCpuMs() - begin;
  clearInterval(watch);
  most = Math.max(most, memoryHeld());
  const { size } = await stat(report);
  console.log(
    `200,000 exchanges: ${Math.round(elapsed)} ms, ${Math.round((most - before) / 1e6)} MB more memory, ${size} bytes of HTML`,
  );
  expect(elapsed).toBeLessThan(10_000);
  expect(most - before).toBeLessThan(500e6);
  expect(size).toBeLessThan(5_000_000);
});
