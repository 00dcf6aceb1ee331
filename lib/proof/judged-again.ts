import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Exchange } from '../http/exchange/exchange.js';
import { runRecordSchema, type RunRecord } from '../record/record.js';
import { readExchanges } from '../record/recorded-exchanges.js';
import { compareRecords } from '../record/compare-records.js';
import { judgeAgain } from '../run/judge-again.js';
import type { Profile } from '../requirement/profile.js';
import type { ProofCase } from './proof-case.js';

/** A run that was judged again from its files. */
export interface RunJudgedAgain {
  /** What did not come out again; empty if everything did. */
  readonly differences: readonly string[];
  /** Milliseconds of CPU time: for judging again, and for the run itself, its service included. */
  readonly cpuMs: number;
  readonly runCpuMs: number;
}

/** Runs a case into a folder, and judges it again from what it wrote. A case of several runs writes nothing. */
export async function runAndJudgeAgain(
  run: ProofCase['run'],
  profile: Profile,
): Promise<{ record: RunRecord; again: RunJudgedAgain | undefined }> {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-proof-'));
  try {
    const [record, runCpuMs] = await measured(() => run(profile, directory));
    const text = await readFile(join(directory, 'report.json'), 'utf8').catch(() => undefined);
    if (text === undefined) return { record, again: undefined };
    const [differences, cpuMs] = await measured(() => differencesIn(directory, text));
    return { record, again: { differences, cpuMs, runCpuMs } };
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function differencesIn(directory: string, text: string): Promise<string[]> {
  const record = runRecordSchema.parse(JSON.parse(text));
  const exchanges: Exchange[] = [];
  for await (const exchange of readExchanges(directory)) exchanges.push(exchange);
  const again = await judgeAgain({ record, exchanges, directory });
  return [
    ...compareRecords(record, again.record, again.leftOut).differences.map(
      ({ subject, text: difference }) => `${subject} ${difference}`,
    ),
    ...again.discrepancies,
  ];
}

async function measured<Result>(work: () => Promise<Result>): Promise<[Result, milliseconds: number]> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return [result, (user + system) / 1_000];
}
