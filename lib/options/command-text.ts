import { factsOf, flagOf, type Options } from './options-schema.js';

/** The command that gives these options, as a shell takes it and without keys. */
export function commandOf(
  command: string,
  options: Options,
  given: Readonly<Record<string, unknown>>,
): string {
  const words = Object.keys(options).flatMap((name) => {
    const value = given[name];
    const flag = `--${flagOf(options, name)}`;
    if (value === undefined || value === false) return [];
    if (value === true) return [flag];
    return [`${flag}=${factsOf(options, name).secret ? '***' : shellWord(value)}`];
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
