import { parts, type Part } from '../../lib/proof/cases.js';
import { proveParts } from '../../lib/proof/prove-parts.js';
import { profiles } from '../../lib/verdict/requirement.js';
import { checkCommandLine } from '../../lib/options/command-line.js';
import { listOf, onOff, oneOf, option, text, wholeNumber } from '../../lib/options/option.js';
import { runCommand } from '../run-command.js';

/** `npm run proof`: the suite against each fault and each conforming variant of the reference service. */

const usual: readonly Part[] = ['functional', 'limits', 'cluster', 'combinations'];
const partNames = Object.keys(parts) as Part[];
const names = [...parts.functional(), ...parts.limits()].map(({ name }) => name);
const options = {
  only: option(listOf(oneOf(names, 'fault or variant')), 'NAME,…', 'these alone'),
  parts: option(
    listOf(oneOf(partNames)),
    'PART,…',
    `${partNames.join(', ')}; by default ${usual.join(', ')}`,
  ),
  profile: option(oneOf(profiles), 'P', `${profiles.join(', ')} (default: standard)`),
  evidence: option(text, 'DIR', 'keeps the evidence of each run there; what is there is judged again'),
  mutants: onOff('instead, every mutant of the reference service: survivors.yaml must triage the survivors'),
  sample: option(
    wholeNumber(1, 10_000),
    'N',
    'so many mutants, combinations of a kind (60), or random limiters (100)',
  ),
  seed: option(wholeNumber(0, 2 ** 31 - 1), 'S', 'of the sample (1)'),
};

async function main(argv: readonly string[]): Promise<number> {
  const { values } = checkCommandLine(argv, {
    name: 'proof',
    options,
    summary: 'The suite against every fault and every conforming variant of the reference service.',
    closing: 'Exit: 0 each turned exactly what it should, 1 one did not, 2 usage',
  });
  const { mutants, sample, seed, parts: chosen = usual } = values;
  if (mutants === true) {
    // Loaded if needed: the instrumenter takes longer to load than a run takes.
    const { proveMutants } = await import('../../lib/proof/mutants/prove-mutants.js');
    return (await proveMutants(sample, seed)) ? 0 : 1;
  }
  const inOrder = partNames.filter((one) => chosen.includes(one));
  return (await proveParts(inOrder, values)) ? 0 : 1;
}

void runCommand(main, process.argv.slice(2));
