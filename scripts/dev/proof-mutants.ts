import {
  MutantProof,
  problemOf,
  type MutantEntry,
  type Sample,
} from '../../lib/proof/mutants/prove-mutants.js';
import { readSurvivors, staleNames } from '../../lib/proof/mutants/survivors.js';
import type { Layout } from '../../reports/terminal/layout.js';
import { mutantLines, mutantTotalLines } from './mutant-lines.js';

/** Judges mutants of the reference service, prints those that are not as they must be, and whether there was none. */
export async function proveMutants(sample: Sample | undefined, layout: Layout): Promise<boolean> {
  const began = performance.now();
  const survivors = readSurvivors();
  const proof = await MutantProof.begin(survivors);
  const entries: MutantEntry[] = [];
  for await (const entry of proof.judge(sample)) {
    entries.push(entry);
    const lines = mutantLines(entry, layout);
    if (lines.length > 0) console.log(lines.join('\n'));
  }
  const totals = { stale: staleNames(proof.mutants, survivors), milliseconds: performance.now() - began };
  console.log(mutantTotalLines(entries, totals, layout).join('\n'));
  return entries.every((entry) => problemOf(entry) === undefined);
}
