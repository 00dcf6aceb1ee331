import { readEnvironment, type Environment } from './environment.js';
import { redactionOf, type Redaction, type Secret } from '../evidence/redaction.js';

/** Options whose value is a key, mistyped ones (`--apikey`) included; `--key` names a file. */
const keyOption = /^--(?<name>(?!key(?:=|$))[a-z-]*key|observe-ban)(?:=(?<value>.*))?$/is;
const keyVariable = /_API_KEY$/i;

const knownKeys: Secret[] = [];

/** Keeps a key out of later messages that stands neither on the command line nor in the environment. */
export function redactFromMessages(key: string | undefined): void {
  if (key !== undefined) knownKeys.push([key, '(the key)']);
}

/**
 * Removes the keys that were typed, or that the environment or the `.env` of the folder holds, from a message: one that
 * quotes a mistake may quote a key in the wrong place.
 */
export function redactionOfProgram({
  argv,
  env,
  cwd,
}: Pick<NodeJS.Process, 'argv' | 'env' | 'cwd'>): Redaction {
  const typed = argv.flatMap((argument, index): Secret[] => {
    const { name, value = argv[index + 1] } = keyOption.exec(argument)?.groups ?? {};
    return name === undefined || value === undefined ? [] : [[value, `(the value of --${name})`]];
  });
  let variables: Environment = env;
  try {
    variables = readEnvironment(cwd(), env);
  } catch {
    // A `.env` that can't be read has given no key to the process.
  }
  const configured = Object.entries(variables).flatMap(([name, value]): Secret[] =>
    value !== undefined && keyVariable.test(name) ? [[value, `$${name}`]] : [],
  );
  return redactionOf([...typed, ...configured, ...knownKeys]);
}
