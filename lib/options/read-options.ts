import type { PlanName } from '../specification/plan.js';
import { didYouMean } from '../explain/nearest-name.js';
import { UsageProblem } from '../explain/usage-problem.js';
import { valuesTyped, type CommandLine } from './command-line.js';
import { commandOf } from './command-text.js';
import {
  addressesIn,
  productionOf,
  readEnvironment,
  textsOf,
  variableOf,
  type Addresses,
  type Environment,
} from './environment.js';
import { checkOptions, factsOf, flagOf, type Options, type OptionValues } from './option.js';
import { planKeysOf } from './plan-keys.js';
import { targetOf, type TargetValues } from './read-target.js';
import type { Request } from './run-request.js';
import { readSettings, settingsFor, settingsName, type Settings } from './settings-file.js';

/** Where options come from beside the command line. */
export interface Sources {
  readonly values: Environment;
  readonly settings?: Settings | undefined;
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
 * @param typed What the command line says, as `readCommandLine` reads it.
 * @throws UsageProblem for a value that is not valid, and a target that is not configured.
 */
export function readOptions<const Some extends Options>(
  command: string,
  options: Some,
  typed: CommandLine['typed'],
  sources: Sources,
): Request<OptionValues<Some>> {
  const { name, isNamed, isReference } = chosenTarget(typed, sources);
  const file = settingsFor(sources.settings, isReference ? undefined : isNamed ? name : '');
  const ofFile = Object.fromEntries(Object.entries(file.values).filter(([option]) => option in options));
  const ofEnvironment = isReference ? {} : valuesTyped(options, textsOf(options, name, sources.values));
  const configured = over(ofFile, ofEnvironment);
  if (isNamed && !isReference && configured['baseUrl'] === undefined) throw notConfigured(name, sources);
  const nameOf = (option: string): string => {
    const flag = `--${flagOf(options, option)}`;
    if (typed[option] !== undefined) return flag;
    if (option in ofFile && !(option in ofEnvironment)) return file.placeOf(option);
    const isVariable = !isReference && (isNamed || option === 'apiKey' || option in ofEnvironment);
    return isVariable && factsOf(options, option).isVariable ? variableOf(name, option) : flag;
  };
  const given = over(configured, valuesTyped(options, typed));
  const values = checkOptions(options, given, ([option = '']) => nameOf(option));
  const { plans, allowWrites, ...ofTarget } = values as TargetValues & {
    plans?: PlanName[];
    allowWrites?: boolean;
  };
  if (ofTarget.readOnly && allowWrites)
    throw new UsageProblem('--read-only and --allow-writes contradict each other: give one');
  const planKeys = plans && !isReference ? planKeysOf(plans, name, sources.values) : undefined;
  const targetName = isNamed ? name.toLowerCase() : 'target';
  const production = productionOf(targetName, ofTarget.baseUrl ?? '', addressesOf(sources));
  const readOnly = ofTarget.readOnly ?? (production !== undefined && !allowWrites);
  const target = targetOf(targetName, { ...ofTarget, readOnly }, nameOf, planKeys, sources.values);
  return {
    values,
    target: target && { ...target, production },
    planKeys,
    nameOf,
    command: commandOf(command, options, typed),
    environment: sources.values,
  };
}

interface Chosen {
  /** What its variables begin with. */
  readonly name: string;
  /** False for a target that has only an address. */
  readonly isNamed: boolean;
  readonly isReference: boolean;
}

/**
 * A run without a target judges the embedded reference service: who has configured a target means that one.
 * @throws UsageProblem for two targets, and for none if some are configured.
 */
function chosenTarget(typed: CommandLine['typed'], sources: Sources): Chosen {
  const isGiven = typed['baseUrl'] !== undefined;
  if (isGiven && typed['target'] !== undefined)
    throw new UsageProblem('--target and --base-url name two targets: give one');
  if (isGiven) return { name: 'petstore', isNamed: false, isReference: false };
  const name = typed['target'] ?? sources.settings?.target;
  if (typeof name === 'string') return { name, isNamed: true, isReference: /^reference$/i.test(name) };
  const known = knownTargets(sources);
  if (known.length === 0) return { name: 'petstore', isNamed: false, isReference: true };
  throw new UsageProblem(
    `no target is named, but there are some (${known.join(', ')}): add --target=${known[0]}, or --target=reference for a self-check`,
  );
}

type Given = Readonly<Record<string, unknown>>;

const ofKey = ['apiKey', 'apiKeyFile', 'apiKeyCommand'] as const;

/**
 * What one source gives, and below it another. A key, or a plan with its limits, is one thing: it comes from the upper
 * source as a whole.
 */
function over(lower: Given, upper: Given): Record<string, unknown> {
  const kept: Record<string, unknown> = { ...lower };
  if (ofKey.some((option) => upper[option] !== undefined)) for (const option of ofKey) delete kept[option];
  const plan = upper['plan'] ?? lower['plan'];
  if (typeof plan === 'string' && plan !== 'enterprise') {
    delete kept['perMinute'];
    delete kept['perDay'];
  }
  return { ...kept, ...upper };
}

/** The names of the targets that the folder and the environment configure. */
export function knownTargets(sources: Sources): string[] {
  return [...new Set(addressesOf(sources).map(([name]) => name))];
}

/** The addresses of all targets that are known here. */
function addressesOf({ values, settings }: Sources): Addresses {
  const ofFile = Object.entries(settings?.targets ?? {}).flatMap(([name, { baseUrl }]) =>
    baseUrl === undefined ? [] : [[name, baseUrl] as const],
  );
  return [...ofFile, ...addressesIn(values)];
}

function notConfigured(name: string, sources: Sources): UsageProblem {
  const known = [...knownTargets(sources), 'reference'];
  return new UsageProblem(
    `the target ${name} is not configured; known are ${known.join(', ')}.${didYouMean(name, known)} Set ${variableOf(name, 'baseUrl')} in the environment or in .env, or give it in ${settingsName}`,
  );
}
