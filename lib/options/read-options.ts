import { UsageProblem } from '../explain/usage-problem.js';
import { commandOf } from './command-text.js';
import { type Environment, readEnvironment, reference, textsOf, variableOf } from './environment.js';
import { checkOptions, flagOf, type Options, type OptionValues, type Typed } from './option.js';
import { targetOf, type TargetValues } from './target.js';
import type { Request } from './run-request.js';
import { targetOptions } from './run-options.js';
import { readSettings, type Settings, settingsFor, settingsName, type Source } from './settings-file.js';
import { didYouMean } from '../explain/nearest-name.js';

/** What the folder and the environment of the process say. @throws UsageProblem */
export async function readSources(): Promise<Sources> {
  const folder = process.cwd();
  return { values: readEnvironment(folder, process.env), settings: await readSettings(folder) };
}

/**
 * Reads the options of a command line; for those that it does not give, the variables of its target; for those that they
 * do not give, the settings of the folder.
 * @param command How the command is called, for the record.
 * @throws UsageProblem for a value that is not valid, and a target that is not configured.
 */
export function readOptions<const Some extends Options>(
  command: string,
  options: Some,
  typed: Typed,
  sources: Sources,
): Request<OptionValues<Some>> {
  const name = chosenTarget(typed, sources);
  const isReference = name === reference;
  const flag = (option: string): string => `--${flagOf(options, option)}`;
  const variable = (option: string): string => variableOf(name ?? 'petstore', option);
  const all: Source[] = [
    ...settingsFor(sources.settings, name),
    { values: isReference ? {} : textsOf(name ?? 'petstore', sources.values), nameOf: variable },
    { values: typed, nameOf: flag },
  ];
  const isConfigurable = (option: string): boolean =>
    !isReference && option in targetOptions && (name !== undefined || option === 'apiKey');
  const nameOf = (option: string): string => {
    const source = all.findLast(({ values }) => option in values);
    return (source?.nameOf ?? (isConfigurable(option) ? variable : flag))(option);
  };
  const known = Object.entries(all.map((source) => source.values).reduce(over)).filter(
    ([option]) => option in options,
  );
  const values = checkOptions(options, Object.fromEntries(known), ([option = '']) => nameOf(option));
  const { allowWrites, ...ofTarget } = values as TargetValues & { allowWrites?: boolean };
  if (ofTarget.readOnly && allowWrites)
    throw new UsageProblem('--read-only and --allow-writes contradict each other: give one');
  const targetName = name?.toLowerCase() ?? 'target';
  const production = isProduction(targetName) ? `the production target ${targetName}` : undefined;
  const readOnly = ofTarget.readOnly ?? (production !== undefined && !allowWrites);
  const target = targetOf(targetName, { ...ofTarget, readOnly }, nameOf, sources.values);
  return {
    values,
    target: target && { ...target, production },
    nameOf,
    command: commandOf(command, options, typed),
    environment: sources.values,
  };
}

/** Options that are one thing: who gives one takes back what a lower source says of these. */
const others: Readonly<Record<string, readonly string[]>> = {
  apiKey: ['apiKeyFile', 'apiKeyCommand'],
  apiKeyFile: ['apiKey', 'apiKeyCommand'],
  apiKeyCommand: ['apiKey', 'apiKeyFile'],
  plan: ['perMinute', 'perDay'],
};

/** What one source gives, and below it another. */
function over(lower: Source['values'], upper: Source['values']): Source['values'] {
  // Enterprise has no limits of its own: those of the lower source are meant.
  const given = Object.keys(upper).filter((option) => !/^enterprise$/i.test(String(upper[option])));
  const taken = new Set(given.flatMap((option) => others[option] ?? []));
  const kept = Object.entries(lower).filter(([option]) => !taken.has(option));
  return { ...Object.fromEntries(kept), ...upper };
}

/** Where options come from beside the command line. */
export interface Sources {
  readonly values: Environment;
  readonly settings?: Settings | undefined;
}

/**
 * The name of the target that a command line means, undefined for one that has only an address. A run without a target judges
 * the embedded service, `reference`: who has configured a target means that one.
 * @throws UsageProblem for two targets, for one that is not configured, and for none if some are configured.
 */
function chosenTarget(typed: Typed, sources: Sources): string | undefined {
  if (typed['baseUrl'] !== undefined) {
    if (typed['target'] === undefined) return undefined;
    throw new UsageProblem('--target and --base-url name two targets: give one');
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

/** Whether nothing is created at a target, and no load sent, unless the user allows it: its name begins so. */
export function isProduction(name: string): boolean {
  return /^\W*(?:prod|live)/i.test(name);
}
