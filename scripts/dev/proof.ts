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
import { blindTo, entryLines, randomCaseLines, randomTotalLines, totalLines } from './proof-lines.js';
import { profiles } from '../../lib/verdict/profile.js';
import { layoutOf, type Layout } from '../../reports/terminal/layout.js';
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
import { terminalWidth } from '../../lib/explain/terminal.js';
import { runCommand } from '../run-command.js';

/**
 * Prints how the suite proves itself: against each fault of the reference service, which requirements turned, and against
 * each conforming variant, that none did. Exit code 1 if anything is not exactly as it should be.
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
  only: option(listOf(nameIn(names, 'fault or variant')), {
    value: 'NAME,…',
    help: 'these alone; npm run reference -- --list names them',
  }),
  parts: option(listOf(oneOf(partNames)), {
    value: 'PART,…',
    help: 'functional, limits, cluster: several nodes, from one source address and from four, combinations: two faults in one service, and several habits of a conforming one (the default is these); circumstances: faults of the limits behind other algorithms, beside another client, without a header, late in a minute, which takes some minutes; repeated: fifty runs in a row against one service; random-limiters: limiters that conform, drawn from a seed, none of which may be accused',
  }),
  addresses: option(listOf(text), {
    value: 'A,B,…',
    help: 'where the clusters listen, and the source addresses of their clients (default: 127.0.0.1 to 127.0.0.5)',
  }),
  profile: option(oneOf(profiles), { value: 'P', help: `${profiles.join(', ')} (default: standard)` }),
  evidence: option(text, {
    value: 'DIR',
    help: 'keeps the evidence of each run in a folder; of a case whose evidence is there the rules judge it again, in milliseconds, and nothing is sent (causes stay as recorded)',
  }),
  mutants: onOff(
    'instead, the standard run against every mutant of the reference service; survivors must be triaged in lib/proof/mutants/survivors.yaml',
  ),
  sample: option(wholeNumber(1, 10_000), {
    value: 'N',
    help: 'with --mutants: N of them alone; of the random limiters: how many (default: 100)',
  }),
  seed: option(wholeNumber(0, 2 ** 31 - 1), {
    value: 'S',
    help: 'which N they are (default: 1); of the random limiters the seed of the first, the others follow',
  }),
};

async function main(argv: readonly string[]): Promise<number> {
  const { values } = checkCommandLine(argv, {
    name: 'npm run proof --',
    options,
    summary: `The suite against every fault and every conforming variant of the reference service; for
each, the requirements that turned.`,
    closing: 'Exit: 0 each turned exactly what it should, 1 one did not, 2 usage',
  });
  return (await (values.mutants === true ? judgeMutants : proveCases)(values)) ? 0 : 1;
}

function layoutOfTerminal(): Layout {
  const { stdout } = process;
  return layoutOf({ columns: terminalWidth(stdout), colour: stdout.hasColors?.() ?? false });
}

async function judgeMutants({ sample, seed = 1 }: OptionValues<typeof options>): Promise<boolean> {
  // Loaded if needed: the instrumenter takes longer to load than a run takes.
  const { proveMutants } = await import('./proof-mutants.js');
  return proveMutants(sample === undefined ? undefined : { size: sample, seed }, layoutOfTerminal());
}

/** Prints each random limiter that is accused, and how many are. */
async function proveRandomLimiters({
  sample = 100,
  seed = 1,
  evidence,
}: Pick<OptionValues<typeof options>, 'sample' | 'seed' | 'evidence'>): Promise<boolean> {
  const began = performance.now();
  const cases: RandomCase[] = [];
  for (let index = 0; index < sample; index += 1) {
    const one = await judgeRandomLimiter(seed + index, evidence);
    cases.push(one);
    if (one.accusations.length > 0) console.log(randomCaseLines(one).join('\n'));
  }
  console.log(randomTotalLines(cases, performance.now() - began).join('\n'));
  return cases.every(({ accusations }) => accusations.length === 0);
}

async function proveCases({
  only,
  profile,
  evidence,
  addresses,
  sample,
  seed,
  parts: chosen = ['functional', 'limits', 'cluster', 'combinations'],
}: OptionValues<typeof options>): Promise<boolean> {
  const layout = layoutOfTerminal();
  // A case of the circumstances is named after its fault: `limit-one-more + sliding-log`.
  const isWanted = ({ name }: ProofCase): boolean => only?.includes(name.split(' + ')[0] ?? name) ?? true;
  const began = performance.now();
  const entries: Entry[] = [];
  const isRandom = chosen.includes(randomPart);
  const noneAccused = !isRandom || (await proveRandomLimiters({ sample, seed, evidence }));
  for (const part of chosen) {
    if (part === randomPart) continue;
    const [host, ...clients] = addresses ?? [];
    const cases = part === 'cluster' && host !== undefined ? clusterCases({ host, clients }) : parts[part];
    for (const one of cases.filter(isWanted)) {
      // The limits are tried in the same way by every profile.
      const entry = await prove(
        one,
        part === 'functional' || part === 'repeated' ? profile : 'standard',
        evidence,
      );
      entries.push(entry);
      console.log(entryLines(entry, layout).join('\n'));
    }
  }
  if (entries.length > 0) console.log(totalLines(entries, performance.now() - began, layout).join('\n'));
  const unseen = only === undefined && chosen.includes('functional') ? blindTo(entries) : [];
  if (unseen.length > 0) console.log(`No fault turned ${unseen.join(', ')}.`);
  return (
    noneAccused &&
    unseen.length === 0 &&
    entries.every((entry) => differences(entry).length === 0) &&
    foundUnderCircumstances(entries).share >= leastFound
  );
}

await runCommand(main, process.argv.slice(2));
