import { describe, expect, it } from 'vitest';
import { variants } from '../reference/variants/variants.js';
import { differences, prove } from './matrix.js';
import { variantCase } from './proof-case.js';
import { oneIn, sampleOf } from './testing/faults-turn.js';

describe('against a conforming variant, nothing turns and nothing stays open but what it names', () => {
  it.each(sampleOf(variants, oneIn).map((variant) => [variant.name, variant] as const))(
    '%s',
    async (_name, variant) => {
      expect(differences(await prove(variantCase(variant)))).toEqual([]);
    },
  );
});
