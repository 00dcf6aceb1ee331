import { expect, it } from 'vitest';
import { duration } from './duration.js';

it.each([
  [0, '0.0 s'],
  [4_200, '4.2 s'],
  [119_000, '119.0 s'],
  [120_000, '2.0 minutes'],
  [5_400_000, '90.0 minutes'],
  [7_200_000, '2.0 hours'],
  [172_800_000, '2.0 days'],
])('says %i ms as %s', (milliseconds, said) => {
  expect(duration(milliseconds)).toBe(said);
});
