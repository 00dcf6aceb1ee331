import { describe, expect, it } from 'vitest';
import { variants } from '../reference/variants/variants.js';
import { differences, prove } from './matrix.js';
import { variantCase } from './proof-case.js';

describe('against each conforming variant, nothing turns and nothing stays open but what it names', () => {
  it.each(variants.map((variant) => [variant.name, variant] as const))('%s', async (_name, variant) => {
    expect(differences(await prove(variantCase(variant)))).toEqual([]);
  });
});
