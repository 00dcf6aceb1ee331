import type { CommandDescription } from '../lib/options/command-line.js';
import type { Options, OptionValues } from '../lib/options/option.js';
import type { TextLayout } from './terminal/layout.js';

/** What a command has from the outside. */
export interface Surroundings extends TextLayout {
  /** How the command is called, for its help: `npm run report --`. */
  readonly invocation: string;
  readonly print: (text: string) => void;
}

/** A command of `report`. What was typed behind its name is checked before it runs. */
export interface Command<Some extends Options = Options> extends Required<
  Pick<CommandDescription<Some>, 'operands' | 'summary' | 'options'>
> {
  run(operands: readonly string[], values: OptionValues<Some>, surroundings: Surroundings): Promise<number>;
}

/** A command whose values have the types of its options. */
export const command = <const Some extends Options>(parts: Command<Some>): Command => parts;
