import { expect, it } from 'vitest';
import { faults } from '../reference/faults/faults.js';
import { catalogue, classOf } from '../specification/catalogue.js';
import { differences, prove } from './matrix.js';
import { faultCase } from './proof-case.js';

/** The ids that quick finds in a fault, which must be among those that it breaks. */
async function foundIn(fault: (typeof faults)[number]): Promise<readonly string[]> {
  const entry = await prove(faultCase(fault), 'quick');
  expect([fault.name, differences(entry)]).toEqual([fault.name, []]);
  return entry.turned;
}

it('the quick profile catches a fault of every MUST but LIST-05', async () => {
  const uncaught = new Set<string>(
    catalogue.filter(({ id, level }) => classOf(id) === 'functional' && level === 'MUST').map(({ id }) => id),
  );
  // Those that break most come first: the fewest runs are needed.
  for (const fault of faults.toSorted((one, other) => other.breaks.length - one.breaks.length)) {
    if (!fault.breaks.some((id) => uncaught.has(id))) continue;
    for (const id of await foundIn(fault)) uncaught.delete(id);
  }
  expect([...uncaught]).toEqual(['LIST-05']);
});

it('the quick profile does not take a fall by two for the use of other clients', async () => {
  const fault = faults.find(({ name }) => name === 'remaining-falls-by-two');
  expect(fault && (await foundIn(fault))).toEqual(['RATE-05']);
});
