import { execFile, execFileSync, type StdioOptions } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { keyVariable, nameOfKeyFile } from '../http/exchange/credential.js';
import { errorCode } from '../explain/error-code.js';
import { UsageProblem } from '../explain/usage-problem.js';
import { checkOptions } from './option.js';
import { targetOptions } from './run-options.js';

/** How the option is called that gives a value, or could: `--plan`, `STAGING_PLAN`, or `plan` in a program. */
export type NameOf = (option: string) => string;

/** Milliseconds that a command may take to print a key. */
const longestCommandMs = 60_000;

const sources = ['apiKey', 'apiKeyFile', 'apiKeyCommand'] as const;

/**
 * The key that one of three options gives; undefined if none does. A command names it by its file, command or variable; a
 * key that was typed is named by the usual variable.
 * @throws UsageProblem for two of them, and for one that gives no key.
 */
export function keyOf(
  values: Readonly<Partial<Record<(typeof sources)[number], string | undefined>>>,
  nameOf: NameOf,
) {
  const [source, second] = sources.filter((one) => values[one] !== undefined);
  if (source === undefined) return undefined;
  const option = nameOf(source);
  if (second !== undefined)
    throw new UsageProblem(`${option} and ${nameOf(second)} both give a key: give one`);
  const given = values[source] ?? '';
  const variable = variableIn(option);
  if (source === 'apiKey') return { option, apiKey: given, keyName: variable ? { variable } : undefined };
  const schema = { apiKey: targetOptions.apiKey.unwrap() };
  const keyIn = (text: string): string =>
    checkOptions(schema, { apiKey: text }, () => `the key in ${option}`).apiKey;
  if (source === 'apiKeyFile')
    return { option, apiKey: keyIn(textIn(option, given)), keyName: nameOfKeyFile(given) };
  /** Gets another one, in the place of one that has run out; undefined if the command gives none. */
  const renewKey = async (): Promise<string | undefined> =>
    promisify(execFile)('/bin/sh', ['-c', given], { timeout: longestCommandMs }).then(
      ({ stdout }) => keyIn(stdout),
      () => undefined,
    );
  const keyName = { variable: keyVariable, shell: `$(${given})` };
  return { option, apiKey: keyIn(outputOf(option, given)), keyName, renewKey };
}

/** The variable that an option is, if it is one: `STAGING_API_KEY`. */
export function variableIn(name: string): string | undefined {
  return /^[A-Z_][A-Z\d_]*$/u.test(name) ? name : undefined;
}

/** What a command of the shell prints. @throws UsageProblem if it fails; its own complaints are seen on stderr. */
function outputOf(option: string, command: string): string {
  try {
    const stdio: StdioOptions = ['ignore', 'pipe', 'inherit'];
    return execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8', stdio, timeout: longestCommandMs });
  } catch (error) {
    throw new UsageProblem(`${option}: the command failed and gave no key`, { cause: error });
  }
}

/** What a file holds. @throws UsageProblem */
export function textIn(option: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageProblem(`${option}: ${file} can't be read (${errorCode(error)})`, { cause: error });
  }
}
