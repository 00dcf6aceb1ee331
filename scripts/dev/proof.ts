import { differences, proveFault, proveVariant, type Entry } from '../../lib/proof/matrix.js';
import { entryLines, totalLines } from './proof-lines.js';
import { faults } from '../../lib/reference/faults/faults.js';
import { variants } from '../../lib/reference/variants/variants.js';
import { profiles } from '../../lib/requirement/requirement.js';
import { layoutOf } from '../../reports/terminal/layout.js';
import { checkCommandLine } from '../../lib/usage/command-line.js';
import { optionLines } from '../../lib/usage/help.js';
import { listOf, nameIn, onOff, oneOf, option, type OptionValues } from '../../lib/usage/option.js';
import { terminalWidth } from '../../lib/usage/terminal-width.js';
import { runCommand } from '../run-command.js';

/**
 * Prints how the suite proves itself: against each fault of the reference service, which requirements turned, and against
 * each conforming variant, that none did. Exit code 1 if anything is not exactly as it should be.
 */

const names = [...faults, ...variants].map(({ name }) => name);
const options = {
  only: option(listOf(nameIn(names, 'fault or variant')), {
    value: 'NAME,…',
    help: 'these alone; npm run reference -- --list names them',
  }),
  profile: option(oneOf(profiles), { value: 'P', help: `${profiles.join(', ')} (default: standard)` }),
  help: onOff({ help: 'this text', short: 'h' }),
};

async function main(argv: readonly string[]): Promise<number> {
  const values = checkCommandLine(argv, options);
  if (values.help !== true) return (await prove(values)) ? 0 : 1;
  process.stdout.write(`npm run proof -- [options]: the suite against every fault and every conforming variant
of the reference service; for each, the requirements that turned.

${optionLines(options)}

Exit: 0 each turned exactly what it should, 1 one did not, 2 usage
`);
  return 0;
}

async function prove({ only, profile }: OptionValues<typeof options>): Promise<boolean> {
  const { stdout } = process;
  const layout = layoutOf({ columns: terminalWidth(stdout), colour: stdout.hasColors?.() ?? false });
  const wanted = ({ name }: { name: string }): boolean => only?.includes(name) ?? true;
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

await runCommand('proof', main);
