import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { algorithms, type AlgorithmName } from './algorithms.js';
import type { Counter, Standing } from './counter.js';

const windowMs = 60_000;
const limit = 60;
const names = Object.keys(algorithms) as AlgorithmName[];

/** Begins 20 seconds after a full minute, so that "aligned to the clock" differs from "from the first request". */
const start = Date.UTC(2026, 0, 1, 12, 0, 20);

function fresh(name: AlgorithmName, requests = limit): Counter {
  return algorithms[name]({ requests, windowMs });
}

/** Counts a request if one remains; returns whether it did. */
function take(counter: Counter, at: number): boolean {
  const admitted = counter.standing(at).remaining > 0;
  if (admitted) counter.count(at);
  return admitted;
}

function burst(counter: Counter, at: number, requests: number): number {
  return Array.from({ length: requests }, () => take(counter, at)).filter(Boolean).length;
}

/** Requests spread over some windows: a quota, and the pauses before each of them. */
const traffic = fc.record({
  requests: fc.integer({ min: 1, max: 12 }),
  pauses: fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30_000 }), fc.constant(windowMs)), {
    minLength: 1,
    maxLength: 80,
  }),
});

/** The times at which a counter admitted such traffic. */
function admissions(
  name: AlgorithmName,
  { requests, pauses }: { requests: number; pauses: number[] },
): number[] {
  const counter = fresh(name, requests);
  let at = start;
  return pauses.map((pause) => (at += pause)).filter((time) => take(counter, time));
}

/** The most of these times that fall into any stretch of this length, its end not included. */
function densest(times: readonly number[], length: number): number {
  return Math.max(
    0,
    ...times.map((from) => times.filter((time) => time >= from && time < from + length).length),
  );
}

describe.each(names)('%s', (name) => {
  it('admits a whole quota at once from fresh, and not one more', () => {
    expect(burst(fresh(name), start, 2 * limit)).toBe(limit);
  });

  it('admits the next request just when it says so', () => {
    fc.assert(
      fc.property(traffic, ({ requests, pauses }) => {
        const counter = fresh(name, requests);
        let at = start;
        for (const pause of pauses) take(counter, (at += pause));
        burst(counter, at, requests);
        const { admitsAt, remaining } = counter.standing(at);
        expect(remaining).toBe(0);
        expect(admitsAt).toBeGreaterThan(at);
        expect(counter.standing(Math.max(at, admitsAt - 2)).remaining).toBe(0);
        expect(counter.standing(admitsAt).remaining).toBeGreaterThan(0);
      }),
    );
  });

  it('looks without counting', () => {
    const counter = fresh(name);
    counter.count(start);
    expect(counter.standing(start)).toEqual(counter.standing(start));
  });

  it('forgets a request that is given back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: limit - 1 }), (used) => {
        const counter = fresh(name);
        burst(counter, start, used);
        const before = counter.standing(start);
        counter.count(start);
        counter.giveBack(start);
        expect(counter.standing(start)).toEqual(before);
      }),
    );
  });
});

it.each([
  ['sliding-log', 1],
  ['fixed-window-aligned', 2],
  ['fixed-window-from-first-request', 2],
  ['sliding-counter', 2],
  ['token-bucket', 2],
] as const)('%s admits no more than %d times the quota in any minute', (name, most) => {
  fc.assert(
    fc.property(traffic, (drawn) => {
      expect(densest(admissions(name, drawn), windowMs)).toBeLessThanOrEqual(most * drawn.requests);
    }),
  );
});

/** Ten requests at once, then one at each of these seconds: what remains, and the seconds to Reset. */
const seconds = [5, 10, 15, 30, 39, 41, 45, 59, 61, 66, 75, 101];

const traces: Record<AlgorithmName, string> = {
  'fixed-window-aligned':
    '50(40) 49(35) 48(30) 47(25) 46(10) 45(1) 59(59) 58(55) 57(41) 56(39) 55(34) 54(25) 59(59)',
  'fixed-window-from-first-request':
    '50(60) 49(55) 48(50) 47(45) 46(30) 45(21) 44(19) 43(15) 42(1) 59(60) 58(55) 57(46) 56(20)',
  'sliding-log': '50(60) 49(55) 48(50) 47(45) 46(30) 45(21) 44(19) 43(15) 42(1) 51(4) 51(4) 52(15) 54(4)',
  'sliding-counter':
    '50(40) 49(35) 48(30) 47(25) 46(10) 45(1) 44(59) 44(55) 46(41) 46(39) 46(34) 47(25) 53(59)',
  'token-bucket': '50(10) 54(6) 58(2) 59(1) 59(1) 59(1) 59(1) 59(1) 59(1) 59(1) 59(1) 59(1) 59(1)',
};

describe('the trace that gives an algorithm away', () => {
  it.each(names)('%s', (name) => {
    const counter = fresh(name);
    const shown = ({ remaining, resetsAt }: Standing, at: number): string =>
      `${remaining}(${Math.ceil((resetsAt - at) / 1000)})`;
    burst(counter, start, 10);
    const trace = [shown(counter.standing(start), start)];
    for (const second of seconds) {
      const at = start + second * 1000;
      take(counter, at);
      trace.push(shown(counter.standing(at), at));
    }
    expect(trace.join(' ')).toBe(traces[name]);
  });
});

describe('a clock that is set back', () => {
  it.each(names)('does not give a used-up quota back (%s)', (name) => {
    const counter = fresh(name);
    burst(counter, start, limit);
    expect(counter.standing(start - 30_000).remaining).toBe(0);
  });
});
