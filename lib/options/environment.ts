import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'dotenv';
import { textIn } from '../explain/usage-problem.js';
import { targetOptions } from './run-options.js';

/** The name of the embedded reference service, as that of a target. */
export const reference = 'reference';

/** Names and values as the process and the `.env` file of a folder have them; the process's win. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** @throws UsageProblem if there is a `.env` that can't be read. */
export function readEnvironment(folder: string, process: Environment): Environment {
  const file = join(folder, '.env');
  return existsSync(file) ? { ...parse(textIn(file)), ...process } : process;
}

/** The variable of a target's option: `STAGING_EU_API_KEY` is the `apiKey` of `staging-eu`. */
export function variableOf(target: string, option: string): string {
  const name = target.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
  return `${name}_${option.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`;
}

/** The texts of a target's variables: whatever is said of a target can be said by one. An empty one is not set. */
export function textsOf(target: string, values: Environment): Record<string, string> {
  const texts = Object.keys(targetOptions).flatMap((option) => {
    const variable = variableOf(target, option);
    const text = values[variable]?.trim() ?? '';
    // The name of the variable has the unit.
    const isMilliseconds = variable.endsWith('_MS') && /^\d+$/.test(text);
    return text === '' ? [] : [[option, isMilliseconds ? `${text}ms` : text] as const];
  });
  return Object.fromEntries(texts);
}
