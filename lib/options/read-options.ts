import { didYouMean } from '../explain/nearest-name.js';
import { refuse, UsageProblem } from '../explain/usage-problem.js';
import { commandOf } from './command-line.js';
import { type Environment, readEnvironment, reference, textsOf, variableOf } from './environment.js';
import { checkOptions, flagOf, type Options, type OptionValues, type Typed } from './option.js';
import { targetOptions } from './run-options.js';
import { readSettings, type Settings, settingsFor, settingsName, type Source } from './settings-file.js';
import { type NameOf, type Target, targetOf, type TargetValues } from './target.js';

/** Where options come from beside the command line. */
interface Sources {
  readonly values: Environment;
  readonly settings?: Settings | undefined;
}

/** What a run or a load is asked to do, wherever its options come from. */
export interface Request<Values> {
  readonly values: Values;
  /** Undefined for the embedded reference service. */
  readonly target: Target | undefined;
  readonly nameOf: NameOf;
  /** The command as the record shows it, without keys. */
  readonly command: string;
  readonly environment: Environment;
}

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
  { values: environment, settings }: Sources,
): Request<OptionValues<Some>> {
  const name = chosenTarget(typed, { values: environment, settings });
  const isReference = name === reference;
  const flag: NameOf = (option) => flagOf(options, option);
  const variable: NameOf = (option) => variableOf(name ?? 'petstore', option);
  const all: Source[] = [
    ...settingsFor(settings, name),
    { values: isReference ? {} : textsOf(name ?? 'petstore', environment), nameOf: variable },
    { values: typed, nameOf: flag },
  ];
  const nameOf: NameOf = (option) => {
    const source = all.findLast(({ values }) => option in values);
    const isConfigurable =
      !isReference && option in targetOptions && (name !== undefined || option === 'apiKey');
    return (source?.nameOf ?? (isConfigurable ? variable : flag))(option);
  };
  const given = Object.entries(all.map((source) => source.values).reduce(over));
  const known = Object.fromEntries(given.filter(([option]) => option in options));
  const values = checkOptions(options, known, ([option = '']) => nameOf(option));
  const { allowWrites = false, ...ofTarget } = values as TargetValues & { allowWrites?: boolean };
  refuse([
    ofTarget.readOnly === true && allowWrites,
    '--read-only and --allow-writes contradict each other: give one',
  ]);
  const targetName = name?.toLowerCase() ?? 'target';
  const production = isProduction(targetName) ? `the production target ${targetName}` : undefined;
  const readOnly = ofTarget.readOnly ?? (production !== undefined && !allowWrites);
  const target = targetOf(targetName, { ...ofTarget, readOnly }, nameOf, environment);
  return {
    values,
    target: target && { ...target, production },
    nameOf,
    command: commandOf(command, options, typed),
    environment,
  };
}

/** What one source gives, and below it another: a key, or a plan, takes back all that the lower one says of it. */
function over(lower: Source['values'], upper: Source['values']): Source['values'] {
  const isKey = (option: string): boolean => option.startsWith('apiKey');
  const isLimit = (option: string): boolean => option === 'perMinute' || option === 'perDay';
  const { plan = 'enterprise' } = upper;
  const hasOwnKey = Object.keys(upper).some(isKey);
  // Enterprise has no limits of its own: those of the lower source are meant.
  const hasOwnLimits = !/^enterprise$/i.test(String(plan));
  const kept = Object.entries(lower).filter(
    ([option]) => !(hasOwnKey && isKey(option)) && !(hasOwnLimits && isLimit(option)),
  );
  return { ...Object.fromEntries(kept), ...upper };
}

/**
 * The name of the target that a command line means, undefined for one that has only an address. A run without a target judges
 * the embedded service, `reference`: who has configured a target means that one.
 * @throws UsageProblem for two targets, for one that is not configured, and for none if some are configured.
 */
function chosenTarget(typed: Typed, sources: Sources): string | undefined {
  if (typed['baseUrl'] !== undefined) {
    refuse([typed['target'] !== undefined, '--target and --base-url name two targets: give one']);
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

/** Whether nothing is created at a target, and no load sent, unless the user allows it: its name begins so. */
export function isProduction(name: string): boolean {
  return /^\W*(?:prod|live)/i.test(name);
}
