import { describe, expect, it } from 'vitest';
import { withLimiter } from '../reference/faults/limits/limiter-changes.js';
import { judgedRuns, type JudgedRun } from './testing/judged.js';
import { measureReference, type AgainstReference } from './testing/against-reference.js';

/** Twenty seconds into a minute. */
const begin = 1_790_000_000_000 - (1_790_000_000_000 % 60_000) + 20_000;
const second = 1_000;

/** A limiter that keeps a tenth of a plan's figure back. */
const short = withLimiter((limiter) => ({
  take: (call) =>
    limiter.take({ ...call, caller: { ...call.caller, perMinute: Math.floor(call.caller.perMinute * 0.9) } }),
}));

/** The run of a key that nobody gave a second key for. */
function runOf(setting: AgainstReference, options = {}): Promise<JudgedRun> {
  return measureReference(options, { begin, perDay: 100_000, alone: true, ...setting });
}

async function rowsOf(
  runs: readonly JudgedRun[],
): Promise<Array<{ verdict: string | undefined; note: string | undefined }>> {
  return (await judgedRuns(runs)).map(({ measurement }) => {
    const row = measurement.requirements.find(({ id }) => id === 'LIMIT-08');
    return { verdict: row?.verdict, note: row?.notes?.join(' ') };
  });
}

describe('the keys of several plans, used up side by side', () => {
  it('show that one is served while another is told to wait', async () => {
    const runs = [await runOf({ perMinute: 20 }), await runOf({ perMinute: 30, begin: begin + second })];
    const note = expect.stringContaining('was served while');
    expect(await rowsOf(runs)).toEqual([
      { verdict: 'pass', note },
      { verdict: 'pass', note },
    ]);
  });

  it.each([
    ['of a key alone', async () => [await runOf({ perMinute: 20 })]],
    [
      'of keys that were never tried at the same time',
      async () => [
        await runOf({ perMinute: 20 }),
        await runOf({ perMinute: 30, begin: begin + 3_600 * second }),
      ],
    ],
    [
      'of keys of which one was not admitted its figure, as where they share it',
      async () => [
        await runOf({ perMinute: 20 }),
        await runOf({ perMinute: 30, begin: begin + second }, short),
      ],
    ],
  ])('show nothing %s', async (_what, measure) => {
    const runs = await measure();
    expect((await rowsOf(runs)).map(({ verdict }) => verdict)).toEqual(runs.map(() => 'not-tested'));
  });

  it('take nothing from a row that was judged with a second key', async () => {
    const runs = [
      await runOf({ perMinute: 20, alone: false }),
      await runOf({ perMinute: 30, begin: begin + second }),
    ];
    expect((await rowsOf(runs))[0]).toEqual({ verdict: 'pass', note: undefined });
  });
});
