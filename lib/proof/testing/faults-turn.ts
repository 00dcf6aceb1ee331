import { describe, expect, it } from 'vitest';
import { faultsByPart } from '../../reference/faults/faults.js';
import { differences, prove } from '../matrix.js';
import { faultCase, type ProofCase } from '../proof-case.js';

/** Declares a test for each case: exactly the ids turn that must. */
export function casesTurnExactlyTheirSet(cases: readonly ProofCase[]): void {
  it.each(cases.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
    expect(differences(await prove(one))).toEqual([]);
  });
}

/** Tests of the faults of a part of the catalogue. Each part has its own file, so that they run in parallel. */
export function faultsTurnExactlyTheirSet(part: keyof typeof faultsByPart): void {
  describe(`against each fault of ${part}, exactly the ids turn that it breaks`, () => {
    casesTurnExactlyTheirSet(faultsByPart[part].map(faultCase));
  });
}
