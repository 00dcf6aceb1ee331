import { parseArgs } from 'node:util';
import { didYouMean } from '../lib/usage/nearest-name.js';
import { UsageProblem } from '../lib/usage/usage-problem.js';
import { differences, proveFault, proveVariant, type Entry } from '../lib/proof/matrix.js';
import { entryLines, totalLines } from './proof-lines.js';
import { faults } from '../lib/reference/faults/faults.js';
import { variants } from '../lib/reference/variants/variants.js';
import { profiles, type Profile } from '../lib/session/probe.js';
import { layoutOf } from '../reports/terminal/layout.js';
import { terminalWidth } from '../lib/usage/terminal-width.js';

/**
 * Prints how the suite proves itself: against each fault of the reference service, which ids turned, and against each
 * conforming variant, that none did. Exit code 1 where anything is not exactly as it should be.
 */

const help = `The suite against every fault and every conforming variant of the reference
service: for each, the requirements that turned.

  npm run proof -- [options]

  --only=NAME,…     these faults and variants alone; npm run reference -- --list
                    names them
  --profile=P       ${profiles.join(', ')} (default: standard)
  --help            this text

Exit: 0 each turned exactly what it should, 1 one did not, 2 usage
`;

const options = {
  only: { type: 'string' },
  profile: { type: 'string', default: 'standard' },
  help: { type: 'boolean', short: 'h' },
} as const;

interface Chosen {
  readonly names: ReadonlySet<string> | undefined;
  readonly profile: Profile;
}

/** Undefined where only help is asked for. */
function readCommandLine(args: string[]): Chosen | undefined {
  const { tokens } = parseArgs({ args, options, strict: false, allowPositionals: true, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'option' && !Object.hasOwn(options, token.name)) {
      const nearest = didYouMean(
        token.rawName,
        Object.keys(options).map((name) => `--${name}`),
      );
      throw new UsageProblem(`unknown option ${token.rawName}.${nearest}`);
    }
  }
  const { values } = parseArgs({ args, options });
  if (values.help) return undefined;
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

async function main(): Promise<number> {
  const chosen = readCommandLine(process.argv.slice(2));
  if (chosen) return (await prove(chosen)) ? 0 : 1;
  process.stdout.write(help);
  return 0;
}

async function prove({ names, profile }: Chosen): Promise<boolean> {
  const { stdout } = process;
  const layout = layoutOf({ columns: terminalWidth(stdout), colour: stdout.hasColors?.() ?? false });
  const wanted = ({ name }: { name: string }): boolean => names?.has(name) ?? true;
  const began = performance.now();
  const entries: Entry[] = [];
  const print = (entry: Entry): void => {
    entries.push(entry);
    console.log(entryLines(entry, layout).join('\n'));
  };
  for (const fault of faults.filter(wanted)) print(await proveFault(fault, profile));
  for (const variant of variants.filter(wanted)) print(await proveVariant(variant, profile));
  console.log(totalLines(entries, performance.now() - began, layout).join('\n'));
  return entries.every((entry) => differences(entry).length === 0);
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof UsageProblem || (error instanceof TypeError && 'code' in error))) throw error;
  console.error(`${error.message}\nnpm run proof -- --help tells what there is.`);
  process.exitCode = 2;
}
