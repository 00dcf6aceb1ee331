import { factsOf, flagOf, type Options } from './option.js';

/** The command that gives these options, as a shell takes it and without keys. */
export function commandOf(
  command: string,
  options: Options,
  given: Readonly<Record<string, unknown>>,
): string {
  const words = Object.keys(options).flatMap((name) => {
    const value = given[name];
    const flag = `--${flagOf(options, name)}`;
    const { secret, repeatable } = factsOf(options, name);
    if (value === undefined || value === false) return [];
    if (value === true) return [flag];
    // A program gives a list; a command line has the text of one, or a line for each time that the option was typed.
    const parts: readonly unknown[] = [value].flat();
    const text = parts.map(String).join(repeatable ? '\n' : ',');
    return (repeatable ? text.split('\n') : [text]).map((one) => {
      const isSecret = secret === true || secret?.test(one) === true;
      return `${flag}=${isSecret ? '***' : shellWord(one)}`;
    });
  });
  return [command, ...words].join(' ');
}

/** In quotes if a shell would read more than one word. */
export function shellWord(value: unknown): string {
  const word = String(value);
  return /^[\p{L}\p{N}_@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** The words that a shell reads in such a command. */
export function wordsOf(command: string): string[] {
  return (command.match(/(?:'[^']*'|\\.|[^\s'\\])+/gu) ?? []).map((word) =>
    word.replaceAll(/'([^']*)'|\\(.)/gu, '$1$2'),
  );
}
