import { parseArgs } from 'node:util';
import { didYouMean } from '../lib/usage/nearest-name.js';
import { UsageProblem } from '../lib/usage/usage-problem.js';
import { differences, proveFault, proveVariant, type Entry } from '../lib/proof/matrix.js';
import { entryLines, totalLines } from './proof-lines.js';
import { faults } from '../lib/reference/faults/index.js';
import { variants } from '../lib/reference/variants/index.js';
import { profiles, type Profile } from '../lib/session/probe.js';
import { paperOf } from '../reports/terminal/paper.js';

/**
 * Prints how the suite proves itself: against each fault of the reference service, which ids turned, and against each
 * conforming variant, that none did. Exit code 1 where anything is not exactly as it should be.
 */
const usage = `npm run proof -- [--only=NAME,…] [--profile=${profiles.join('|')}]`;

interface Chosen {
  readonly names: ReadonlySet<string> | undefined;
  readonly profile: Profile;
}

function readCommandLine(argv: string[]): Chosen {
  const { values } = parseArgs({
    args: argv,
    options: { only: { type: 'string' }, profile: { type: 'string', default: 'standard' } },
  });
  const profile = profiles.find((known) => known === values.profile);
  if (!profile) {
    throw new UsageProblem(`there is no profile ${values.profile}.${didYouMean(values.profile, profiles)}`);
  }
  if (values.only === undefined) return { names: undefined, profile };
  const known = [...faults, ...variants].map(({ name }) => name);
  const names = values.only.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new UsageProblem(`there is no fault or variant ${unknown}.${didYouMean(unknown, known)}`);
  }
  return { names: new Set(names), profile };
}

async function prove({ names, profile }: Chosen): Promise<boolean> {
  const { stdout } = process;
  const paper = paperOf({ columns: stdout.columns ?? 80, colour: stdout.hasColors?.() ?? false });
  const wanted = ({ name }: { name: string }): boolean => names?.has(name) ?? true;
  const began = performance.now();
  const entries: Entry[] = [];
  const print = (entry: Entry): void => {
    entries.push(entry);
    console.log(entryLines(entry, paper).join('\n'));
  };
  for (const fault of faults.filter(wanted)) print(await proveFault(fault, profile));
  for (const variant of variants.filter(wanted)) print(await proveVariant(variant, profile));
  console.log(totalLines(entries, performance.now() - began, paper).join('\n'));
  return entries.every((entry) => differences(entry).length === 0);
}

try {
  process.exitCode = (await prove(readCommandLine(process.argv.slice(2)))) ? 0 : 1;
} catch (error) {
  if (!(error instanceof UsageProblem || (error instanceof TypeError && 'code' in error))) throw error;
  console.error(`${error.message}\nUsage: ${usage}`);
  process.exitCode = 2;
}
