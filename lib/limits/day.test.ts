import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Budget } from '../http/client/run-end.js';
import { credentialsFor } from '../http/exchange/credential.js';
import { Exchange } from '../evidence/exchange.js';
import { withBehaviour } from '../reference/changes.js';
import { withDayCounter } from '../reference/faults/limits/limiter-changes.js';
import { fixedWindowFromFirstRequest } from '../reference/limiter/fixed-window-request.js';
import type { Alteration } from '../reference/behaviour.js';
import { combineOptions, type ReferenceOptions } from '../reference/options.js';
import { serveReference, type ReferenceService } from '../reference/serve.js';
import { plans } from '../specification/plan.js';
import type { RequirementResult } from '../evidence/record/record.js';
import { limitEvidence } from './limits-of-run.js';
import { judgedBy } from './testing/limited.js';
import { countDay, minutesOfDay, readDays } from './day.js';
import { UnreadableRun } from '../evidence/record/regular-file.js';
import { ledgerFile, type LedgerLine } from '../load/ledger.js';
import { SkippingClock } from '../http/clock/testing/skipping-clock.js';

const key = 'pets_day_Qm7RzT2xWb9KdLcH';
const figures = { perMinute: 24, perDay: 80 };
/** Nothing in its answers tells of the day. */
const tellingTheMinute: Alteration = ({ finish }) => ({
  finish: async (answer, asked, of) => {
    const finished = await finish(answer, asked, of);
    const headers = finished.headers.filter(([name]) => !name.startsWith('X-RateLimit'));
    return { ...finished, headers };
  },
});
/** A day that admits so many, of which no header tells. */
function admitting(requests: number): ReferenceOptions {
  const day = withDayCounter((fresh) => fresh({ requests }));
  return combineOptions(day, { alterations: [tellingTheMinute] });
}
function changing429({ status = 429, wait }: { status?: number; wait?: string }): Alteration {
  return ({ finish }) => ({
    finish: async (...parts) => {
      const finished = await finish(...parts);
      if (finished.status !== 429) return finished;
      const headers = finished.headers.map(
        ([name, value]) => [name, name === 'Retry-After' ? (wait ?? value) : value] as const,
      );
      return { ...finished, status, headers };
    },
  });
}
/** An hour into a day. */
const begin = 1_790_000_000_000 - (1_790_000_000_000 % 86_400_000) + 3_600_000;

let folder: string;
const services: ReferenceService[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'day-'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await Promise.all(services.splice(0).map((service) => service.close()));
});

async function serving(options: ReferenceOptions, clock = new SkippingClock(begin)) {
  const service = await serveReference({
    ...options,
    keys: options.keys ?? [{ key, ...figures }],
    now: () => Math.floor(clock.now()),
  });
  services.push(service);
  return { service, clock };
}

/** Lists animals with the key, so often. */
async function usedNow(
  service: ReferenceService,
  clock: SkippingClock,
  times: number,
): Promise<LedgerLine[]> {
  for (let sent = 0; sent < times; sent += 1)
    await fetch(`${service.baseUrl}/pets`, { headers: { authorization: `Bearer ${key}` } });
  const line = {
    volley: 'day enterprise before',
    outcome: 'answered',
    sent: clock.now(),
    status: 200,
  } as const;
  return Array.from({ length: times }, () => line);
}

interface Counting {
  readonly service: ReferenceService;
  readonly clock: SkippingClock;
  readonly signal?: AbortSignal;
  /** What a run before this one counted. */
  readonly resumed?: readonly LedgerLine[];
  /** Requests that the run sends first, for something else. */
  readonly before?: number;
  readonly record?: (status: number | undefined) => void;
}

async function count({ service, clock, signal, resumed = [], before = 0, record }: Counting): Promise<{
  readonly day: Awaited<ReturnType<typeof countDay>>;
  readonly row: RequirementResult;
}> {
  const credentials = credentialsFor(key);
  const plan = { name: 'enterprise', ...(service.keys[0] ?? figures) } as const;
  const exchanges: Exchange[] = [];
  const day = await countDay({
    target: { baseUrl: service.baseUrl, userAgent: 'petstore-conformance/test', deadlineMs: 2_000 },
    plan,
    credential: credentials.valid,
    record: (exchange, isKept = true) => {
      const kept = new Exchange({ id: `e${exchanges.length + 1}`, ...exchange });
      if (!isKept) return kept;
      exchanges.push(kept);
      record?.(exchange.response?.status);
      return kept;
    },
    budget: new Budget(),
    progress: () => undefined,
    clock,
    signal: signal ?? new AbortController().signal,
    ledger: ledgerFile(folder),
    before: [...resumed, ...(await usedNow(service, clock, before))],
  });
  const facts = { plan, caller: 'PETSTORE_API_KEY', readOnly: false, day };
  const evidence = limitEvidence(exchanges, facts);
  return { day, row: judgedBy('LIMIT-10', evidence) };
}

describe('a day that is counted', () => {
  it.each([
    ['fixed windows', {}],
    ['windows from the first request', { limiter: { algorithm: 'fixed-window-from-first-request' } }],
    ['a token bucket', { limiter: { algorithm: 'token-bucket' } }],
    ['429 counted, the tighter limit shown', { limiter: { uncounted: [] }, headers: { shows: 'fewest' } }],
  ] as const satisfies ReadonlyArray<readonly [string, ReferenceOptions]>)(
    'passes with %s',
    async (_name, options) => {
      const { row, day } = await count(await serving(options));
      expect(row.findings).toEqual([]);
      expect(row.verdict).toBe('pass');
      expect(day.stopped).toBeUndefined();
      expect(row.notes).toEqual([expect.stringContaining('80 requests were admitted, then 429.')]);
    },
  );

  it('is inconclusive if requests earlier in the day may have used it up', async () => {
    const { service, clock } = await serving(admitting(figures.perDay - 1));
    const first = await count({ service, clock });
    expect(first.row).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('earlier in the day') as string,
    });
  });

  it('fails if Remaining shows that less was admitted and that nobody else used the key', async () => {
    const day = withDayCounter((fresh, { requests }) => fresh({ requests: requests - 1 }));
    const telling = withBehaviour(({ rateHeaders }) => ({
      rateHeaders: ({ day, ...decision }, request) =>
        rateHeaders({ ...decision, day: { ...day, limit: 80, remaining: day.remaining + 1 } }, request),
    }));
    const served = await serving(combineOptions(day, telling, { headers: { shows: 'day' } }));
    const { row, day: counted } = await count(served);
    expect(counted.fresh).toBe(true);
    expect(row.findings[0]?.message).toContain('79 of the plan');
  });

  it('is open if Remaining shows other clients, who may have used what is missing', async () => {
    const day = withDayCounter((fresh) => fresh({ requests: 40 }));
    const telling = withBehaviour(({ rateHeaders }) => ({
      rateHeaders: ({ day, ...decision }, request) =>
        rateHeaders({ ...decision, day: { ...day, limit: 80, remaining: 2 * day.remaining } }, request),
    }));
    const served = await serving(combineOptions(day, telling, { headers: { shows: 'day' } }));
    expect((await count(served)).row).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('other clients') as string,
    });
  });

  it.each([
    [403, 'fail'],
    [401, 'inconclusive'],
  ] as const)('ends if the target then responds with %d', async (status, verdict) => {
    const { row, day } = await count(await serving({ alterations: [changing429({ status })] }));
    expect(row.verdict).toBe(verdict);
    expect(day.stopped).toContain(String(status));
  });

  it.each([
    ['admits the figure', 80, 'pass', ''],
    ['admits one more', 81, 'fail', '81 requests were admitted, more than'],
  ] as const)(
    'which began with the run, as its end tells, %s without any other header',
    async (_name, figure, verdict, message) => {
      const day = withDayCounter((_fresh, { windowMs }) =>
        fixedWindowFromFirstRequest({ requests: figure, windowMs }),
      );
      const { row } = await count(await serving(combineOptions(day, { alterations: [tellingTheMinute] })));
      expect(row).toMatchObject({ verdict });
      expect(row.findings.map((finding) => finding.message).join()).toContain(message);
    },
  );

  describe('that another client opened a day before, so that it ends meanwhile,', () => {
    /** The other client's request, a day but a hundred seconds before the counting. */
    const opened = async (figure: number, alterations: readonly Alteration[] = []) => {
      const day = withDayCounter((_fresh, { windowMs }) =>
        fixedWindowFromFirstRequest({ requests: figure, windowMs }),
      );
      const served = await serving(combineOptions(day, { alterations: [tellingTheMinute, ...alterations] }));
      await fetch(`${served.service.baseUrl}/pets`, { headers: { authorization: `Bearer ${key}` } });
      await served.clock.sleep(86_400_000 - 100_000);
      return served;
    };
    const tellingNoEnd = changing429({ wait: '60' });

    it.each([
      ['tells its end', []],
      ['does not', [tellingNoEnd]],
    ] as const)('is inconclusive if its 429 %s', async (_name, alterations) => {
      const { row } = await count(await opened(80, alterations));
      expect(row).toMatchObject({
        verdict: 'inconclusive',
        reason: expect.stringContaining('a day may have ended') as string,
      });
    });

    it('fails if two days are admitted', async () => {
      const { row, day } = await count(await opened(10_000, [tellingNoEnd]));
      expect(row.verdict).toBe('fail');
      expect(day.sent).toBeLessThan(170);
    });
  });

  it('may refill after every few seconds, and its counting ends all the same', async () => {
    const { row, day } = await count(
      await serving({
        limiter: { algorithm: 'token-bucket' },
        alterations: [tellingTheMinute],
        keys: [{ key, perMinute: 240, perDay: 2_880 }],
      }),
    );
    expect(row.verdict).toBe('pass');
    expect(day.stretches[0]?.rejected).toBe(3);
  });

  it('goes on after an interruption without counting twice', async () => {
    const { service, clock } = await serving({});
    const stop = new AbortController();
    let answers = 0;
    const record = (): void => {
      answers += 1;
      if (answers === 20) stop.abort();
    };
    const first = await count({ service, clock, signal: stop.signal, record });
    expect(first.day.stopped).toContain('--resume');
    expect(first.row.verdict).toBe('inconclusive');
    const lines = await readDays(folder, 'enterprise');
    expect(lines.filter(({ status }) => status === 200)).toHaveLength(service.requestCount());
    const second = await count({ service, clock, resumed: lines });
    expect(second.row.verdict).toBe('pass');
    expect(service.requestCount()).toBe(figures.perDay + 1);
    expect([first, second].map(({ day }) => day.sent)).toEqual([
      service.requestCount() - (second.day.sent ?? 0),
      second.day.sent,
    ]);
    expect(second.row.notes?.[0]).toContain('80 requests');
  });

  it('counts a request without an answer as one that may have been used up', async () => {
    const { service, clock } = await serving({});
    const stop = new AbortController();
    let answers = 0;
    await count({
      service,
      clock,
      signal: stop.signal,
      record: () => void ((answers += 1) === 20 && stop.abort()),
    });
    // The process was killed while the last answer was on its way.
    const lines = (await readDays(folder, 'enterprise')).slice(0, -1);
    const lost = { ...lines.at(-1), volley: 'day enterprise', outcome: 'lost', status: undefined } as const;
    const { row } = await count({ service, clock, resumed: [...lines, lost] });
    expect(row.verdict).toBe('pass');
    expect(row.notes?.[0]).toContain('1 request without a response may be among them');
  });

  it('goes on when the target has been away for a while', async () => {
    let away = 0;
    const { service, clock } = await serving({
      alterations: [
        ({ finish }) => ({
          finish: async (answer, asked, of) => {
            away += 1;
            const finished = await finish(answer, asked, of);
            return away >= 24 && away < 30 ? { ...finished, status: 503 } : finished;
          },
        }),
      ],
    });
    const { row } = await count({ service, clock });
    expect(row.verdict).toBe('pass');
    expect(row.notes?.[0]).toContain('6 requests without a response may be among them');
  });

  it('gives a target up that stays away', async () => {
    const { service, clock } = await serving({});
    await service.close();
    const { day, row } = await count({ service, clock });
    expect(day.stopped).toContain('the target was lost');
    expect(row.verdict).toBe('inconclusive');
  });
});

it('says where a line of the ledger is none', async () => {
  writeFileSync(join(folder, 'ledger.jsonl'), '{"kind":"a","status":200}\n{}\n');
  await expect(readDays(folder, 'free')).rejects.toThrow(UnreadableRun);
  await expect(readDays(folder, 'free')).rejects.toThrow('line 1');
});

it('says beforehand how long a day takes', () => {
  const { free, pro, business } = plans;
  expect([free, pro, business].map((plan) => minutesOfDay(plan))).toEqual([17, 34, 100]);
});
