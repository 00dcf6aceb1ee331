import { expect, it } from 'vitest';
import { catalogue, classOf } from '../../specification/catalogue.js';
import { faults } from './faults.js';

it('the functional faults have names of their own', () => {
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
});

it('they break every functional MUST and SHOULD, and nothing that is only observed', () => {
  const broken = new Set<string>(faults.flatMap(({ breaks }) => breaks));
  const binding = catalogue.filter(({ id, level }) => classOf(id) === 'functional' && level !== 'OBSERVE');
  expect(binding.filter(({ id }) => !broken.has(id)).map(({ id }) => id)).toEqual([]);
  expect([...broken].filter((id) => !binding.some((row) => row.id === id))).toEqual([]);
});

it('each breaks something, and at most five are mainly about the same requirement', () => {
  const mainly = faults.map(({ breaks: [id = 'nothing'] }): string => id);
  expect(mainly).not.toContain('nothing');
  expect(mainly.filter((id) => mainly.filter((other) => other === id).length > 5)).toEqual([]);
});
