import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Exchange } from '../../evidence/exchange.js';
import { algorithms, type AlgorithmName } from '../../reference/limiter/algorithms.js';
import { historyOf, type History } from '../history/history.js';
import { follow } from '../judge/follow.js';
import { admitsTooMuch, plainHypothesis } from '../judge/hypothesis.js';
import { bySteps } from '../judge/judge.js';
import type { AlgorithmName as ModelName } from './algorithms.js';

const windowMs = 60_000;
const begin = Date.UTC(2026, 0, 1, 12);
/** `HISTORIES=1000` is the whole property; a few are quick enough for every day. */
const runs = Number(process.env['HISTORIES'] ?? 150);

const modelNames = {
  'fixed-window-aligned': 'fixed window aligned to the clock',
  'fixed-window-from-first-request': 'fixed window from the first request',
  'sliding-log': 'sliding log',
  'sliding-counter': 'sliding counter',
  'token-bucket': 'token bucket',
} as const satisfies Record<AlgorithmName, ModelName>;

/** Stretches of traffic: a pause, and then so many requests at once, of which some are lost or sent by another client. */
const traffic = fc.record({
  limit: fc.integer({ min: 5, max: 30 }),
  aheadMs: fc.integer({ min: -100_000, max: 100_000 }),
  roundsDown: fc.boolean(),
  stretches: fc.array(
    fc.record({
      pauseMs: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1_000, max: 70_000 })),
      requests: fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 12 })),
      latencyMs: fc.integer({ min: 1, max: 150 }),
      lost: fc.integer({ min: 0, max: 9 }),
      others: fc.integer({ min: 0, max: 6 }),
    }),
    { minLength: 2, maxLength: 30 },
  ),
});
type Traffic = typeof traffic extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * What a limiter of the reference responds to such traffic, if its clock goes by steps of so many milliseconds, and if it reads
 * what is left just before it responds.
 */
function historyBy(
  name: AlgorithmName,
  { limit, aheadMs, roundsDown, stretches }: Traffic,
  stepMs = 1,
  readsLater = false,
): History {
  const counter = algorithms[name]({ requests: limit, windowMs });
  const exchanges: Exchange[] = [];
  let now = begin;
  const take = (time: number, laterMs = 0): { status: number; remaining: number; resetsAt: number } => {
    const at = Math.floor(time / stepMs) * stepMs;
    const admitted = counter.standing(at).remaining > 0;
    if (admitted) counter.count(at);
    return { status: admitted ? 200 : 429, ...counter.standing(at + laterMs) };
  };
  for (const { pauseMs, requests, latencyMs, lost, others } of stretches) {
    now += pauseMs;
    // Other clients send now and then, at some time of the pause.
    if (others > 4 && pauseMs >= 1_000)
      for (let sent = 4; sent < others; sent += 1) take(Math.floor(now - pauseMs / 2) + aheadMs);
    for (let index = 0; index < requests; index += 1) {
      const laterMs = readsLater ? Math.floor(latencyMs / 2) : 0;
      const within = latencyMs - laterMs;
      const at = Math.floor(now + (within * (index + 1)) / (requests + 1)) + aheadMs;
      const { status, remaining, resetsAt } = take(at, laterMs);
      const isLost = index === lost;
      exchanges.push(
        new Exchange({
          id: `e${exchanges.length + 1}`,
          purpose: 'LIMIT-01',
          operation: 'listPets',
          credential: 'valid',
          sentAt: new Date(now).toISOString(),
          request: { method: 'GET', url: 'http://127.0.0.1/v1/pets', headers: [] },
          timing: { wait: 0, total: latencyMs + 1 },
          ...(!isLost && {
            response: {
              status,
              headers: [
                ['X-RateLimit-Limit', String(limit)],
                ['X-RateLimit-Remaining', String(remaining)],
                ['X-RateLimit-Reset', String((roundsDown ? Math.floor : Math.ceil)(resetsAt / 1000))],
                ['Date', new Date(at).toUTCString()],
              ],
              body: { bytes: 0 },
            },
          }),
        }),
      );
    }
    now += latencyMs + 1;
  }
  const plan = { name: 'enterprise' as const, perMinute: limit, perDay: 1_000_000 };
  return historyOf(exchanges, { plan, caller: 'PETSTORE_API_KEY', readOnly: false });
}

describe('a limiter explains its own history, and admits no more than it may', () => {
  it.each(Object.keys(algorithms) as AlgorithmName[])('%s', { timeout: 600_000 }, (name) => {
    fc.assert(
      fc.property(traffic, (drawn) => {
        const history = historyBy(name, drawn);
        const model = plainHypothesis(history, modelNames[name]);
        expect(admitsTooMuch(follow(model, history) ?? { findings: [] })).toBe(false);
      }),
      { numRuns: runs, seed: 1 },
    );
  });

  it.each(Object.keys(algorithms) as AlgorithmName[])(
    '%s by a clock of whole seconds',
    { timeout: 600_000 },
    (name) => {
      fc.assert(
        fc.property(traffic, (drawn) => {
          const history = historyBy(name, drawn, 1_000);
          const plain = plainHypothesis(history, modelNames[name]);
          const [steps] = bySteps({ hypothesis: plain, findings: [] }, history);
          expect(admitsTooMuch(follow({ ...plain, ...steps }, history) ?? { findings: [] })).toBe(false);
        }),
        { numRuns: runs, seed: 1 },
      );
    },
  );

  it.each(['sliding-log', 'token-bucket'] as const)(
    '%s that reads what is left just before it responds',
    { timeout: 600_000 },
    (name) => {
      fc.assert(
        fc.property(traffic, (drawn) => {
          const history = historyBy(name, drawn, 1, true);
          const model = plainHypothesis(history, modelNames[name]);
          expect(admitsTooMuch(follow(model, history) ?? { findings: [] })).toBe(false);
        }),
        { numRuns: runs, seed: 1 },
      );
    },
  );
});
