import { describe, expect, it } from 'vitest';
import { faultsByPart } from '../../reference/faults/faults.js';
import { differences, prove } from '../matrix.js';
import { faultCase } from '../proof-case.js';

/** Declares a test for each fault of a part of the catalogue. Each part has its own file, so that they run in parallel. */
export function faultsTurnExactlyTheirSet(part: keyof typeof faultsByPart): void {
  describe(`against each fault of ${part}, exactly the ids turn that it breaks`, () => {
    it.each(faultsByPart[part].map((fault) => [fault.name, fault] as const))('%s', async (_name, fault) => {
      expect(differences(await prove(faultCase(fault)))).toEqual([]);
    });
  });
}
