import { describe, expect, it } from 'vitest';
import { LoadCounter, type Bounds } from './load-counter.js';

const began = Date.UTC(2026, 0, 1);
interface Sketch {
  /** Milliseconds after the beginning. */
  readonly at: number;
  readonly status?: number | null;
  readonly took?: number;
  /** Milliseconds after the planned moment, and those of them that are the harness's own. */
  readonly late?: number;
  readonly ownLate?: number;
  readonly reason?: 'timeout' | 'refused';
}

/** A counter of a load, and a way to hand it lines. */
function counting(bounds: Bounds = {}) {
  const counter = new LoadCounter();
  const answer = (sketch: Sketch): void => {
    const { at, status = 200, took = 10, late = 0, ownLate = 0, reason = 'timeout' } = sketch;
    counter.add({
      volley: 'load',
      outcome: status === null ? 'lost' : 'answered',
      operation: 'listPets',
      planned: began + at,
      sent: began + at + late,
      ownLate,
      took,
      ...(status === null ? { reason } : { status }),
    });
  };
  const figures = () =>
    counter.result({ ratePerSecond: 10, mix: { listPets: 1 }, planned: 600, durationMs: 2_000 }, bounds);
  return { counter, answer, figures };
}

describe('what came back', () => {
  it('is good, refused or an error, at any moment and at the end', () => {
    const { answer, counter, figures } = counting();
    answer({ at: 0 });
    answer({ at: 1, status: 503 });
    answer({ at: 2, status: null });
    answer({ at: 3, status: 429 });
    counter.add({ volley: 'load', outcome: 'not sent', planned: began + 4 });
    expect(counter.figures).toMatchObject({ sent: 4, good: 1, refused: 1, errors: 2, notSent: 1 });
    expect(figures()).toMatchObject({
      sent: 4,
      good: 1,
      goodputPerSecond: 0.5,
      refused: 1,
      errors: 2,
      byStatus: { '200': 1, '429': 1, '503': 1, timeout: 1 },
    });
  });

  it('has three latencies: what users feel, the part of the target, and what was late', () => {
    const { answer, figures } = counting();
    answer({ at: 0, took: 4, late: 100, ownLate: 90 });
    const { latency, service, lateness } = figures();
    expect([latency?.max, service?.max, lateness?.max].map((one) => Math.round(one ?? 0))).toEqual([
      104, 4, 100,
    ]);
  });

  it('does not miss a bound by the lateness of the harness, and misses it by waiting for connections', () => {
    const own = counting({ p50: '50ms' });
    const theirs = counting({ p50: '50ms' });
    for (let at = 0; at < 20; at += 1) {
      own.answer({ at, late: 100, ownLate: 100 });
      theirs.answer({ at, late: 100 });
    }
    expect(own.figures().thresholds.map(({ outcome }) => outcome)).toEqual(['open']);
    expect(theirs.figures().thresholds.map(({ outcome }) => outcome)).toEqual(['broken']);
  });

  it('keeps a threshold or does not', () => {
    const { answer, figures } = counting({ p99: '50ms', errors: '0' });
    answer({ at: 0, took: 80 });
    expect(figures().thresholds.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['p99', 'broken'],
      ['errors', 'kept'],
    ]);
  });
});

describe('a target that is not there at the end', () => {
  const endOf = (...answers: readonly Sketch[]): boolean => {
    const { answer, counter } = counting();
    for (const one of answers) answer(one);
    return counter.isLost;
  };
  const refused = (at: number): Sketch => ({ at, status: null, reason: 'refused' });

  it('is lost', () => {
    expect(endOf({ at: 100 }, refused(200), refused(300), refused(400))).toBe(true);
  });

  it('is not lost if it has come back', () => {
    expect(endOf(refused(100), refused(200), refused(300), { at: 400 })).toBe(false);
  });

  it('is not lost if it is only slow', () => {
    expect(endOf(...[100, 200, 300].map((at) => ({ at, status: null })))).toBe(false);
  });
});
