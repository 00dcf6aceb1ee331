import { describe, expect, test } from 'vitest';
import { catalogue, requirementIds } from '../../lib/specification/catalogue.js';
import { allClauses, specificationOutline, type Clause } from './specification-outline.js';

/** `5.3, 7` names 5.3 and 7; an RFC's sections are none of ours; `8.3` is the third rule of an unnumbered passage. */
function sectionsNamed(section: string): string[] {
  return section
    .split(',')
    .map((part) => part.trim())
    .filter((part) => /^\d(\.\d)?$/.test(part))
    .map((part) => (part.startsWith('8.') ? '8' : part));
}

function mentionsBelow(clause: Clause): string[] {
  return allClauses([clause]).flatMap((each) => [...each.requirements, ...(each.see ?? [])]);
}

describe('the outline of the specification', () => {
  test('gives each requirement of the catalogue exactly one place', () => {
    const placed = allClauses().flatMap((clause) => clause.requirements);
    expect([...placed].sort()).toEqual([...requirementIds].sort());
  });

  test('has the nine sections in order', () => {
    expect(specificationOutline.map((clause) => clause.number)).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
      '8',
      '9',
    ]);
  });

  test('has no anchor twice', () => {
    const anchors = allClauses().map((clause) => clause.anchor);
    expect(new Set(anchors).size).toBe(anchors.length);
  });

  test.each(catalogue.map((row) => [row.id, row.section] as const))(
    'mentions %s at every section that its row names (%s)',
    (id, section) => {
      const clauses = allClauses();
      for (const number of sectionsNamed(section)) {
        const clause = clauses.find((each) => each.number === number);
        expect(clause ? mentionsBelow(clause) : [], `section ${number}`).toContain(id);
      }
    },
  );
});
