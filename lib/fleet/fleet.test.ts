import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeFromCompressedBase64 } from 'hdr-histogram-js';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Clock } from '../http/clock/clock.js';
import { VirtualClock } from '../http/clock/testing/virtual-clock.js';
import { noEvidence } from '../http/exchange/evidence.js';
import type { Exchange } from '../http/exchange/exchange.js';
import { latencyHistogram, recordLatency } from '../load/latency-histogram.js';
import { recordText } from '../record/record-text.js';
import type { RunRecord } from '../record/record.js';
import { withBehaviour } from '../reference/changes.js';
import { referenceKeys } from '../reference/keys.js';
import { combineOptions, type ReferenceOptions } from '../reference/options.js';
import { serveReference } from '../reference/serve.js';
import { compareRecords } from '../replay/compare-records.js';
import { replayRun, type RecordedRun } from '../replay/replay-run.js';
import { keepFleet } from './fleet-files.js';
import {
  fleetPlan,
  fleetPlanText,
  readFleetPlan,
  type FleetPlan,
  type FleetPlanFields,
} from './fleet-plan.js';
import { LedgerWriter, readLedger, type WorkerLedger } from './ledger-file.js';
import { ledgerProblems } from './ledger-problems.js';
import { arrivalsOf } from './share.js';
import { mergeLedgers } from './merge.js';
import { runPart } from './part.js';

const plan = { name: 'enterprise', perMinute: 1_000, perDay: 100_000 } as const;
const { key } = referenceKeys.business;

function fields(
  baseUrl: string,
  workers: number,
  load: Partial<FleetPlanFields['load']> = {},
  now: number,
): FleetPlanFields {
  return {
    format: 'petstore-conformance-plan/1',
    suite: { name: 'petstore-conformance', version: '0.1.0', digest: 'd' },
    workers,
    seed: 7,
    target: {
      name: 'petstore',
      baseUrl,
      plan,
      planGiven: true,
      readOnly: false,
      keyVariable: 'PETSTORE_API_KEY',
      insecure: false,
      timeoutMs: 5_000,
    },
    load: {
      ratePerSecond: 60,
      durationMs: 2_000,
      mix: { listPets: 3, createPet: 1 },
      count: 120,
      volley: 10,
      connections: 20,
      thresholds: [{ name: 'p50', text: '2s' }],
      ...load,
    },
    budget: 1_000,
    start: { rule: 'grid', everyMs: 20_000, notBefore: now + 9_000, latest: now + 60_000 },
  };
}

/** Ten seconds into an hour: no window of a minute ends while the fleet sends. */
const hour = Date.UTC(2026, 10, 22, 12);

/** A clock that goes on when every request of the fleet has its response. */
const virtualClock = (): Clock => new VirtualClock(hour + 10_000, 40);

/** A clock that is set wrongly, and gains a part of the time that passes. */
function wrongClock(right: Clock, offsetMs: number, drift: number): Clock {
  const began = right.now();
  const now = (): number => began + offsetMs + (right.now() - began) * (1 + drift);
  return { now, sleep: (milliseconds, signal) => right.sleep(milliseconds / (1 + drift), signal) };
}

/** Responds after 0 to 40 ms. */
function unevenly(clock: Clock): ReferenceOptions {
  let requests = 0;
  return withBehaviour(({ finish }) => ({
    async finish(...parts) {
      requests += 1;
      await clock.sleep((requests * 17) % 41);
      return finish(...parts);
    },
  }));
}

interface Sent {
  readonly plan: FleetPlan;
  readonly texts: readonly string[];
}

/** Has every worker of a fleet send its part to the reference service, at the same time and by its own clock. */
async function sendFleet(clocksFrom: (right: Clock) => readonly Clock[]): Promise<Sent> {
  const clock = virtualClock();
  const clocks = clocksFrom(clock);
  const service = await serveReference(
    combineOptions({ keys: [{ key, ...plan }], now: () => clock.now() }, unevenly(clock)),
  );
  try {
    const whole = fleetPlan(fields(service.baseUrl, clocks.length, {}, clock.now()));
    return {
      plan: whole,
      texts: await Promise.all(clocks.map((own, worker) => sendPart(whole, worker, own))),
    };
  } finally {
    await service.close();
  }
}

async function sendPart(whole: FleetPlan, worker: number, clock: Clock): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-fleet-'));
  const file = join(folder, 'ledger.jsonl');
  const { signal } = new AbortController();
  try {
    const ledger = new LedgerWriter(file);
    await runPart({ plan: whole, worker, apiKey: key, ledger, clock, signal, environment: {} });
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const read = ({ texts }: Sent): WorkerLedger[] =>
  texts.map((text, index) => readLedger(text, `ledger-${index}.jsonl`));

async function merged(sent: Sent): Promise<RunRecord> {
  const ledgers = read(sent);
  expect(ledgerProblems(sent.plan, ledgers)).toEqual([]);
  return mergeLedgers({ plan: sent.plan, ledgers, evidence: noEvidence, command: 'merge', environment: {} });
}

const verdicts = ({ requirements }: RunRecord): string[] =>
  requirements.filter(({ verdict }) => verdict !== 'not-tested').map(({ id, verdict }) => `${id} ${verdict}`);

let fleet: Sent;
let one: Sent;

beforeAll(async () => {
  fleet = await sendFleet((right) => [
    wrongClock(right, -5_000, 0),
    wrongClock(right, 3_000, 0),
    wrongClock(right, 0, 0.000_2),
    right,
  ]);
  one = await sendFleet((right) => [right]);
});

describe('a fleet whose clocks are wrong', () => {
  it('gives the verdicts of one machine, and the counts of its plan', async () => {
    const [many, single] = [await merged(fleet), await merged(one)];
    expect(verdicts(many)).toEqual(verdicts(single));
    expect(verdicts(many)).toContain('RATE-05 pass');
    expect(many.load).toMatchObject({ sent: 130, good: 130, refused: 0, errors: 0, withheld: 0 });
    expect(many.leftovers).toHaveLength(32);
    expect(new Set(many.leftovers.map(({ name }) => name)).size).toBe(32);
  });

  it('measures how each clock differs from that of the target', async () => {
    const { load } = await merged(fleet);
    const offsets = load?.workers?.map(({ clockDifferenceMs: [least, most] }) => [least, most]);
    for (const [index, offset] of [5_000, -3_000, 0, 0].entries()) {
      const [least = 0, most = 0] = offsets?.[index] ?? [];
      expect(least - 30).toBeLessThan(offset);
      expect(most + 30).toBeGreaterThan(offset);
      expect(most - least).toBeLessThan(200);
    }
  });

  it('has the percentiles of one histogram that was fed with everything', async () => {
    const { load } = await merged(fleet);
    const everything = latencyHistogram();
    for (const { requests } of read(fleet))
      for (const { number, head, planned } of requests)
        if (number >= 0) recordLatency(everything, head - planned);
    const whole = latencyHistogram();
    for (const { latency } of load?.workers ?? []) {
      const part = decodeFromCompressedBase64(latency?.histogram ?? '');
      whole.add(part);
    }
    for (const percentile of [1, 50, 90, 99, 99.9, 100]) {
      const expected = everything.getValueAtPercentile(percentile);
      expect(whole.getValueAtPercentile(percentile)).toBe(expected);
      expect(
        decodeFromCompressedBase64(load?.latency?.histogram ?? '').getValueAtPercentile(percentile),
      ).toBe(expected);
    }
  });

  it('divides the load exactly, and holds no key', () => {
    const sizes = read(fleet).map(({ requests }) => requests.filter(({ number }) => number >= 0).length);
    expect(sizes).toEqual([33, 33, 32, 32]);
    expect([fleetPlanText(fleet.plan), ...fleet.texts].join('')).not.toContain(key);
  });
});

describe('the limits of a fleet', () => {
  const small = { name: 'free', perMinute: 60, perDay: 1_000 } as const;
  const limited = (whole: FleetPlanFields): FleetPlan =>
    fleetPlan({ ...whole, target: { ...whole.target, plan: small } });
  it('are exceeded by nobody: a worker stops while there is room for what the others have sent meanwhile', async () => {
    const clock = virtualClock();
    const service = await serveReference({ keys: [{ key, ...small }], now: () => clock.now() });
    const load = { ratePerSecond: 20, count: 400, volley: 0, mix: { listPets: 1 } };
    const whole = limited(fields(service.baseUrl, 4, load, clock.now()));
    const { requests, end } = readLedger(await sendPart(whole, 0, clock), 'ledger.jsonl');
    await service.close();
    expect(requests.filter(({ status }) => status !== 200)).toEqual([]);
    // Of 60 a minute no more than a quarter is its own, what it measured the clocks with apart.
    expect(requests.filter(({ number }) => number >= 0).length).toBeLessThan(60);
    expect(end.withheld).toBeGreaterThan(20);
  });

  it('are judged together: a counter for each worker admits too many', async () => {
    // More than two windows together: one may have turned meanwhile.
    const load = { ratePerSecond: 15, count: 165, volley: 0, mix: { listPets: 1 }, durationMs: 11_000 };
    const whole = limited(fields('http://127.0.0.1:1/v1', 3, load, hour));
    const ledgersWith = (counters: number): WorkerLedger[] => {
      const used = [0, 0, 0];
      const at = whole.start.notBefore;
      const lines = arrivalsOf(whole).map(({ number, atMs, operation }) => {
        const count = (used[number % counters] = (used[number % counters] ?? 0) + 1);
        const status = count > small.perMinute ? 429 : 200;
        const remaining = Math.max(0, small.perMinute - count);
        const moment = at + atMs;
        const headers: [string, string][] = [
          ['Date', new Date(moment + 3).toUTCString()],
          ['X-RateLimit-Limit', '60'],
          ['X-RateLimit-Remaining', String(remaining)],
          ['X-RateLimit-Reset', String((hour + 60_000) / 1_000)],
          ...(status === 429 ? ([['Retry-After', '60']] as [string, string][]) : []),
        ];
        return {
          ledger: 'request',
          number,
          planned: moment,
          sent: moment,
          head: moment + 5,
          status,
          operation,
          headers,
        } as const;
      });
      return [0, 1, 2].map((worker): WorkerLedger => {
        const requests = lines
          .filter(({ number }) => number % 3 === worker)
          .map((line) => ({ ...line, headers: [...line.headers] }));
        const [first] = read(fleet);
        if (!first) throw new Error('there is no ledger');
        const begin = { ...first.begin, worker, workers: 3, plan: whole.digest };
        return {
          name: `ledger-${worker}`,
          begin,
          start: { ledger: 'start', at, ownAt: at },
          requests,
          end: { ...first.end, requests: requests.length, withheld: 0, unsent: 0 },
          text: '',
        };
      });
    };
    const judged = async (counters: number): Promise<string[]> => {
      const ledgers = ledgersWith(counters);
      expect(ledgerProblems(whole, ledgers)).toEqual([]);
      const job = { plan: whole, ledgers, evidence: noEvidence, command: 'merge', environment: {} };
      const { requirements } = await mergeLedgers(job);
      return requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    };
    expect(await judged(1)).toEqual([]);
    expect(await judged(3)).toEqual(['LIMIT-15']);
  });
});

describe('a merged load is merged again from the ledgers in its folder', () => {
  /** What comes of it, if the folder or the record was changed in between. */
  const again = async (change: (run: RecordedRun) => RecordedRun): Promise<string[]> => {
    const directory = mkdtempSync(join(tmpdir(), 'petstore-fleet-'));
    try {
      const kept = { plan: fleet.plan, ledgers: read(fleet) };
      keepFleet(directory, kept);
      const exchanges: Exchange[] = [];
      const evidence = {
        append: (one: Exchange): unknown =>
          exchanges.push(JSON.parse(JSON.stringify({ ...one, previous: 'hash' })) as Exchange),
        close: (): void => undefined,
      };
      const record = await mergeLedgers({ ...kept, evidence, command: 'merge', environment: {} });
      const written = JSON.parse(recordText(record)) as RunRecord;
      const run = change({ record: written, exchanges, directory });
      const { record: anew, discrepancies } = await replayRun(run);
      const { differences } = compareRecords(run.record, anew);
      return [...discrepancies, ...differences.map(({ subject }) => subject)];
    } finally {
      rmSync(directory, { recursive: true });
    }
  };

  it('without a difference', async () => {
    expect(await again((run) => run)).toEqual([]);
  });

  it('and a figure, an exchange or a ledger that was changed is found', async () => {
    expect(
      await again((run) => ({
        ...run,
        record: { ...run.record, load: run.record.load && { ...run.record.load, good: 1 } },
      })),
    ).toEqual(['load']);
    expect(
      await again((run) => ({
        ...run,
        exchanges: run.exchanges.map((one, index) =>
          index === 3 && one.response ? { ...one, response: { ...one.response, status: 429 } } : one,
        ),
      })),
    ).toEqual(['e4 is not the exchange that the ledgers hold.']);
    const [problem] = await again((run) => {
      const file = join(run.directory, 'fleet-ledger-0.jsonl');
      writeFileSync(file, readFileSync(file, 'utf8').replace('"status":200', '"status":429'));
      return run;
    });
    expect(problem).toContain('a line was changed, added or removed');
  });
});

describe('a ledger is refused', () => {
  type Lines = Record<string, unknown>[];
  const linesOf = (text: string): Lines =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Lines[number]);
  /** Whoever edits a ledger may write its last line anew. */
  const sealed = (lines: Lines): string => {
    const before = lines
      .slice(0, -1)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('');
    const sha256 = createHash('sha256').update(before).digest('hex');
    return `${before}${JSON.stringify({ ...lines.at(-1), sha256 })}\n`;
  };
  const edited =
    (change: (lines: Lines) => void) =>
    (text: string): string => {
      const lines = linesOf(text);
      change(lines);
      return sealed(lines);
    };
  const request = (lines: Lines, place = 0): Lines[number] => {
    const found = lines.filter(({ number }) => typeof number === 'number' && number >= 0)[place];
    if (!found) throw new Error('there is no such request');
    return found;
  };
  const set = (line: Lines[number] | undefined, members: Lines[number]): void =>
    void Object.assign(line ?? {}, members);

  it.each<[what: string, change: (text: string, other: string) => string]>([
    ['cut off in its last line', (text) => text.slice(0, -30)],
    ['without its end', (text) => `${text.trimEnd().split('\n').slice(0, -1).join('\n')}\n`],
    ['cut in its middle', (text) => `${text.slice(0, text.indexOf('\n', text.length / 2))}\n`],
    ['empty', () => ''],
    ['without its beginning', (text) => text.slice(text.indexOf('\n') + 1)],
    ['twice in one file', (text) => text + text],
    [
      'mixed with another',
      (text, other) => text.trimEnd().split('\n').slice(0, 20).join('\n') + '\n' + other,
    ],
    ['with a line of another', (text, other) => text.replace('\n', `\n${other.split('\n')[9] ?? ''}\n`)],
    ['with a line twice', (text) => text.replace(/\n([^\n]+)\n/u, '\n$1\n$1\n')],
    ['with a line less', (text) => text.replace(/\n[^\n]+\n/u, '\n')],
    ['with another status', (text) => text.replace('"status":200', '"status":429')],
    ['with text that is no line', (text) => text.replace('\n', '\n{"ledger":"request"}\n')],
    ['with lines after its end', (text) => `${text}${text.split('\n')[5] ?? ''}\n`],
    ['sealed again with a line less', edited((lines) => void lines.splice(30, 1))],
    ['sealed again with a line twice', edited((lines) => void lines.splice(30, 0, { ...lines[30] }))],
    ['sealed again with the share of another', edited((lines) => set(request(lines), { number: 1 }))],
    ['sealed again with another planned moment', edited((lines) => set(request(lines, 3), { planned: 1 }))],
    [
      'sealed again with a response before its request',
      edited((lines) => set(request(lines, 3), { head: 5 })),
    ],
    [
      'sealed again with another operation',
      edited((lines) => set(request(lines), { operation: 'createPet' })),
    ],
    ['sealed again without a result', edited((lines) => set(request(lines), { status: null }))],
    ['sealed again as that of another plan', edited((lines) => set(lines[0], { plan: 'f'.repeat(64) }))],
    ['sealed again as that of another worker', edited((lines) => set(lines[0], { worker: 2 }))],
    [
      'sealed again with another start',
      edited((lines) =>
        set(
          lines.find((one) => one['ledger'] === 'start'),
          { at: 5 },
        ),
      ),
    ],
    [
      'that began late',
      edited((lines) => {
        for (const line of lines)
          if (Number(line['number']) >= 0)
            set(line, { sent: Number(line['sent']) + 3_000, head: Number(line['head']) + 3_000 });
      }),
    ],
    [
      'of an interrupted worker',
      edited((lines) => set(lines.at(-1), { stopped: 'the worker was interrupted' })),
    ],
  ])('%s', (_, change) => {
    const [first = '', second = '', ...rest] = fleet.texts;
    const changed = change(first, second);
    expect(changed).not.toBe(first);
    expect(() => {
      const problems = ledgerProblems(fleet.plan, read({ ...fleet, texts: [changed, second, ...rest] }));
      if (problems.length > 0) throw new Error(problems.join('\n'));
    }).toThrow(/ledger|started at different moments/u);
  });

  it('if one is missing, or given twice', () => {
    const ledgers = read(fleet);
    expect(ledgerProblems(fleet.plan, ledgers.slice(1)).join()).toContain('worker 0 is missing');
    expect(ledgerProblems(fleet.plan, [...ledgers, ...ledgers.slice(0, 1)]).join()).toContain(
      'has another ledger',
    );
  });

  it('of a plan that was changed', () => {
    const text = fleetPlanText(fleet.plan);
    expect(readFleetPlan(text, 'plan.json')).toEqual(fleet.plan);
    expect(() => readFleetPlan(text.replace('"volley": 10', '"volley": 11'), 'plan.json')).toThrow(
      /was changed/u,
    );
  });
});

it('in a log that others wrote into, the lines of the ledger are found', () => {
  const [first = ''] = fleet.texts;
  const log = `starting\n${first.replaceAll(/^/gmu, '2026-11-22T12:00:00Z stdout F ').replace(/\n[^\n]*$/u, '\n')}done\n`;
  expect(readLedger(log, 'pod.log').requests).toHaveLength(readLedger(first, 'x.jsonl').requests.length);
});
