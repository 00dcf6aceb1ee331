import { expect, it } from 'vitest';
import { mixOf, operationAt } from './load-mix.js';

it.each([
  [
    { create: true, get: true },
    { listPets: 8, getPet: 1, createPet: 1 },
  ],
  [
    { create: false, get: true },
    { listPets: 8, getPet: 1 },
  ],
  [{ create: false, get: false }, { listPets: 8 }],
])('a load that may %j has the mix %j', (may, mix) => {
  expect(mixOf(may)).toEqual(mix);
  const sent = Array.from({ length: 10 }, (_, place) => operationAt(mix, place));
  expect(sent.filter((name) => name === 'createPet')).toHaveLength(may.create ? 1 : 0);
  expect(sent.filter((name) => name === 'getPet')).toHaveLength(may.get ? 1 : 0);
});
