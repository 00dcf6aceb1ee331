import { describe, expect, it } from 'vitest';
import { measureReference, turned } from './testing/against-reference.js';

const begin = 1_790_000_000_000 - (1_790_000_000_000 % 60_000) + 20_000;

async function measured(
  algorithm: 'sliding-log' | 'sliding-counter' | 'token-bucket',
  windowSeconds: number,
  moment = 0,
) {
  const run = await measureReference(
    { limiter: { algorithm }, windowMs: windowSeconds * 1_000 },
    { begin: begin + moment, perDay: 100_000 },
  );
  const rows = new Map(run.measurement.requirements.map((row) => [row.id, row]));
  return { turned: turned(run), rows };
}

describe('a window shorter than a minute', () => {
  it.each([
    ['sliding-log', 10],
    ['sliding-log', 30],
    ['sliding-counter', 30],
    ['sliding-counter', 45],
    ['token-bucket', 45],
  ] as const)('is seen behind a %s of %d s', async (algorithm, windowSeconds) => {
    const run = await measured(algorithm, windowSeconds);
    expect(run.turned).toContain('LIMIT-02');
    expect(run.rows.get('LIMIT-02')?.findings).toMatchObject([
      { message: expect.stringMatching(/^requests come back sooner than a minute allows, .* about \d/) },
    ]);
  });
});

it('a window that slides and is shorter resets as it says', async () => {
  for (const moment of [0, 13_000, 27_900, 48_000]) {
    const run = await measured('sliding-log', 30, moment);
    expect([run.turned, run.rows.get('LIMIT-14')?.verdict]).toEqual([['LIMIT-02'], 'pass']);
  }
});

describe('a window longer than a minute', () => {
  it('is told of a bucket, and not held against it: another client on the key looks alike', async () => {
    const run = await measured('token-bucket', 90);
    expect(run.turned).toEqual([]);
    expect(run.rows.get('LIMIT-11')?.observations).toContainEqual(
      expect.objectContaining({
        behaviour: expect.stringMatching(/^requests come back as in a token bucket of about (80|90) s$/),
      }),
    );
  });
});

it('a window of a minute is told of by none', async () => {
  const run = await measured('sliding-log', 60);
  expect(run.turned).toEqual([]);
  expect(run.rows.get('LIMIT-11')?.observations?.map(({ subject }) => subject)).toEqual([
    'algorithm',
    'trace of Remaining',
  ]);
});
