import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VirtualClock } from '../http/clock/testing/virtual-clock.js';
import { exchangeFile } from '../evidence/record/run-files.js';
import { recordText } from '../evidence/record/regular-file.js';
import type { RunRecord } from '../evidence/record/record.js';
import { referenceKeys } from '../reference/keys.js';
import { serveReference } from '../reference/serve.js';
import { readFinishedRun } from '../../reports/finished-run.js';
import { writeReports } from '../../reports/renderers.js';
import { verifyRun } from '../../reports/verify/verify-run.js';
import { checkCommandLine } from '../options/command-line.js';
import { LoadCounter } from '../load/load-counter.js';
import { ledgerFile, readLedger } from '../load/ledger.js';
import { loadOptions, loadPlan } from '../options/load-options.js';
import { mergeShares, type ShareRun } from './merge-shares.js';
import { runLoad } from '../run/run-load.js';

const { key, ...plan } = referenceKeys.business;
const now = Date.UTC(2026, 10, 23, 12);
let folder: string;
let shares: ShareRun[];

/** Sends three shares side by side, by clocks that go right, and reads their folders. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-shares-'));
  const clock = new VirtualClock(now, 40);
  const service = await serveReference({
    keys: [{ key, ...plan }],
    now: () => clock.now(),
  });
  const send = async (number: number): Promise<string> => {
    const directory = join(folder, `share-${number}`);
    const load = ['--rate=10/s', '--duration=10s', '--p50=2s', '--errors=0', '--seed=7'];
    const argv = [...load, `--share=${number}/3`, '--begin=2026-11-23T12:00:30Z'];
    const { values } = checkCommandLine(argv, { name: 'load', options: loadOptions });
    const target = {
      name: 'petstore',
      baseUrl: service.baseUrl,
      apiKey: key,
      plan: { name: 'business', ...plan },
      planGiven: true,
      consistencyMs: 0,
      deadlineMs: 5_000,
      readOnly: false,
    } as const;
    const { signal } = new AbortController();
    const job = {
      target,
      values,
      plan: loadPlan(values, target, clock.now()),
      command: 'load',
    };
    await runLoad({ ...job, directory, clock, signal, counter: new LoadCounter(), listener: {} });
    await writeReports(directory, []);
    return directory;
  };
  try {
    shares = await Promise.all((await Promise.all([1, 2, 3].map(send))).map(read));
  } finally {
    await service.close();
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

async function read(directory: string): Promise<ShareRun> {
  const run = await readFinishedRun(directory);
  const all = run.exchanges();
  return { directory, record: run.record, lines: await readLedger(directory), exchanges: all };
}

const merged = () => mergeShares(shares.toReversed(), 'load merge');

describe('shares that were merged', () => {
  it('are the load that one machine would send', () => {
    const { record, lines } = merged();
    expect(shares.map(({ record }) => record.load?.sent)).toEqual([34, 33, 33]);
    expect(record.load).toMatchObject({ ratePerSecond: 10, planned: 100, sent: 100, good: 100, withheld: 0 });
    expect(record.load?.byOperation).toMatchObject({
      listPets: { sent: 80 },
      getPet: { sent: 10 },
      createPet: { sent: 10 },
    });
    expect(record.load?.thresholds.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['p50', 'kept'],
      ['errors', 'kept'],
    ]);
    const moments = lines.map(({ planned = 0 }) => planned - now);
    expect(moments).toEqual(moments.map((_, index) => 30_000 + index * 100));
    const names = record.leftovers.flatMap(({ name }) => (name.includes('share') ? [name] : []));
    expect(new Set(names).size).toBe(10);
    expect(names).toHaveLength(10);
  });

  it('leave the judgement of the bounds to the merged run', () => {
    expect(shares[0]?.record.load).toMatchObject({
      thresholds: [],
      share: { number: 1, of: 3, requests: 100, bounds: { p50: '2s', errors: '0' } },
    });
  });

  it('say why the whole is not finished', () => {
    const [first, ...rest] = shares.map((share, index) =>
      index === 0
        ? changed(share, ({ run }) => Object.assign(run, { complete: false, stopped: 'lost' }))
        : share,
    );
    const { record } = mergeShares(first ? [first, ...rest] : rest, '');
    expect(record).toMatchObject({ verdict: 'incomplete', run: { stopped: 'share 1: lost' } });
  });
});

/** A share whose record was changed. */
function changed(share: ShareRun, change: (record: RunRecord) => void): ShareRun {
  const record = structuredClone(share.record);
  change(record);
  return { ...share, directory: 'DIR', record };
}

describe('runs that are not all shares of one load are refused', () => {
  const ofShare = (members: object) => (record: RunRecord) =>
    void Object.assign(record.load?.share ?? {}, members);
  it.each<[what: string, change: (record: RunRecord) => void, message: string]>([
    ['another rate', ofShare({ ratePerSecond: 20 }), 'they differ in ratePerSecond'],
    ['another duration', ofShare({ durationMs: 5 }), 'they differ in durationMs'],
    ['another begin', ofShare({ begin: '2026' }), 'they differ in begin'],
    ['another number', ofShare({ of: 4 }), 'they differ in of'],
    ['another bound', ofShare({ bounds: {} }), 'they differ in bounds'],
    ['another target', ({ target }) => (target.baseUrl = 'http://b'), 'they differ in baseUrl'],
    ['a share twice', ofShare({ number: 1 }), 'the shares 1, 1, 3 of 3 were given'],
    ['a load without shares', ({ load }) => delete load?.share, 'DIR is not a share of a load'],
    [
      'no load',
      (record) => {
        delete record.load;
        record.run.stopped = 'no connection';
      },
      'DIR is not a share of a load: no connection',
    ],
  ])('%s', (_, change, message) => {
    const runs = shares.map((share, index) => (index === 1 ? changed(share, change) : share));
    expect(() => mergeShares(runs, '')).toThrow(message);
  });

  it('a missing share', () => {
    expect(() => mergeShares(shares.slice(1, 2), '')).toThrow(
      'the shares 2 of 3 were given: give the folder of each share once',
    );
  });
});

describe('a share and a merged run are verified from their exchanges', () => {
  /** Writes a run as a tamperer would, with its chain and its manifest. */
  const write = async ({ record, exchanges, lines }: ReturnType<typeof merged>): Promise<string> => {
    const directory = mkdtempSync(join(folder, 'written-'));
    const file = exchangeFile(join(directory, 'exchanges.jsonl'));
    for (const exchange of exchanges) file.append(exchange.line);
    file.close();
    for (const line of lines) ledgerFile(directory)(line);
    writeFileSync(join(directory, 'report.json'), recordText(record));
    await writeReports(directory, []);
    return directory;
  };
  const verified = async (directory: string) => {
    const { code, remarks } = await verifyRun(directory);
    return { code, text: remarks.map(({ text }) => text).join('\n') };
  };

  it('as they are', async () => {
    for (const { directory } of shares) expect(await verified(directory)).toMatchObject({ code: 0 });
    expect(await verified(await write(merged()))).toMatchObject({ code: 0 });
  });

  it('and not if an exchange was changed', async () => {
    const directory = await write(merged());
    const file = join(directory, 'exchanges.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"status":200', '"status":429'));
    expect((await verified(directory)).text).toMatch(/changed since the run ended[^]*does not follow/u);
  });
});
