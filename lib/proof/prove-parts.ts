import { clusterCases } from './cluster-case.js';
import { combinedCases } from './combinations.js';
import { circumstanceCases, limitCases } from './limit-case.js';
import { differences, foundUnderCircumstances, leastFound, prove, type Entry } from './matrix.js';
import { functionalCases, type ProofCase } from './proof-case.js';
import { blindTo, entryLines, randomLines, totalLines } from './proof-lines.js';
import { judgeRandomLimiter, type RandomCase } from './random-limiters.js';
import { repeatedCases } from './repeated-runs.js';
import type { Profile } from '../verdict/profile.js';

/** The cases of the proof: faults, each of which must turn exactly what it breaks, and variants, which must turn nothing. */
export const parts = {
  functional: functionalCases(),
  limits: limitCases(),
  circumstances: circumstanceCases(),
  cluster: clusterCases(),
  repeated: repeatedCases(),
  combinations: combinedCases(),
} as const satisfies Record<string, readonly ProofCase[]>;
export type Part = keyof typeof parts;

interface Proving {
  /** The names of faults and variants; all if undefined. */
  readonly only?: readonly string[] | undefined;
  readonly profile?: Profile | undefined;
  /** Keeps the evidence of each run in a folder; what is there is judged again. */
  readonly evidence?: string | undefined;
}

const print = (lines: readonly string[]): void => console.log(lines.join('\n'));

/** Proves cases, prints each, and gives whether everything is as it must be. */
export async function proveParts(chosen: readonly Part[], proving: Proving): Promise<boolean> {
  const { only, profile, evidence } = proving;
  // A case of the circumstances is named after its fault: `limit-one-more + sliding-log`.
  const isWanted = ({ name }: ProofCase): boolean => only?.includes(name.split(' + ')[0] ?? name) ?? true;
  const began = performance.now();
  const entries: Entry[] = [];
  for (const part of chosen) {
    // The limits are tried in the same way by every profile.
    const own = part === 'functional' || part === 'repeated' ? profile : 'standard';
    for (const one of parts[part].filter(isWanted)) {
      const entry = await prove(one, own, evidence);
      entries.push(entry);
      print(entryLines(entry));
    }
  }
  print(totalLines(entries, performance.now() - began));
  const unseen = only === undefined && chosen.includes('functional') ? blindTo(entries) : [];
  if (unseen.length > 0) print([`No fault turned ${unseen.join(', ')}.`]);
  return (
    unseen.length === 0 &&
    entries.every((entry) => differences(entry).length === 0) &&
    foundUnderCircumstances(entries).share >= leastFound
  );
}

/** Judges so many conforming limiters, drawn from seeds from this one on; gives whether none is accused. */
export async function proveRandomLimiters(sample = 100, seed = 1, evidence?: string): Promise<boolean> {
  const cases: RandomCase[] = [];
  for (let index = 0; index < sample; index += 1)
    cases.push(await judgeRandomLimiter(seed + index, evidence));
  print(randomLines(cases));
  return cases.every(({ accusations }) => accusations.length === 0);
}
