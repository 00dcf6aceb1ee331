import { describe, expect, it } from 'vitest';
import { catalogue, classOf, isRequirementId, requirementIds, requirementRow } from './catalogue.js';

describe('the catalogue', () => {
  it('has every id once, numbered through within its group', () => {
    for (const group of new Set(requirementIds.map((id) => id.slice(0, id.indexOf('-'))))) {
      const ids = requirementIds.filter((id) => id.startsWith(`${group}-`));
      expect(ids).toEqual(ids.map((_id, index) => `${group}-${String(index + 1).padStart(2, '0')}`));
    }
  });

  it('has a section and a title for every requirement', () => {
    for (const { section, title, level } of catalogue) {
      expect(title.length).toBeGreaterThan(5);
      expect(['MUST', 'SHOULD', 'OBSERVE']).toContain(level);
      // What careful readers expect, and no text states, has no section.
      expect(section === '' || /^(?:\d|RFC \d)/.test(section)).toBe(true);
    }
  });

  it('puts each row into its class', () => {
    expect(
      ['AUTH-01', 'VERSION-01', 'LIMIT-01', 'DESC-05'].map((id) => isRequirementId(id) && classOf(id)),
    ).toEqual(['functional', 'functional', 'limits', 'description']);
  });

  it('knows its ids from others', () => {
    expect(isRequirementId('AUTH-01')).toBe(true);
    expect(['AUTH-1', 'auth-01', 'AUTH-09', ''].some(isRequirementId)).toBe(false);
    expect(requirementRow('CREATE-09').title).toContain('`status`');
  });
});
