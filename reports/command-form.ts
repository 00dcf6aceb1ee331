import { checkCommandLine, type CommandDescription } from '../lib/options/command-line.js';
import type { Options, OptionValues } from '../lib/options/option.js';
import type { TextLayout } from './terminal/layout.js';

/** What a command has from the outside. */
export interface Surroundings extends TextLayout {
  /** How the command is called, for its help: `npm run report --`. */
  readonly invocation: string;
  readonly print: (text: string) => void;
}

/** A command of `report`, which reads its own command line: what was typed behind its name. */
export interface Command {
  readonly operands: string;
  readonly summary: string;
  /** @throws UsageProblem, HelpAsked */
  readonly run: (argv: readonly string[], surroundings: Surroundings, name: string) => Promise<number>;
}

interface CommandParts<Some extends Options> extends Required<
  Pick<CommandDescription<Some>, 'operands' | 'summary' | 'options'>
> {
  readonly run: (
    operands: readonly string[],
    values: OptionValues<Some>,
    surroundings: Surroundings,
  ) => Promise<number>;
}

/** A command whose operands and options are checked and typed. */
export function command<const Some extends Options>({ run, ...parts }: CommandParts<Some>): Command {
  return {
    ...parts,
    run: async (argv, surroundings, name) => {
      const description = { ...parts, name: `${surroundings.invocation} ${name}` };
      const { operands, values } = checkCommandLine(argv, description);
      return run(operands, values, surroundings);
    },
  };
}
