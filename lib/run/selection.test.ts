import { describe, expect, it } from 'vitest';
import { catalogue, classOf, requirementIds } from '../specification/catalogue.js';
import { selectionOf, type Selecting } from './selection.js';

const selected = (options: Partial<Selecting>) =>
  selectionOf({ only: [], except: [], limits: 'none', ...options });
const idsOf = (options: Partial<Selecting>): string[] => [...selected(options).ids];

describe('a selection', () => {
  it('is the functional class if nothing is said, and the reasons why not the others', () => {
    const { ids, reasons, classes } = selected({});
    expect([...ids]).toEqual(catalogue.map(({ id }) => id).filter((id) => classOf(id) === 'functional'));
    expect(classes).toEqual(['functional']);
    expect(reasons.get('LIMIT-01')).toContain('--limits=minute');
    expect(reasons.get('DESC-01')).toContain('--description');
    expect(ids.size + reasons.size).toBe(requirementIds.length);
  });

  it.each([
    [['AUTH-03'], ['AUTH-03']],
    [['DEP'], ['DEP-01', 'DEP-02', 'DEP-03']],
    [
      ['VERSION', 'MEDIA-01'],
      ['MEDIA-01', 'VERSION-01'],
    ],
    [['DE'], []],
    [[''], []],
  ])('of %j alone is %j', (only, ids) => {
    expect(idsOf({ only })).toEqual(ids);
  });

  it('leaves out what is excepted, also of what was asked for', () => {
    expect(idsOf({ only: ['DEP'], except: ['DEP-02'] })).toEqual(['DEP-01', 'DEP-03']);
    expect(selected({ only: ['DEP'], except: ['DEP-02'] }).reasons.get('DEP-02')).toBe(
      'not selected (--except)',
    );
    expect(
      idsOf({
        except: ['AUTH', 'LIST', 'CREATE', 'GET', 'PET', 'ERR', 'MEDIA', 'ROBUST', 'RATE', 'VERSION'],
      }),
    ).toEqual(['DEP-01', 'DEP-02', 'DEP-03']);
  });

  it('speaks of no class of which nothing is left', () => {
    const all = { limits: 'minute', description: 'openapi.json' } as const;
    expect(selected(all).classes).toEqual(['functional', 'limits', 'description']);
    expect(selected({ ...all, only: ['LIMIT'] }).classes).toEqual(['limits']);
    expect(selected({ only: ['LIMIT'] }).classes).toEqual([]);
  });
});
