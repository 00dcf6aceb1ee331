import { describe, expect, it } from 'vitest';
import { timestamp } from '../http/clock/clock.js';
import { LoadCounter } from './load-counter.js';
import { thresholdOf, type Threshold } from './thresholds.js';

const began = Date.UTC(2026, 0, 1);
interface Sketch {
  /** Milliseconds after the beginning. */
  readonly at: number;
  readonly status?: number | null;
  readonly headers?: Headers;
  readonly latencyMs?: number;
  readonly failure?: 'timeout' | 'refused';
}
type Headers = [string, string][];

/** A counter of a load, and a way to hand it responses. */
function counting(thresholds: readonly Threshold[] = []) {
  let recorded = 0;
  const counter = new LoadCounter({
    ratePerSecond: 10,
    mix: { listPets: 1, createPet: 0, getPet: 0 },
    thresholds,
    planned: 600,
    startedAt: began,
  });
  const answer = ({ at, status = 200, headers = [], latencyMs = 10, failure = 'timeout' }: Sketch): void => {
    const isEvidence = counter.add({
      purpose: 'load',
      operation: 'listPets',
      credential: 'valid',
      input: 'specified',
      sentAt: timestamp(began + at - latencyMs),
      request: { method: 'GET', url: 'http://127.0.0.1/v1/pets', headers: [] },
      ...(status === null
        ? { failure: { kind: failure, message: 'no answer' } }
        : { response: { status, headers, body: { bytes: 0 } } }),
      timing: { wait: 0, ...(status !== null && { firstByte: latencyMs }), total: latencyMs },
    });
    recorded += Number(isEvidence);
  };
  /** Milliseconds after the beginning until which nothing is to be sent, asked at `at`. */
  const heldBack = (at: number): number | undefined => {
    const until = counter.pausedUntil(began + at);
    return until === undefined ? undefined : until - began;
  };
  const figures = () => counter.result({ endedAt: began + 2_000, withheld: 0 }).load;
  return { counter, answer, heldBack, figures, recorded: () => recorded };
}

describe('after a 429 nothing is sent', () => {
  it('for as many seconds as it says', () => {
    const { answer, heldBack } = counting();
    answer({ at: 100, status: 429, headers: [['Retry-After', '7']] });
    expect([heldBack(7_099), heldBack(7_100)]).toEqual([7_100, undefined]);
  });

  it('until the date that it says, by the clock of the target', () => {
    const { answer, heldBack } = counting();
    const ahead = 90_000;
    answer({
      at: 0,
      status: 429,
      headers: [
        ['date', new Date(began + ahead).toUTCString()],
        ['retry-after', new Date(began + ahead + 5_000).toUTCString()],
      ],
    });
    expect(heldBack(4_999)).toBe(5_000);
  });

  it.each(['soon', '-3', '0', undefined])(
    'for a second if it says %s, and twice as long each time that this was not enough',
    (text) => {
      const { answer, heldBack } = counting();
      const headers: Headers = text === undefined ? [] : [['Retry-After', text]];
      answer({ at: 0, status: 429, headers });
      expect(heldBack(1)).toBe(1_000);
      answer({ at: 1_100, status: 429, headers });
      expect(heldBack(1_101)).toBe(3_100);
      answer({ at: 3_200 });
      answer({ at: 3_300, status: 429, headers });
      expect(heldBack(3_301)).toBe(4_300);
    },
  );

  it('no longer because several were under way when the first was refused', () => {
    const { answer, heldBack, figures } = counting();
    for (const at of [100, 101, 102]) answer({ at, status: 429, latencyMs: 50 });
    expect(heldBack(103)).toBe(1_100);
    expect(figures().refused).toBe(3);
  });

  it('for ten minutes at the most', () => {
    const { answer, heldBack } = counting();
    answer({ at: 0, status: 429, headers: [['Retry-After', '31536000']] });
    expect(heldBack(1)).toBe(600_000);
  });
});

describe('what came back', () => {
  it('is good, refused or an error, at any moment and at the end', () => {
    const { answer, counter, figures } = counting();
    answer({ at: 0 });
    answer({ at: 1, status: 503 });
    answer({ at: 2, status: null });
    answer({ at: 3, status: 429 });
    expect(counter.state(began + 600)).toMatchObject({
      sent: 4,
      good: 1,
      refused: 1,
      errors: 2,
      elapsedMs: 600,
    });
    expect(figures()).toMatchObject({
      sent: 4,
      good: 1,
      goodputPerSecond: 0.5,
      refused: 1,
      errors: 2,
      byStatus: { '200': 1, '429': 1, '503': 1, timeout: 1 },
    });
  });

  it('is evidence whole while it is little, and then in samples', () => {
    const { answer, recorded } = counting();
    for (let at = 0; at < 2_000; at += 1) answer({ at });
    expect(recorded()).toBe(2_000);
    for (let at = 2_000; at < 3_000; at += 1) answer({ at });
    expect(recorded()).toBe(2_010);
    answer({ at: 3_001, status: 500 });
    expect(recorded()).toBe(2_011);
  });

  it('keeps a threshold or does not', () => {
    const { answer, figures } = counting(
      [thresholdOf('p99', '50ms') ?? [], thresholdOf('errors', '0') ?? []].flat(),
    );
    answer({ at: 0, latencyMs: 80 });
    expect(figures().thresholds.map(({ name, kept }) => [name, kept])).toEqual([
      ['p99', false],
      ['errors', true],
    ]);
  });
});

describe('a target that is not there at the end', () => {
  const endOf = (...answers: readonly Sketch[]): boolean => {
    const { answer, counter } = counting();
    for (const one of answers) answer(one);
    return counter.result({ endedAt: began + 1_000, withheld: 0 }).lost;
  };
  const refused = (at: number): Sketch => ({ at, status: null, failure: 'refused' });

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
