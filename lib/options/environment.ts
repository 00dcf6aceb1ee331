import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'dotenv';
import { errorCode } from '../explain/error-code.js';
import { UsageProblem } from '../explain/usage-problem.js';
import { factsOf, type Options } from './option.js';

/** Names and values as the process and the `.env` file of a folder have them; the process's win. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** @throws UsageProblem if there is a `.env` that can't be read. */
export function readEnvironment(folder: string, process: Environment): Environment {
  const file = join(folder, '.env');
  try {
    return { ...parse(readFileSync(file)), ...process };
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return process;
    throw new UsageProblem(`${file} can't be read (${code})`, { cause: error });
  }
}

/** The variable of a target's option: `STAGING_EU_API_KEY` is the `apiKey` of `staging-eu`. */
export function variableOf(target: string, option: string): string {
  const name = target.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
  return `${name}_${option.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`;
}

/** The texts of a target's variables; an empty one is not set. */
export function textsOf(options: Options, target: string, values: Environment): Record<string, string> {
  const texts = Object.keys(options).flatMap((option) => {
    const variable = variableOf(target, option);
    const text = factsOf(options, option).isVariable ? (values[variable]?.trim() ?? '') : '';
    // The name of the variable has the unit.
    const isMilliseconds = variable.endsWith('_MS') && /^\d+$/.test(text);
    return text === '' ? [] : [[option, isMilliseconds ? `${text}ms` : text] as const];
  });
  return Object.fromEntries(texts);
}

/** The addresses of targets, by their names. */
export type Addresses = ReadonlyArray<readonly [name: string, baseUrl: string]>;

/** The addresses in an environment: that of `staging-eu` is in `STAGING_EU_BASE_URL`. */
export function addressesIn(values: Environment): Addresses {
  return Object.entries(values).flatMap(([variable, text]) => {
    const name = /^([A-Z0-9_]+)_BASE_URL$/.exec(variable)?.[1]?.toLowerCase().replaceAll('_', '-');
    const baseUrl = text?.trim() ?? '';
    return name === undefined || baseUrl === '' ? [] : [[name, baseUrl] as const];
  });
}

/**
 * The production target that is meant: nothing is created there, and no load sent, unless the user allows it. Its name begins
 * with `prod` or `live`, or it has the host of a target with such a name. Undefined if neither holds.
 */
export function productionOf(name: string, baseUrl: string, addresses: Addresses): string | undefined {
  const isPrecious = (one: string): boolean => /^\W*(?:prod|live)/i.test(one);
  if (isPrecious(name)) return `the production target ${name}`;
  const host = hostOf(baseUrl);
  const known = addresses.find(([other, address]) => isPrecious(other) && hostOf(address) === host);
  return known && `${host} (the host of the production target ${known[0]})`;
}

/** Host and port: plain HTTP leads to the same service. */
function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host.replace(/\.(?=$|:)/, '') : baseUrl;
}
