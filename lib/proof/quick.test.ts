import { describe, expect, it } from 'vitest';
import type { Fault } from '../reference/faults/fault.js';
import { faults } from '../reference/faults/faults.js';
import { catalogue, classOf, type RequirementId } from '../specification/catalogue.js';
import { differences, prove } from './matrix.js';
import { faultCase } from './proof-case.js';

const caught = new Map<Fault, readonly string[]>();

/** The ids that quick finds in a fault, which must be among those that it breaks. Each fault runs once. */
async function foundIn(fault: Fault): Promise<readonly string[]> {
  const known = caught.get(fault);
  if (known) return known;
  const entry = await prove(faultCase(fault), 'quick');
  expect([fault.name, differences(entry)]).toEqual([fault.name, []]);
  caught.set(fault, entry.turned);
  return entry.turned;
}

/** The first fault of a requirement that quick catches. */
async function caughtFault(id: RequirementId): Promise<string | undefined> {
  for (const fault of faults.filter(({ breaks }) => breaks.includes(id))) {
    if ((await foundIn(fault)).includes(id)) return fault.name;
  }
  return undefined;
}

const musts = catalogue
  .filter(({ id, level }) => classOf(id) === 'functional' && level === 'MUST' && id !== 'LIST-05')
  .map(({ id }) => id);

describe('the quick profile', () => {
  it.each(musts)('catches a fault of %s', async (id) => {
    expect(await caughtFault(id)).toBeDefined();
  });

  it('does not take a fall by two for the use of other clients', async () => {
    const fault = faults.find(({ name }) => name === 'remaining-falls-by-two');
    expect(fault && (await foundIn(fault))).toEqual(['RATE-05']);
  });

  it('leaves LIST-05 to the others', async () => {
    expect(await caughtFault('LIST-05')).toBeUndefined();
  });
});
