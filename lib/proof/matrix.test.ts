import { describe, expect, it } from 'vitest';
import { differences, isFound, type Entry } from './matrix.js';

const entry: Entry = {
  kind: 'fault',
  name: 'limit-ignored',
  title: 'A page always holds 20 animals',
  profile: 'standard',
  breaks: ['LIST-02', 'LIST-04'],
  turned: ['LIST-04', 'LIST-02'],
  leavesOpen: [],
  open: [],
  suiteErrors: [],
  causes: ['LIST-02 LIST-04'],
  requests: 1,
  milliseconds: 1,
};
const variant: Entry = { ...entry, kind: 'variant', breaks: [], turned: [] };

describe('differences', () => {
  it('are none if exactly the right ids turned', () => {
    expect(differences(entry)).toEqual([]);
    expect(differences(variant)).toEqual([]);
  });

  it('tell an id too few and one too many', () => {
    expect(differences({ ...entry, turned: ['LIST-02', 'PET-01'] })).toEqual([
      'did not turn: LIST-04',
      'turned, and should not: PET-01',
    ]);
  });

  it('tell of a fault under circumstances an id outside its group, and not that it is not found', () => {
    const hidden = { ...entry, breaks: [], group: ['LIST-02', 'LIST-04'] };
    expect(differences({ ...hidden, turned: ['LIST-04'] })).toEqual([]);
    expect(differences({ ...hidden, turned: ['PET-01'] })).toEqual(['turned, and should not: PET-01']);
    expect([['LIST-04'], []].map((turned) => isFound({ ...hidden, turned }))).toEqual([true, false]);
  });

  it('forgive the quick profile what it missed, and nothing else', () => {
    expect(differences({ ...entry, profile: 'quick', turned: ['LIST-02'] })).toEqual([]);
    expect(differences({ ...entry, profile: 'quick', turned: ['PET-01'] })).toEqual([
      'turned, and should not: PET-01',
    ]);
  });

  it('forgive the thorough profile what it found of a fault beside, and not of a variant', () => {
    const thorough = { profile: 'thorough', turned: ['LIST-02', 'LIST-04', 'LIST-08'] } as const;
    expect(differences({ ...entry, ...thorough })).toEqual([]);
    expect(differences({ ...entry, ...thorough, turned: ['LIST-02'] })).toEqual(['did not turn: LIST-04']);
    expect(differences({ ...variant, ...thorough }).length).toBe(1);
  });

  it('tell what a variant leaves open against what it says', () => {
    const leaving: Entry = { ...variant, leavesOpen: ['LIST-08'], open: ['LIST-10'] };
    expect(differences(leaving)).toEqual(['was not judged: LIST-10', 'was judged, and should not: LIST-08']);
    expect(differences({ ...leaving, open: ['LIST-08'] })).toEqual([]);
  });

  it('leave open what a fault keeps from being judged', () => {
    expect(differences({ ...entry, open: ['GET-01'] })).toEqual([]);
  });

  it('tell two defects that have one cause, if both show', () => {
    const pair: Entry = {
      ...entry,
      kind: 'pair',
      defects: [['LIST-02'], ['PET-01']],
      turned: ['LIST-02', 'PET-01'],
    };
    expect(differences(pair)).toEqual(['2 defects have one cause: LIST-02 LIST-04']);
    expect(differences({ ...pair, causes: ['LIST-02', 'PET-01'] })).toEqual([]);
    expect(differences({ ...pair, turned: ['LIST-02'] })).toEqual([]);
  });

  it('tell an error of the suite', () => {
    expect(differences({ ...entry, suiteErrors: ['PET-01: an error of the suite'] })).toEqual([
      'PET-01: an error of the suite',
    ]);
  });
});
