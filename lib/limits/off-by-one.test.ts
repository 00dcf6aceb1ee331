import { describe, expect, it } from 'vitest';
import { withMinuteHeaders } from '../reference/faults/limits/limiter-changes.js';
import type { ReferenceOptions } from '../reference/options.js';
import { measureReference, turned } from './testing/against-reference.js';

const minute = 1_790_000_000_000 - (1_790_000_000_000 % 60_000);

/** A limiter that admits so many more than the figure, which its headers tell as ever. */
function admittingMore(
  algorithm: NonNullable<ReferenceOptions['limiter']>['algorithm'],
  more: number,
): ReferenceOptions {
  const told = withMinuteHeaders(({ limit }) => ({ limit: limit - more }));
  const quota: NonNullable<ReferenceOptions['limiter']>['quota'] = ({ caller }) => ({
    perMinute: caller.perMinute + more,
    perDay: caller.perDay,
  });
  return { ...told, limiter: { ...(algorithm === undefined ? {} : { algorithm }), quota } };
}

const tooMany = ['LIMIT-02', 'LIMIT-03', 'LIMIT-09'];
const tooFew = ['LIMIT-01', 'LIMIT-03', 'LIMIT-09'];

// The suite's own looks weigh on what slides or refills, and could hide one too few or too many behind them.
describe.each([20, 60])('a figure of %d that is off by one', (perMinute) => {
  it.each([
    ['sliding-log', -1],
    ['sliding-log', 1],
    ['sliding-counter', -1],
    ['sliding-counter', 1],
    ['token-bucket', -1],
    ['token-bucket', 1],
  ] as const)('is seen behind a %s: %d', async (algorithm, more) => {
    const begin = minute + 57_000;
    const run = await measureReference(admittingMore(algorithm, more), { begin, perDay: 100_000, perMinute });
    const figures = more > 0 ? tooMany : tooFew;
    expect(turned(run).filter((id) => figures.includes(id))).not.toEqual([]);
  });

  it('is held against no sliding counter that keeps it', async () => {
    const begin = minute + 57_600;
    const run = await measureReference(
      { limiter: { algorithm: 'sliding-counter' } },
      { begin, perDay: 100_000, perMinute },
    );
    expect(turned(run)).toEqual([]);
    expect(run.measurement.requirements.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
  });
});
