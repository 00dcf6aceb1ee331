import { expect, test } from 'vitest';
import { catalogue } from '../../lib/specification/catalogue.js';
import { clauses, requirementsAt, sectionOf } from './clauses.js';

/** `5.3, 7` names 5.3 and 7; an RFC's sections are not ours; `8.3` is the third rule of an unnumbered passage. */
function sectionsNamed(section: string): string[] {
  return section
    .split(',')
    .map((part) => part.trim())
    .filter((part) => /^\d(\.\d)?$/.test(part))
    .map((part) => (part.startsWith('8.') ? '8' : part));
}

test('each requirement of the catalogue has exactly one place', () => {
  const placed = clauses.flatMap((clause) => requirementsAt(clause).here);
  expect(placed.toSorted()).toEqual(catalogue.map(({ id }) => id).toSorted());
});

test('the nine sections are in order, and no anchor is used twice', () => {
  expect([...new Set(clauses.map(sectionOf))].join('')).toBe('123456789');
  expect(new Set(clauses.map(({ anchor }) => anchor)).size).toBe(clauses.length);
});

test.each(catalogue.map(({ id, section, clauses: own }) => [id, section, own] as const))(
  '%s is mentioned in every section that the catalogue names (%s)',
  (_, section, own) => {
    for (const named of sectionsNamed(section)) {
      expect(own.some((anchor) => anchor === named || sectionOf({ anchor }) === named)).toBe(true);
    }
  },
);
