import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'dotenv';
import { z } from 'zod';
import { didYouMean } from '../explain/nearest-name.js';
import { printable } from '../explain/printable.js';
import { refuse, textIn, UsageProblem } from '../explain/usage-problem.js';
import { checkOptions, flagOf, option, text, type Options, type OptionValues, type Typed } from './option.js';
import { commandLineOptions, keyOptions, scopeOptions, targetOptions } from './run-options.js';

/** The name of the embedded reference service, as that of a target. */
export const reference = 'reference';

/** Names and values as the process and the `.env` file of a folder have them; the process's win. */
export type Environment = Readonly<Record<string, string | undefined>>;

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
const oneTarget = z.strictObject({ baseUrl, ...ofTarget, ...ofEveryRun }, 'must be an object');
const settings = {
  target: option(text, undefined, 'the target of a run that names none'),
  targets: option(
    z.record(z.string(), oneTarget, 'must be an object'),
    undefined,
    'targets by name; what is said of one of them goes before what is said of all',
  ),
  ...ofTarget,
  ...ofEveryRun,
};

export type Settings = OptionValues<typeof settings>;

/**
 * What a YAML or JSON file of the user's holds, which may be nothing. The reader of YAML is loaded only if there is one.
 * @throws UsageProblem that names the file, if it is not YAML or its check refuses it
 */
export async function checkedYaml<Values>(
  file: string,
  content: string,
  check: (document: unknown) => Values,
): Promise<Values> {
  const { loadAll, YAMLException } = await import('js-yaml');
  const refused = (what: string, cause: unknown) =>
    new UsageProblem(printable(`${file}: ${what}`), { cause });
  try {
    const [document, ...further] = loadAll(content);
    refuse(further.length > 0 && 'it holds more than one document');
    return check(document);
  } catch (error) {
    if (error instanceof UsageProblem) throw refused(error.message, error);
    if (!(error instanceof YAMLException)) throw error;
    // The text itself is not quoted: it may hold a key.
    throw refused(`not valid YAML: ${error.reason} in line ${(error.mark?.line ?? 0) + 1}`, error);
  }
}

export async function settingsIn(content: string): Promise<Settings> {
  return checkedYaml(settingsName, content, (document = {}) => checkOptions(settings, document));
}

/** The file as JSON Schema, for editors. */
export function settingsSchema(): object {
  const schema = z.toJSONSchema(z.strictObject(settings), { io: 'input', unrepresentable: 'any' });
  return { title: 'Settings of petstore-conformance', ...schema };
}

/** Where options come from beside the command line. */
export interface Sources {
  readonly values: Environment;
  readonly settings?: Settings | undefined;
}

/** What a folder and an environment say. @throws UsageProblem for a file that can't be read, a setting that is wrong, and a key. */
export async function readSources(
  folder = process.cwd(),
  environment: Environment = process.env,
): Promise<Sources> {
  const [dotenv, file] = [join(folder, '.env'), join(folder, settingsName)];
  return {
    values: existsSync(dotenv) ? { ...parse(textIn(dotenv)), ...environment } : environment,
    settings: existsSync(file) ? await settingsIn(textIn(file, settingsName)) : undefined,
  };
}

/** The variable of a target's option: `STAGING_EU_API_KEY` is the `apiKey` of `staging-eu`. */
export function variableOf(target: string, option: string): string {
  const name = target.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
  return `${name}_${option.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`;
}

/** What is said of an option, and how a message calls the place: `--plan`, `STAGING_PLAN`. */
interface Said {
  readonly value: unknown;
  readonly name: string;
}

/**
 * What is said of each of some options: by the settings of every run, before it by those of the target, before them by its variables,
 * and first of all by the command line. Of the embedded service counts what may be said of any target.
 */
export function saidOf(
  target: string | undefined,
  options: Options,
  typed: Typed,
  { values: environment, settings: all = {} }: Sources,
): ReadonlyMap<string, Said> {
  const { target: _, targets = {}, ...ofAll } = all;
  const isReference = target === reference;
  const own = Object.keys(targets).find((one) => one.toLowerCase() === target?.toLowerCase()) ?? '';
  const held = Object.entries(ofAll).filter(
    ([option]) => !isReference || !(option in ofTarget) || option === 'plan',
  );
  const variable = (option: string): string => variableOf(target ?? 'petstore', option);
  const variables = Object.keys(isReference ? {} : targetOptions).flatMap((option) => {
    const text = environment[variable(option)]?.trim() ?? '';
    // The name of the variable has the unit. An empty one is not set.
    const isMilliseconds = option.endsWith('Ms') && /^\d+$/.test(text);
    return text === '' ? [] : [[option, isMilliseconds ? `${text}ms` : text] as const];
  });
  const said = new Map<string, Said>();
  const say = (values: Iterable<readonly [string, unknown]>, nameOf: (option: string) => string): void => {
    const given = new Map(values);
    // A key, or a plan with limits of its own, takes back all that was said of it before.
    const plan = given.get('plan') ?? 'enterprise';
    const limits = typeof plan === 'string' && /^enterprise$/i.test(plan) ? [] : ['perMinute', 'perDay'];
    const keys = keyOptions.some((one) => given.has(one)) ? keyOptions : [];
    for (const option of [...limits, ...keys]) said.delete(option);
    for (const [option, value] of given)
      if (option in options) said.set(option, { value, name: nameOf(option) });
  };
  say(held, (option) => `${option} in ${settingsName}`);
  say(Object.entries(targets[own] ?? {}), (option) => `targets.${own}.${option} in ${settingsName}`);
  say(variables, variable);
  say(Object.entries(typed), (option) => flagOf(options, option));
  return said;
}

/**
 * The name of the target that a command line means, undefined for one that has only an address. A run without a target judges
 * the embedded service, `reference`: who has configured a target means that one.
 * @throws UsageProblem for two targets, for one that is not configured, and for none if some are configured.
 */
export function chosenTarget(typed: Typed, sources: Sources): string | undefined {
  if (typed['baseUrl'] !== undefined) {
    refuse(typed['target'] !== undefined && '--target and --base-url name two targets: give one');
    return undefined;
  }
  const known = knownTargets(sources);
  const name = typed['target'] ?? sources.settings?.target;
  if (typeof name !== 'string') {
    if (known.length === 0) return reference;
    throw new UsageProblem(
      `no target is named, but there are some (${known.join(', ')}): add --target=${known[0]}, or --target=reference for a self-check`,
    );
  }
  if (name.toLowerCase() === reference) return reference;
  const variable = variableOf(name, 'baseUrl');
  if (known.some((one) => variableOf(one, 'baseUrl') === variable)) return name;
  const names = [...known, reference];
  throw new UsageProblem(
    `the target ${name} is not configured; known are ${names.join(', ')}.${didYouMean(name, names)} Set ${variable} in the environment or in .env, or give it in ${settingsName}`,
  );
}

/** The names of the targets that the folder and the environment configure: `STAGING_EU_BASE_URL` is that of `staging-eu`. */
export function knownTargets({ values, settings }: Sources): string[] {
  const ofFile = Object.entries(settings?.targets ?? {}).map(([name, { baseUrl }]) => [name, baseUrl]);
  const ofEnvironment = Object.entries(values).map(([variable, text]) => [
    /^([A-Z0-9_]+)_BASE_URL$/.exec(variable)?.[1]?.toLowerCase().replaceAll('_', '-'),
    text?.trim(),
  ]);
  const known = [...ofFile, ...ofEnvironment].flatMap(([name, baseUrl]) => (name && baseUrl ? [name] : []));
  return [...new Set(known)];
}
