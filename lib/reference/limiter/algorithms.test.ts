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

  it('says from 0 to the limit remain, and resets within a window', () => {
    fc.assert(
      fc.property(traffic, ({ requests, pauses }) => {
        const counter = fresh(name, requests);
        let at = start;
        for (const pause of pauses) {
          at += pause;
          take(counter, at);
          const standing = counter.standing(at);
          expect(standing.limit).toBe(requests);
          expect(standing.remaining).toBeGreaterThanOrEqual(0);
          expect(standing.remaining).toBeLessThanOrEqual(requests);
          expect(standing.resetsAt).toBeGreaterThan(at - 1);
          expect(standing.resetsAt).toBeLessThanOrEqual(at + windowMs);
        }
      }),
    );
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

  it('is fresh again after two windows of rest', () => {
    fc.assert(
      fc.property(traffic, ({ requests, pauses }) => {
        const counter = fresh(name, requests);
        let at = start;
        for (const pause of pauses) take(counter, (at += pause));
        expect(counter.standing(at + 2 * windowMs).remaining).toBe(requests);
      }),
    );
  });
});

describe('what an algorithm bounds', () => {
  it('a fixed window aligned to the clock admits no more than the quota in a minute of the clock', () => {
    fc.assert(
      fc.property(traffic, (drawn) => {
        const minutes = admissions('fixed-window-aligned', drawn).map((time) => Math.floor(time / windowMs));
        const most = Math.max(...minutes.map((minute) => minutes.filter((one) => one === minute).length));
        expect(most).toBeLessThanOrEqual(drawn.requests);
      }),
    );
  });

  it('a sliding log admits no more than the quota in any minute', () => {
    fc.assert(
      fc.property(traffic, (drawn) => {
        expect(densest(admissions('sliding-log', drawn), windowMs)).toBeLessThanOrEqual(drawn.requests);
      }),
    );
  });

  it.each(['fixed-window-from-first-request', 'sliding-counter', 'token-bucket'] as const)(
    '%s admits no more than twice the quota in any minute',
    (name) => {
      fc.assert(
        fc.property(traffic, (drawn) => {
          expect(densest(admissions(name, drawn), windowMs)).toBeLessThanOrEqual(2 * drawn.requests);
        }),
      );
    },
  );

  it('a token bucket admits its size and what has refilled since', () => {
    fc.assert(
      fc.property(traffic, fc.integer({ min: 1, max: 3 * windowMs }), (drawn, length) => {
        const refilled = (length * drawn.requests) / windowMs;
        const most = densest(admissions('token-bucket', drawn), length);
        expect(most).toBeLessThanOrEqual(drawn.requests + Math.ceil(refilled));
      }),
    );
  });
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

describe('around the end of a window', () => {
  it.each([
    ['fixed-window-aligned', 60],
    ['fixed-window-from-first-request', 60],
    ['sliding-log', 1],
    ['sliding-counter', 0],
    ['token-bucket', 1],
  ] as const)('%s admits %2$i more just after the announced reset', (name, more) => {
    const counter = fresh(name);
    counter.count(start);
    const { resetsAt } = counter.standing(start);
    burst(counter, resetsAt - 1, limit);
    expect(burst(counter, resetsAt, limit)).toBe(more);
  });
});

describe('refused requests that are counted all the same', () => {
  it.each(['fixed-window-aligned', 'fixed-window-from-first-request'] as const)(
    '%s leaves the end of the window unchanged',
    (name) => {
      const counter = fresh(name);
      burst(counter, start, limit);
      const before = counter.standing(start);
      counter.count(start + 1_000);
      expect(counter.standing(start + 1_000).resetsAt).toBe(before.resetsAt);
    },
  );

  it.each(['sliding-log', 'sliding-counter', 'token-bucket'] as const)(
    '%s admits the next one later',
    (name) => {
      const counter = fresh(name);
      burst(counter, start, limit);
      const before = counter.standing(start + 1_000);
      for (let more = 0; more < 10; more += 1) counter.count(start + 1_000);
      const { admitsAt } = counter.standing(start + 1_000);
      expect(admitsAt).toBeGreaterThanOrEqual(before.admitsAt);
      expect(counter.standing(admitsAt).remaining).toBeGreaterThan(0);
    },
  );
});

describe('a clock that is set back', () => {
  it.each(names)('does not give a used-up quota back (%s)', (name) => {
    const counter = fresh(name);
    burst(counter, start, limit);
    expect(counter.standing(start - 30_000).remaining).toBe(0);
  });
});
