import { factsOf, flagOf, type Options } from './option.js';

/** Columns of a name with its value. */
const width = 19;

/** The lines of `--help` for options: their names, values, and what they are for. */
export function optionLines(options: Options): string {
  return Object.keys(options)
    .flatMap((name) => {
      const { help, value } = factsOf(options, name);
      const typed = `--${flagOf(options, name)}${value === undefined ? '' : `=${value}`}`;
      return help === undefined ? [] : [`  ${typed.padEnd(width)} ${help}`];
    })
    .join('\n');
}
