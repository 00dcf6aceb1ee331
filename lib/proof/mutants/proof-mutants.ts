import { count } from '../../explain/count.js';
import { MutantProof, problemOf, type MutantEntry } from './prove-mutants.js';
import { readSurvivors, staleNames } from './survivors.js';

/**
 * Judges mutants of the reference service; prints those that are not as they must be, and names of survivors that no mutant
 * has. Gives whether there was none.
 * @param size how many are drawn from the seed; all if undefined
 */
export async function proveMutants(size: number | undefined, seed = 1): Promise<boolean> {
  const survivors = readSurvivors();
  const proof = await MutantProof.begin(survivors);
  const entries: MutantEntry[] = [];
  for await (const entry of proof.judge(size === undefined ? undefined : { size, seed })) {
    entries.push(entry);
    const { file, line, name } = entry.mutant;
    const problem = problemOf(entry);
    if (problem !== undefined) console.log(`NOT lib/reference/${file}:${line}\n      ${name}: ${problem}`);
    else if (entry.judged.outcome !== 'survived' && entry.triage)
      console.log(`killed, and still in survivors.yaml: ${name}`);
  }
  for (const name of staleNames(proof.mutants, survivors)) console.log(`stale in survivors.yaml: ${name}`);
  const survived = entries.filter(({ judged }) => judged.outcome === 'survived').length;
  console.log(
    `${count(entries.length, 'mutant')}: ${entries.length - survived} killed, ${survived} survived`,
  );
  return entries.every((entry) => problemOf(entry) === undefined);
}
