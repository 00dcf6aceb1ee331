import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'dotenv';
import { UsageProblem } from '../usage/usage-problem.js';

/** Names and values as the process and the `.env` file of a folder have them; the process's win. */
export interface Environment {
  readonly values: Readonly<Record<string, string | undefined>>;
  /** Whether the folder has a `.env`. */
  readonly hasFile: boolean;
}

/** @throws UsageProblem if there is a `.env` that can't be read. */
export function readEnvironment(
  folder: string,
  process: Readonly<Record<string, string | undefined>>,
): Environment {
  const file = join(folder, '.env');
  try {
    return { values: { ...parse(readFileSync(file)), ...process }, hasFile: true };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return { values: process, hasFile: false };
    throw new UsageProblem(`${file} can't be read (${String(code)})`, { cause: error });
  }
}

/** The variable of a target: `STAGING_API_KEY` of `staging`. */
export function variableOf(target: string, what: string): string {
  return `${target.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}_${what}`;
}

/** The target whose base URL a variable holds: `staging-eu` of `STAGING_EU_BASE_URL`. */
export function targetOfVariable(variable: string): string | undefined {
  return /^([A-Z0-9_]+)_BASE_URL$/.exec(variable)?.[1]?.toLowerCase().replaceAll('_', '-');
}
