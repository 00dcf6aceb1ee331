import { expect, it } from 'vitest';
import { differences, prove, shareOfOneCause, type Entry } from '../matrix.js';
import type { ProofCase } from '../proof-case.js';

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

/** A sample for the self-test, from the second on: `npm run proof` tries all. */
export function sampleOf<Value>(values: readonly Value[], oneIn: number): Value[] {
  return values.filter((_value, place) => place % oneIn === 1);
}
