import { UsageProblem } from '../explain/usage-problem.js';
import { commandOf } from './command-text.js';
import { readEnvironment, reference, textsOf, variableOf } from './environment.js';
import { checkOptions, flagOf, type Options, type OptionValues, type Typed } from './option.js';
import { targetOf, type TargetValues } from './target.js';
import type { Request } from './run-request.js';
import { targetOptions } from './run-options.js';
import { readSettings, settingsFor, type Source } from './settings-file.js';
import { chosenTarget, isProduction, type Sources } from './targets.js';

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
