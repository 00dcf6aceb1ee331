import { combinedCases } from '../../lib/proof/combinations.js';
import { clusterCases } from '../../lib/proof/cluster-case.js';
import { circumstanceCases, limitCases } from '../../lib/proof/limit-case.js';
import {
  differences,
  foundUnderCircumstances,
  leastFound,
  prove,
  type Entry,
} from '../../lib/proof/matrix.js';
import { functionalCases, type ProofCase } from '../../lib/proof/proof-case.js';
import { repeatedCases } from '../../lib/proof/repeated-runs.js';
import { judgeRandomLimiter, type RandomCase } from '../../lib/proof/random-limiters.js';
import { profiles } from '../../lib/verdict/profile.js';
import { checkCommandLine } from '../../lib/options/command-line.js';
import {
  listOf,
  nameIn,
  onOff,
  oneOf,
  option,
  text,
  wholeNumber,
  type OptionValues,
} from '../../lib/options/option.js';
import { runCommand } from '../run-command.js';
import { blindTo, entryLines, randomLines, totalLines } from '../../lib/proof/proof-lines.js';

/**
 * `npm run proof`: the suite against each fault of the reference service, which must turn exactly what it breaks, and against
 * each conforming variant, which must turn nothing.
 */

const parts = {
  functional: functionalCases(),
  limits: limitCases(),
  circumstances: circumstanceCases(),
  cluster: clusterCases(),
  repeated: repeatedCases(),
  combinations: combinedCases(),
} as const satisfies Record<string, readonly ProofCase[]>;
type Part = keyof typeof parts;
const randomPart = 'random-limiters';
const partNames = [...(Object.keys(parts) as Part[]), randomPart] as const;
const names = [...parts.functional, ...parts.limits].map(({ name }) => name);
const options = {
  only: option(listOf(nameIn(names, 'fault or variant')), 'NAME,…', 'these alone'),
  parts: option(
    listOf(oneOf(partNames)),
    'PART,…',
    `${partNames.join(', ')}; by default functional, limits, cluster, combinations`,
  ),
  profile: option(oneOf(profiles), 'P', `${profiles.join(', ')} (default: standard)`),
  evidence: option(
    text,
    'DIR',
    'keeps the evidence of each run there; what is there is judged again, and nothing is sent',
  ),
  addresses: option(listOf(text), 'A,B,…', 'of the clusters and their clients'),
  mutants: onOff('instead, every mutant of the reference service: survivors.yaml must triage the survivors'),
  sample: option(wholeNumber(1, 10_000), 'N', 'so many mutants, or random limiters (100)'),
  seed: option(wholeNumber(0, 2 ** 31 - 1), 'S', 'of the sample (1)'),
};
type Values = OptionValues<typeof options>;

const print = (lines: readonly string[]): void => console.log(lines.join('\n'));

async function main(argv: readonly string[]): Promise<number> {
  const { values } = checkCommandLine(argv, {
    name: 'npm run proof --',
    options,
    summary: 'The suite against every fault and every conforming variant of the reference service.',
    closing: 'Exit: 0 each turned exactly what it should, 1 one did not, 2 usage',
  });
  if (values.mutants === true) {
    // Loaded if needed: the instrumenter takes longer to load than a run takes.
    const { proveMutants } = await import('../../lib/proof/mutants/proof-mutants.js');
    return (await proveMutants(values.sample, values.seed)) ? 0 : 1;
  }
  const areRandomRight = !values.parts?.includes(randomPart) || (await proveRandomLimiters(values));
  return (await proveCases(values)) && areRandomRight ? 0 : 1;
}

async function proveRandomLimiters({ sample = 100, seed = 1, evidence }: Values): Promise<boolean> {
  const cases: RandomCase[] = [];
  for (let index = 0; index < sample; index += 1)
    cases.push(await judgeRandomLimiter(seed + index, evidence));
  print(randomLines(cases));
  return cases.every(({ accusations }) => accusations.length === 0);
}

async function proveCases(values: Values): Promise<boolean> {
  const { only, profile, evidence, addresses } = values;
  const { parts: chosen = ['functional', 'limits', 'cluster', 'combinations'] } = values;
  // A case of the circumstances is named after its fault: `limit-one-more + sliding-log`.
  const isWanted = ({ name }: ProofCase): boolean => only?.includes(name.split(' + ')[0] ?? name) ?? true;
  const began = performance.now();
  const entries: Entry[] = [];
  for (const part of chosen.filter((one) => one !== randomPart)) {
    const [host, ...clients] = addresses ?? [];
    const cases = part === 'cluster' && host !== undefined ? clusterCases({ host, clients }) : parts[part];
    // The limits are tried in the same way by every profile.
    const own = part === 'functional' || part === 'repeated' ? profile : 'standard';
    for (const one of cases.filter(isWanted)) {
      const entry = await prove(one, own, evidence);
      entries.push(entry);
      print(entryLines(entry));
    }
  }
  if (entries.length > 0) print(totalLines(entries, performance.now() - began));
  const unseen = only === undefined && chosen.includes('functional') ? blindTo(entries) : [];
  if (unseen.length > 0) print([`No fault turned ${unseen.join(', ')}.`]);
  return (
    unseen.length === 0 &&
    entries.every((entry) => differences(entry).length === 0) &&
    foundUnderCircumstances(entries).share >= leastFound
  );
}

await runCommand(main, process.argv.slice(2));
