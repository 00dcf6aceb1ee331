import type { PlanName } from '../specification/plan.js';
import { readEnvironment, variableOf, type Environment } from '../target/environment.js';
import { planKeysOf } from '../target/plan-keys.js';
import { addressesIn, productionOf, type Addresses } from '../target/production.js';
import { targetOf, type TargetValues } from '../target/read-target.js';
import type { PlanKey } from '../target/target.js';
import { valuesTyped, type CommandLine } from '../usage/command-line.js';
import { commandOf } from '../usage/command-text.js';
import { didYouMean } from '../usage/nearest-name.js';
import { checkOptions, factsOf, flagOf, type Options, type OptionValues } from '../usage/options-schema.js';
import { UsageProblem } from '../usage/usage-problem.js';
import { misnamedVariables } from './misnamed-variables.js';
import { targetOptions } from './run-options.js';
import type { Request } from './run-request.js';
import { readSettings, settingsFor, type SettingsFile } from './settings-file.js';

/** What a command line asks for. */
export interface ReadOptions<Some extends Options> extends Request<OptionValues<Some>> {
  /** Variables that have the name of no setting, as lines for people. */
  readonly misnamed: readonly string[];
}

/** Where options come from beside the command line. */
export interface Sources extends Environment {
  readonly settings?: SettingsFile | undefined;
}

/** What the folder and the environment of the process say. @throws UsageProblem */
export async function readSources(): Promise<Sources> {
  const folder = process.cwd();
  return { ...readEnvironment(folder, process.env), settings: await readSettings(folder) };
}

type Given = Readonly<Record<string, unknown>>;

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
): ReadOptions<Some> {
  const { baseUrl } = typed;
  if (typed['target'] !== undefined && baseUrl !== undefined)
    throw new UsageProblem('--target and --base-url name two targets: give one');
  if (typed['name'] !== undefined && baseUrl === undefined)
    throw new UsageProblem('--name names the target of --base-url: give its address');
  const named = typed['target'] ?? (baseUrl === undefined ? sources.settings?.values.target : undefined);
  if (named === undefined && baseUrl === undefined) refuseForgottenTarget(sources);
  const name = typeof named === 'string' ? named : 'petstore';
  const isReference = baseUrl === undefined && (named === undefined || /^reference$/i.test(name));
  const misnamed = isReference ? [] : misnamedVariables(name, options, sources);
  try {
    return { ...readFor({ named, name, isReference }, command, options, typed, sources), misnamed };
  } catch (error) {
    if (!(error instanceof UsageProblem) || misnamed.length === 0) throw error;
    const message = /[.?]$/.test(error.message) ? error.message : `${error.message}.`;
    throw new UsageProblem([message, ...misnamed].join(' '), { cause: error });
  }
}

interface Chosen {
  /** Undefined for a target that has only an address. */
  readonly named: unknown;
  readonly name: string;
  readonly isReference: boolean;
}

function readFor<const Some extends Options>(
  { named, name, isReference }: Chosen,
  command: string,
  options: Some,
  typed: CommandLine['typed'],
  sources: Sources,
): Request<OptionValues<Some>> {
  // An address that was typed is that of no target of the file.
  const ofName = named === undefined ? '' : name;
  const file = settingsFor(sources.settings, isReference ? undefined : ofName);
  const ofFile = Object.fromEntries(Object.entries(file.values).filter(([option]) => option in options));
  const ofEnvironment = isReference ? {} : valuesTyped(options, textsOf(options, name, sources));
  const configured = over(ofFile, ofEnvironment);
  if (named !== undefined && !isReference && configured['baseUrl'] === undefined)
    throw notConfigured(name, sources);
  const given = over(configured, valuesTyped(options, typed));
  const nameOf = (option: string): string => {
    const { variable } = factsOf(options, option);
    const flag = `--${flagOf(options, option)}`;
    if (typed[option] !== undefined) return flag;
    if (option in ofFile && !(option in ofEnvironment) && sources.settings)
      return `${ofTargetIn(file.ownTarget, option)} in ${sources.settings.name}`;
    const isVariable = !isReference && (named !== undefined || option === 'apiKey' || option in configured);
    return variable !== undefined && isVariable ? variableOf(name, variable) : flag;
  };
  const values = checkOptions(options, given, ([option = '']) => nameOf(option));
  const { plans, allowWrites, ...ofTarget } = values as TargetValues & {
    plans?: PlanName[];
    allowWrites?: boolean;
    name?: string;
  };
  if (ofTarget.readOnly && allowWrites)
    throw new UsageProblem('--read-only and --allow-writes contradict each other: give one');
  const planKeys = plans && !isReference ? planKeysFor(plans, name, sources) : undefined;
  const targetName = named === undefined ? (ofTarget.name ?? 'target') : name.toLowerCase();
  const production = isReference
    ? undefined
    : productionOf(targetName, ofTarget.baseUrl, addressesOf(sources));
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

/**
 * What one source gives, and below it another. A key, or a plan with its limits, is one thing: it comes from the upper
 * source as a whole.
 */
function over(lower: Given, upper: Given): Record<string, unknown> {
  const kept: Record<string, unknown> = { ...lower };
  if (upper['apiKeyFile'] !== undefined) delete kept['apiKey'];
  if (upper['apiKey'] !== undefined) delete kept['apiKeyFile'];
  const plan = upper['plan'] ?? lower['plan'];
  if (typeof plan === 'string' && plan !== 'enterprise') {
    delete kept['perMinute'];
    delete kept['perDay'];
  }
  return { ...kept, ...upper };
}

function ofTargetIn(target: string | undefined, option: string): string {
  return target === undefined ? option : `targets.${target}.${option}`;
}

/** The addresses of all targets that are known here. */
function addressesOf({ values, settings }: Sources): Addresses {
  const ofFile = Object.entries(settings?.values.targets ?? {}).flatMap(([name, { baseUrl }]) =>
    baseUrl === undefined ? [] : [[name, baseUrl] as const],
  );
  return [...addressesIn(values), ...ofFile];
}

/** The texts of a target's variables; an empty one is not set. */
function textsOf(options: Options, target: string, { values }: Environment): Record<string, string> {
  const texts = Object.keys(options).flatMap((option) => {
    const { variable } = factsOf(options, option);
    const text = variable === undefined ? '' : (values[variableOf(target, variable)]?.trim() ?? '');
    return text === '' ? [] : [[option, text] as const];
  });
  return Object.fromEntries(texts);
}

/**
 * A run without a target judges the embedded reference service: who has configured a target means that one.
 * @throws UsageProblem that names it
 */
function refuseForgottenTarget({ settings, values }: Sources): void {
  const inFile = Object.keys(settings?.values.targets ?? {});
  const [name = values['PETSTORE_BASE_URL']?.trim() ? 'petstore' : undefined] = inFile;
  if (name === undefined) return;
  const reason = inFile.length > 0 && settings ? `${settings.name} has targets` : 'PETSTORE_BASE_URL is set';
  throw new UsageProblem(
    `${reason}, but no target is named: add --target=${name}, or --target=reference for a self-check`,
  );
}

function notConfigured(name: string, sources: Sources): UsageProblem {
  const where = sources.hasFile
    ? 'in .env or the environment'
    : 'in the environment, and there is no .env here (petstore-conformance init writes an example)';
  const near = didYouMean(name, [...addressesOf(sources).map(([known]) => known), 'reference']);
  return new UsageProblem(
    `the target ${name} is not configured: ${variableOf(name, 'BASE_URL')} is not set ${where}.${near}`,
  );
}

const { apiKey, perMinute, perDay } = targetOptions;
const ofPlanKey = { apiKey, perMinute, perDay };

/** @throws UsageProblem for a plan that no key is configured for. */
function planKeysFor(names: readonly PlanName[], target: string, environment: Environment): PlanKey[] {
  const nameOf = (plan: PlanName, option: string): string =>
    variableOf(`${target}-${plan}`, factsOf(ofPlanKey, option).variable ?? option);
  const given = names.map((plan) => {
    const texts = textsOf(ofPlanKey, `${target}-${plan}`, environment);
    const { apiKey, ...limits } = checkOptions(ofPlanKey, valuesTyped(ofPlanKey, texts), ([option = '']) =>
      nameOf(plan, option),
    );
    if (apiKey === undefined)
      throw new UsageProblem(`there is no key for the plan ${plan}: set ${nameOf(plan, 'apiKey')}`);
    return [plan, { apiKey, ...(plan === 'enterprise' ? limits : {}) }] as const;
  });
  return planKeysOf(Object.fromEntries(given), nameOf, (plan) => nameOf(plan, 'apiKey'));
}
