import { expect, it } from 'vitest';
import { faults } from '../reference/faults/faults.js';
import { parts } from './cases.js';
import { prove } from './matrix.js';

// That quick catches a fault of every MUST but LIST-05, and accuses nothing else, is tried by CI's proof:
// `npm run proof -- --parts=functional --profile=quick`. These are samples of it.

/** The ids that quick finds in a fault. */
async function foundIn(name: string): Promise<readonly string[]> {
  const fault = parts.functional().find((one) => one.name === name);
  if (!fault) throw new Error(`there is no fault ${name}`);
  const { turned } = await prove(fault, 'quick');
  return turned;
}

it('the quick profile does not take a fall by two for the use of other clients', async () => {
  expect(await foundIn('remaining-falls-by-two')).toEqual(['RATE-05']);
});

it.each(['invalid-values-answered-422', 'login-page-for-guests'])(
  'the quick profile finds all that is wrong: %s',
  async (name) => {
    const fault = faults.find((one) => one.name === name);
    expect(fault?.breaks.length).toBeGreaterThan(1);
    expect((await foundIn(name)).toSorted()).toEqual(fault?.breaks.toSorted());
  },
);
