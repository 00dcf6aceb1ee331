import { describe, expect, it } from 'vitest';
import { faults } from '../reference/faults/index.js';
import { variants } from '../reference/variants/index.js';
import { catalogue, classOf } from '../specification/catalogue.js';
import { differences, proveFault, proveVariant } from './matrix.js';

describe('the quick profile', () => {
  const turned = new Set<string>();

  it.each(faults.map((fault) => [fault.name, fault] as const))(
    'finds nothing in %s but what it breaks',
    async (_name, fault) => {
      const entry = await proveFault(fault, 'quick');
      for (const id of entry.turned) turned.add(id);
      expect(differences(entry)).toEqual([]);
    },
  );

  it.each(variants.map((variant) => [variant.name, variant] as const))(
    'finds nothing in %s, and leaves open what it names at most',
    async (_name, variant) => {
      expect(differences(await proveVariant(variant, 'quick'))).toEqual([]);
    },
  );

  it('catches every functional MUST in some fault, but LIST-05', () => {
    const musts = catalogue.filter(({ id, level }) => classOf(id) === 'functional' && level === 'MUST');
    expect(musts.map(({ id }) => id).filter((id) => !turned.has(id))).toEqual(['LIST-05']);
  });
});
