import { expect, it } from 'vitest';
import { differences, isFound, type Entry } from './matrix.js';

const fault: Entry = {
  kind: 'fault',
  name: 'limit-ignored',
  title: 'A page always holds 20 animals',
  profile: 'standard',
  breaks: ['LIST-02', 'LIST-04'],
  turned: ['LIST-04', 'LIST-02'],
  open: [],
  suiteErrors: [],
  causes: ['LIST-02 LIST-04'],
  requests: 1,
};
const variant: Entry = { ...fault, kind: 'variant', breaks: [], turned: [], leavesOpen: [] };
const hidden = { ...fault, breaks: [], group: ['LIST-02', 'LIST-04'] };
const leaving = { ...variant, leavesOpen: ['LIST-08'] };
const thorough = { profile: 'thorough', turned: ['LIST-02', 'LIST-04', 'LIST-08'] } as const;
const pair: Entry = { ...fault, kind: 'pair', defects: [['LIST-02'], ['PET-01']] };

it.each<readonly [what: string, entry: Entry, wrong: readonly string[]]>([
  ['a fault that turns its ids', fault, []],
  ['a variant that turns nothing', variant, []],
  [
    'an id too few and one too many',
    { ...fault, turned: ['LIST-02', 'PET-01'] },
    ['did not turn: LIST-04', 'turned, and should not: PET-01'],
  ],
  ['one id of the group, under circumstances', { ...hidden, turned: ['LIST-04'] }, []],
  ['none of them, which is counted', { ...hidden, turned: [] }, []],
  ['an id outside the group', { ...hidden, turned: ['PET-01'] }, ['turned, and should not: PET-01']],
  ['an id that quick missed', { ...fault, profile: 'quick', turned: ['LIST-02'] }, []],
  [
    'another id that quick turned',
    { ...fault, profile: 'quick', turned: ['PET-01'] },
    ['turned, and should not: PET-01'],
  ],
  ['an id more of a fault, by thorough', { ...fault, ...thorough }, []],
  ['an id too few of it', { ...fault, ...thorough, turned: ['LIST-02'] }, ['did not turn: LIST-04']],
  [
    'ids of a variant, by thorough',
    { ...variant, ...thorough },
    ['turned, and should not: LIST-02 LIST-04 LIST-08'],
  ],
  ['what a variant leaves open', { ...leaving, open: ['LIST-08'] }, []],
  [
    'something else that is open',
    { ...leaving, open: ['LIST-10'] },
    ['was not judged: LIST-10', 'was judged, and should not: LIST-08'],
  ],
  ['what a fault keeps from being judged', { ...fault, open: ['GET-01'] }, []],
  [
    'two defects that have one cause',
    { ...pair, turned: ['LIST-02', 'PET-01'] },
    ['2 defects have one cause: LIST-02 LIST-04'],
  ],
  [
    'two defects that have two',
    { ...pair, turned: ['LIST-02', 'PET-01'], causes: ['LIST-02', 'PET-01'] },
    [],
  ],
  ['a defect of two that shows', { ...pair, turned: ['LIST-02'] }, []],
  ['an error of the suite', { ...fault, suiteErrors: ['PET-01: an error'] }, ['PET-01: an error']],
])('the differences of an entry: %s', (_what, entry, wrong) => {
  expect(differences(entry)).toEqual(wrong);
});

it('finds a fault under circumstances if an id of its group turned', () => {
  expect([['LIST-04'], ['PET-01'], []].map((turned) => isFound({ ...hidden, turned }))).toEqual([
    true,
    false,
    false,
  ]);
});
