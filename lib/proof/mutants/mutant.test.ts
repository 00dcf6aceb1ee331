import { expect, it } from 'vitest';
import { encloses, namedMutants, type Change } from './mutant.js';

const change: Change = {
  number: '7',
  file: 'operations/store.ts',
  line: 14,
  start: 300,
  end: 320,
  mutator: 'EqualityOperator',
  before: 'place < 0',
  after: 'place <= 0',
};

function namesOf(changes: readonly Change[]): string[] {
  return namedMutants(changes).map(({ name }) => name);
}

it('names a mutant by its file, its mutator, and the code before and after', () => {
  expect(namesOf([change])).toEqual(['operations/store.ts EqualityOperator: place < 0 -> place <= 0']);
});

it('gives the same name if other lines are edited and the code is laid out anew', () => {
  const moved = { ...change, number: '90', line: 80, start: 2_000, end: 2_022, before: 'place\n    < 0' };
  expect(namesOf([moved])).toEqual(namesOf([change]));
});

it('counts mutants that are equal in all of these', () => {
  const [first, second, other] = namesOf([change, { ...change, line: 30 }, { ...change, after: 'true' }]);
  expect(second).toBe(`${first} #2`);
  expect(other).toBe('operations/store.ts EqualityOperator: place < 0 -> true');
});

it('cuts off long code, and still tells long code apart that begins differently', () => {
  const long = (beginning: string): Change => ({
    ...change,
    before: beginning + 'x'.repeat(200),
    after: '{}',
  });
  const [one = '', other] = namesOf([long('{ a'), long('{ b')]);
  expect(one.length).toBeLessThan(140);
  expect(other).not.toBe(one);
});

it.each([
  ['around it', { start: 250, end: 400 }, true],
  ['beside it', { start: 310, end: 330 }, false],
  ['of another file', { file: 'operations/animal.ts', start: 0, end: 1_000 }, false],
])('tells whether a mutant lies in one %s', (_where, place, isEnclosed) => {
  const [inner, outer] = namedMutants([change, { ...change, ...place }]);
  expect(inner && outer && [encloses(outer, inner), encloses(inner, outer)]).toEqual([isEnclosed, false]);
});
