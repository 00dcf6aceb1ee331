import { readEnvironment, type Environment } from '../target/environment.js';
import { redactionOf, type Redact, type Secret } from '../http/redaction/redaction.js';

/** Options whose value is a key; also as people mistype them, `--apikey`. */
const keyOption = /^--(?<name>[a-z-]*key|observe-ban)(?:=(?<value>.*))?$/is;
const keyVariable = /_API_KEY$/;

/**
 * Keeps the keys that were typed, or that the environment holds, out of what the program says when it could not start: a
 * message that quotes a mistake may quote a key that stands in the wrong place.
 */
export function redactionOfCommandLine(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Redact {
  const typed = argv.flatMap((argument, index): Secret[] => {
    const { name, value = argv[index + 1] } = keyOption.exec(argument)?.groups ?? {};
    return name === undefined || value === undefined ? [] : [[value, `(the value of --${name})`]];
  });
  const configured = Object.entries(environment).flatMap(([name, value]): Secret[] =>
    value !== undefined && keyVariable.test(name) ? [[value, `$${name}`]] : [],
  );
  return redactionOf([...typed, ...configured]);
}

/** The same for a program as it was started: its arguments, its environment and the `.env` of its folder. */
export function redactionOfProgram({ argv, env, cwd }: Pick<NodeJS.Process, 'argv' | 'env' | 'cwd'>): Redact {
  return redactionOfCommandLine(argv, environmentOrNone(cwd(), env));
}

/** Of a `.env` that can't be read nothing was read before either. */
function environmentOrNone(folder: string, env: NodeJS.ProcessEnv): Environment['values'] {
  try {
    return readEnvironment(folder, env).values;
  } catch {
    return env;
  }
}
