import { expect, test } from 'vitest';
import { catalogue, sectionOf, sectionTitles } from '../specification/catalogue.js';
import { clauses } from './testing/clauses.js';

test('each requirement of the catalogue has exactly one place', () => {
  const anchors = new Set<string>(clauses.map(({ anchor }) => anchor));
  expect(catalogue.filter(({ clauses: [first] }) => !anchors.has(first))).toEqual([]);
});

test('the nine sections are in order, and no anchor is used twice', () => {
  expect([...new Set(clauses.map(({ anchor }) => sectionOf(anchor)))].join('')).toBe('123456789');
  expect(clauses.flatMap(({ anchor, title }) => (/^\d$/.test(anchor) ? title : []))).toEqual(sectionTitles);
  expect(new Set(clauses.map(({ anchor }) => anchor)).size).toBe(clauses.length);
});

test('each requirement is mentioned in every section that the catalogue names', () => {
  const missing = catalogue.flatMap(({ id, section, clauses: own }) =>
    section
      .split(',')
      .map((part) => part.trim())
      // An RFC's sections are not ours; `8.3` is the third rule of a passage without numbers.
      .filter((part) => /^\d(\.\d)?$/.test(part))
      .map((part) => (part.startsWith('8.') ? '8' : part))
      .filter((named) => !own.some((anchor) => anchor === named || String(sectionOf(anchor)) === named))
      .map((named) => `${id} ${named}`),
  );
  expect(missing).toEqual([]);
});
