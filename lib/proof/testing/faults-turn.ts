import { describe, expect, it } from 'vitest';
import { faultsByPart } from '../../reference/faults/faults.js';
import { differences, prove, shareOfOneCause, type Entry } from '../matrix.js';
import { faultCase, type ProofCase } from '../proof-case.js';

/** Of the faults, at least this share has one cause. */
const leastOfOneCause = 0.95;

/** Declares a test for each case: exactly the ids turn that must. */
export function casesTurnExactlyTheirSet(cases: readonly ProofCase[]): void {
  const entries: Entry[] = [];
  it.each(cases.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
    const entry = await prove(one);
    entries.push(entry);
    expect(differences(entry)).toEqual([]);
  });
  it('one cause is printed for nearly all of those that ran', () => {
    const { one, of } = shareOfOneCause(entries);
    expect(one).toBeGreaterThanOrEqual(Math.floor(of * leastOfOneCause));
  });
}

/** One in so many functional faults and variants is tried by the self-test. */
export const oneIn = 18;

/** A sample for the self-test, from the second on: `npm run proof` tries all, and CI runs it. */
export function sampleOf<Value>(values: readonly Value[], oneIn: number): Value[] {
  return values.filter((_value, place) => place % oneIn === 1);
}

/** Tests of a sample of the faults of a part of the catalogue. Each part has its own file, so that they run in parallel. */
export function faultsTurnExactlyTheirSet(part: keyof typeof faultsByPart): void {
  describe(`against a fault of ${part}, exactly the ids turn that it breaks`, () => {
    casesTurnExactlyTheirSet(sampleOf(faultsByPart[part], oneIn).map(faultCase));
  });
}
