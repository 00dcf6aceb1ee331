import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { textIn, UsageProblem } from '../explain/usage-problem.js';
import { reference } from './environment.js';
import { checkOptions, option, text, type OptionValues } from './option.js';
import { commandLineOptions, scopeOptions, targetOptions } from './run-options.js';

/**
 * The settings that a repository keeps: options by the names that they have in a program, for every run or for one target.
 * Keys never stand in it, nor what must be said anew for each run.
 */
export const settingsName = 'petstore-conformance.config.yaml';

const { apiKey: _key, otherApiKey: _otherKey, baseUrl, ...ofKey } = targetOptions;
const { observeBanKey: _banKey, resume: _resume, ...scope } = scopeOptions;
const { report, waivers, start, wait } = commandLineOptions;

const ofTarget = { ...ofKey, start, wait };
const ofEveryRun = { ...scope, report, waivers };
const settings = {
  target: option(text, undefined, 'the target of a run that names none'),
  targets: option(
    z.record(
      z.string(),
      z.strictObject({ baseUrl, ...ofTarget, ...ofEveryRun }, 'must be an object'),
      'must be an object',
    ),
    undefined,
    'targets by name; what is said of one of them goes before what is said of all',
  ),
  ...ofTarget,
  ...ofEveryRun,
};

export type Settings = OptionValues<typeof settings>;

/**
 * The settings in a folder; undefined if it has none.
 * @throws UsageProblem for a file that can't be read, a setting that is unknown or wrong, and a key.
 */
export async function readSettings(folder: string): Promise<Settings | undefined> {
  const file = join(folder, settingsName);
  if (!existsSync(file)) return undefined;
  const content = textIn(file, settingsName);
  return settingsIn(content).catch((error: unknown) => {
    throw error instanceof UsageProblem
      ? new UsageProblem(`${settingsName}: ${error.message}`, { cause: error })
      : error;
  });
}

/** The settings in a text. The reader of YAML is loaded only if there is one: a run without waits for nothing. */
export async function settingsIn(content: string): Promise<Settings> {
  const { load, YAMLException } = await import('js-yaml');
  try {
    return checkOptions(settings, load(content) ?? {});
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    // The text itself is not quoted: it may hold a key.
    throw new UsageProblem(`not valid YAML: ${error.reason} in line ${(error.mark?.line ?? 0) + 1}`);
  }
}

/** What one source says of options, and how messages call them. */
export interface Source {
  readonly values: Readonly<Record<string, unknown>>;
  readonly nameOf: (option: string) => string;
}

/** What the settings say of every run, then of one target; of the embedded service, what holds for any target. */
export function settingsFor(all: Settings = {}, target?: string): Source[] {
  const { target: _, targets = {}, ...ofAll } = all;
  const own = Object.keys(targets).find((name) => name.toLowerCase() === target?.toLowerCase()) ?? '';
  const held = Object.entries(ofAll).filter(
    ([name]) => target !== reference || !(name in ofTarget) || name === 'plan',
  );
  return [
    { values: Object.fromEntries(held), nameOf: (option) => `${option} in ${settingsName}` },
    { values: targets[own] ?? {}, nameOf: (option) => `targets.${own}.${option} in ${settingsName}` },
  ];
}

/** The file as JSON Schema, for editors. */
export function settingsSchema(): object {
  const schema = z.toJSONSchema(z.strictObject(settings), { io: 'input', unrepresentable: 'any' });
  return { title: 'Settings of petstore-conformance', ...schema };
}
