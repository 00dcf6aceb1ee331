import { describe, expect, it } from 'vitest';
import { limitFaults } from '../reference/faults/limits/limit-faults.js';
import { combineOptions, type ReferenceOptions } from '../reference/options.js';
import { limitVariants } from '../reference/variants/limit-variants.js';
import { rateVariants } from '../reference/variants/rate-variants.js';
import { measureReference, turned, type AgainstReference } from './testing/against-reference.js';

const begin = 1_790_000_000_000 - (1_790_000_000_000 % 60_000) + 20_000;

const figures: ReadonlySet<string> = new Set(['LIMIT-01', 'LIMIT-02', 'LIMIT-03', 'LIMIT-09']);

function optionsOf(
  list: ReadonlyArray<{ readonly name: string; readonly options: ReferenceOptions }>,
  name: string,
): ReferenceOptions {
  const found = list.find((one) => one.name === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found.options;
}

async function measured(fault: string | undefined, habit: string, setting: AgainstReference = {}) {
  const options = combineOptions(
    optionsOf([...limitVariants, ...rateVariants], habit),
    fault === undefined ? {} : optionsOf(limitFaults, fault),
  );
  return measureReference(options, { begin, perDay: 100_000, ...setting });
}

// What is odd and allowed may look like other clients, a refill or another price, and hide behind it what is wrong.
describe('a fault of the figures is seen behind a habit', () => {
  it.each([
    ['counted-by-operation', 'sliding-log'],
    ['counted-by-operation', 'token-bucket'],
    ['counted-by-operation', 'errors-not-counted'],
    ['creations-never-refused', 'sliding-counter-rounded-down-and-dates'],
    ['fetches-never-refused', 'token-bucket'],
    ['fetches-never-refused', 'sliding-log'],
    ['limit-halved', 'errors-not-counted'],
    ['half-a-minute', 'sliding-log'],
    ['half-a-minute', 'sliding-counter-rounded-down-and-dates'],
    ['creations-cost-two', 'errors-not-counted'],
    ['creations-cost-two', 'token-bucket'],
    ['small-burst', '429-counted'],
    ['refuses-while-another-is-under-way', 'token-bucket-rejections-counted'],
  ])('%s behind %s', async (fault, habit) => {
    const breaks = limitFaults.find(({ name }) => name === fault)?.breaks ?? [];
    const run = await measured(fault, habit);
    expect(turned(run).filter((id) => figures.has(id))).toEqual(breaks.filter((id) => figures.has(id)));
  });
});

describe('beyond this machine, where a window gets no more than the figure and one', () => {
  const oneLimit = async (fault: string | undefined) => {
    const { measurement } = await measured(fault, 'token-bucket', { treatAsRemote: true });
    return measurement.requirements.find(({ id }) => id === 'LIMIT-09');
  };

  it.each(['counted-by-operation', 'deprecated-operation-not-limited', 'creations-not-counted'])(
    'a bucket that none of the operations empties proves no limit that they share: %s',
    async (fault) => {
      expect(await oneLimit(fault)).toMatchObject({
        verdict: 'inconclusive',
        reason: expect.stringContaining('Remaining does not show that the operations share one limit'),
      });
    },
  );

  it('a bucket that they empty together does', async () => {
    expect(await oneLimit(undefined)).toMatchObject({ verdict: 'pass' });
  });
});
