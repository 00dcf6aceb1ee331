import type { PlanName } from '../specification/plan.js';
import { knownTargets, variableOf, type Environment } from '../target/environment.js';
import { planKeysOf } from '../target/plan-keys.js';
import { isProduction, targetOf, type TargetValues } from '../target/read-target.js';
import type { PlanKey } from '../target/target.js';
import { readCommandLine, valuesTyped } from '../usage/command-line.js';
import { commandOf } from '../usage/command-text.js';
import { didYouMean } from '../usage/nearest-name.js';
import { checkOptions, factsOf, flagOf, type Options, type OptionValues } from '../usage/options-schema.js';
import { UsageProblem } from '../usage/usage-problem.js';
import { targetDetails, targetOptions } from './run-options.js';
import type { Request } from './run-request.js';

/** What a command line asks for. */
export type ReadOptions<Some extends Options> = Request<OptionValues<Some & typeof targetDetails>>;

/**
 * Reads the options of a command line and, for those that it does not give, the variables of its target.
 * @param command How the command is called, for the record.
 * @throws UsageProblem for a value that is not valid, and a target that is not configured.
 */
export function readOptions<const Some extends Options>(
  command: string,
  options: Some,
  argv: readonly string[],
  environment: Environment,
): ReadOptions<Some> {
  const all = { ...options, ...targetDetails };
  const { typed } = readCommandLine(argv, options);
  const { target: named, baseUrl } = typed;
  if (named !== undefined && baseUrl !== undefined)
    throw new UsageProblem('--target and --base-url name two targets: give one');
  const name = typeof named === 'string' ? named : 'petstore';
  const isReference = baseUrl === undefined && (named === undefined || /^reference$/i.test(name));
  const configured = isReference ? {} : textsOf(all, name, environment);
  if (named !== undefined && !isReference && configured['baseUrl'] === undefined)
    throw notConfigured(name, environment);
  // The limits in the environment are those of an Enterprise plan: another plan on the command line has its own.
  const { plan = configured['plan'] } = typed;
  if (typeof plan === 'string' && !/^enterprise$/i.test(plan)) {
    delete configured['perMinute'];
    delete configured['perDay'];
  }
  // A key on the command line is the one, however the environment gives another.
  if (typed['apiKeyFile'] !== undefined) delete configured['apiKey'];
  if (typed['apiKey'] !== undefined) delete configured['apiKeyFile'];
  const nameOf = (option: string): string => {
    const { variable } = factsOf(all, option);
    const isVariable = !isReference && (named !== undefined || option === 'apiKey' || option in configured);
    return variable !== undefined && isVariable && typed[option] === undefined
      ? variableOf(name, variable)
      : `--${flagOf(all, option)}`;
  };
  const given = valuesTyped(all, { ...configured, ...typed });
  const values = checkOptions(all, given, ([option = '']) => nameOf(option));
  const { plans, allowWrites, ...ofTarget } = values as TargetValues & {
    plans?: PlanName[];
    allowWrites?: boolean;
  };
  if (ofTarget.readOnly && allowWrites)
    throw new UsageProblem('--read-only and --allow-writes contradict each other: give one');
  const planKeys = plans && !isReference ? planKeysFor(plans, name, environment) : undefined;
  const targetName = named === undefined ? 'target' : name.toLowerCase();
  const readOnly = ofTarget.readOnly ?? (isProduction(targetName) && !allowWrites);
  const target = targetOf(targetName, { ...ofTarget, readOnly }, nameOf, planKeys, environment.values);
  return {
    values,
    target,
    planKeys,
    nameOf,
    command: commandOf(command, options, typed),
    environment: environment.values,
  };
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

function notConfigured(name: string, environment: Environment): UsageProblem {
  const where = environment.hasFile
    ? 'in .env or the environment'
    : 'in the environment, and there is no .env here (.env.example shows one)';
  const near = didYouMean(name, [...knownTargets(environment), 'reference']);
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
