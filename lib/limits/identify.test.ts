import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Exchange } from '../http/exchange/exchange.js';
import { identify } from './identify.js';
import { algorithmNames, models, type AlgorithmName } from './models.js';
import { seen, type Seen } from './seen.js';

const windowMs = 60_000;

interface Simulation {
  readonly name: AlgorithmName;
  readonly limit: number;
  readonly begin: number;
  /** Milliseconds that each request of a fill takes. */
  readonly pace: number;
  readonly tellsRemaining: boolean;
}

/** A limiter that answers three fills and the looks around them, as a run sends them; one wait is what it takes. */
function simulated({ name, limit, begin, pace, tellsRemaining }: Simulation): Seen[] {
  const model = models[name]({ limit, refill: limit, windowMs });
  const requests: Seen[] = [];
  let at = begin;
  const ask = (): boolean => {
    const admitted = model.room(at) >= 1;
    if (admitted) model.count(at);
    requests.push(
      answered(
        requests.length,
        at,
        admitted,
        tellsRemaining ? Math.floor(Math.max(0, model.room(at))) : undefined,
        limit,
      ),
    );
    at += pace;
    return admitted;
  };
  for (let fill = 0; fill < 3; fill += 1) {
    while (ask());
    while (model.room(at) < 1) at += 100;
    at += 50;
    ask();
    at += windowMs / 28;
    ask();
    // Everything has come back in every algorithm but the counter, whose next window brings the rest.
    if (model.room(at) < limit - 3) at += windowMs + 1_000;
    if (model.room(at) < limit - 3) at += windowMs;
  }
  return requests;
}

function answered(
  index: number,
  at: number,
  admitted: boolean,
  remaining: number | undefined,
  limit: number,
): Seen {
  const exchange: Exchange = {
    id: `e${index}`,
    purpose: 'LIMIT-01',
    operation: 'listPets',
    credential: 'valid',
    input: 'specified',
    sentAt: new Date(at).toISOString(),
    request: { method: 'GET', url: 'http://127.0.0.1/v1/pets', headers: [] },
    response: {
      status: admitted ? 200 : 429,
      headers: [
        ['Date', new Date(at).toUTCString()],
        ...(remaining === undefined
          ? []
          : ([
              ['X-RateLimit-Limit', String(limit)],
              ['X-RateLimit-Remaining', String(remaining)],
            ] as [string, string][])),
      ],
      body: { bytes: 0 },
    },
    timing: { wait: 0, firstByte: 0.5, total: 0.5 },
  };
  return seen(exchange, { sentAt: at - 0.25, at: at + 0.25 });
}

const simulation = fc.record({
  name: fc.constantFrom(...algorithmNames),
  limit: fc.integer({ min: 20, max: 400 }),
  begin: fc.integer({ min: 1_790_000_000_000, max: 1_790_000_600_000 }),
  pace: fc.integer({ min: 1, max: 15 }),
  tellsRemaining: fc.boolean(),
});

function identified(drawn: Simulation) {
  const plan = { name: 'enterprise', perMinute: drawn.limit, perDay: 1_000_000 } as const;
  const difference = { least: -1, most: 1 };
  return identify(simulated(drawn), { plan, windowMs, difference, uncounted: new Set() });
}

it('never rules the right algorithm out, whatever the limit, the phase and the pace', () => {
  fc.assert(
    fc.property(simulation, (drawn) => {
      const { candidates, certainty } = identified(drawn);
      expect(certainty === 'unknown' ? [drawn.name] : candidates).toContain(drawn.name);
    }),
    { numRuns: 150 },
  );
});

it('is sure of a bucket, whatever its size, the phase and the pace', () => {
  fc.assert(
    fc.property(simulation, (drawn) => {
      const { candidates, mayRefill } = identified({ ...drawn, name: 'token bucket', tellsRemaining: true });
      expect(candidates).toEqual(['token bucket']);
      expect(mayRefill).toBe(true);
    }),
    { numRuns: 100 },
  );
});
