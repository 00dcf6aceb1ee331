import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'dotenv';
import { errorCode } from '../explain/error-code.js';
import { factsOf, type Options } from './options-schema.js';
import { UsageProblem } from '../explain/usage-problem.js';

/** Names and values as the process and the `.env` file of a folder have them; the process's win. */
export interface Environment {
  readonly values: Readonly<Record<string, string | undefined>>;
}

/** @throws UsageProblem if there is a `.env` that can't be read. */
export function readEnvironment(
  folder: string,
  process: Readonly<Record<string, string | undefined>>,
): Environment {
  const file = join(folder, '.env');
  try {
    return { values: { ...parse(readFileSync(file)), ...process } };
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return { values: process };
    throw new UsageProblem(`${file} can't be read (${code})`, { cause: error });
  }
}

/** The variable of a target: `STAGING_API_KEY` of `staging`. */
export function variableOf(target: string, what: string): string {
  return `${target.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}_${what}`;
}

/** The addresses of targets, by their names. */
export type Addresses = ReadonlyArray<readonly [name: string, baseUrl: string]>;

/** The addresses in an environment: that of `staging-eu` is in `STAGING_EU_BASE_URL`. */
export function addressesIn(values: Environment['values']): Addresses {
  return Object.entries(values).flatMap(([variable, text]) => {
    const name = /^([A-Z0-9_]+)_BASE_URL$/.exec(variable)?.[1]?.toLowerCase().replaceAll('_', '-');
    const baseUrl = text?.trim() ?? '';
    return name === undefined || baseUrl === '' ? [] : [[name, baseUrl] as const];
  });
}

/** The texts of a target's variables; an empty one is not set. */
export function textsOf(options: Options, target: string, { values }: Environment): Record<string, string> {
  const texts = Object.keys(options).flatMap((option) => {
    const { variable } = factsOf(options, option);
    const text = variable === undefined ? '' : (values[variableOf(target, variable)]?.trim() ?? '');
    return text === '' ? [] : [[option, text] as const];
  });
  return Object.fromEntries(texts);
}
