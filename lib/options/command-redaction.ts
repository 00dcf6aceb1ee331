import { redactionOf, type Redaction, type Secret } from '../evidence/redaction.js';

/** Options whose value is a key, mistyped ones (`--apikey`) included; `--key` names a file. */
const keyOption = /^--(?<name>(?!key(?:=|$))[a-z-]*key|observe-ban)(?:=(?<value>.*))?$/is;

const knownKeys: Secret[] = [];

/** Keeps a key out of later messages that stands neither on the command line nor in the environment. */
export function redactFromMessages(key: string): void {
  knownKeys.push([key, '(the key)']);
}

/** The keys on a command line. */
export function keysIn(argv: readonly string[]): Secret[] {
  return argv.flatMap((argument, index): Secret[] => {
    const { name, value = argv[index + 1] } = keyOption.exec(argument)?.groups ?? {};
    return name === undefined || value === undefined ? [] : [[value, `(the value of --${name})`]];
  });
}

/** Removes the keys of a program from a message: one that quotes a mistake may quote a key in the wrong place. */
export function redactionOfProgram({ argv, env }: Pick<NodeJS.Process, 'argv' | 'env'> = process): Redaction {
  const configured = Object.entries(env).flatMap(([name, value]): Secret[] =>
    value !== undefined && /_API_KEY$/i.test(name) ? [[value, `$${name}`]] : [],
  );
  return redactionOf([...keysIn(argv), ...configured, ...knownKeys]);
}
