import { knownTargets, variableOf, type Environment } from '../target/environment.js';
import { planKeysOf } from '../target/plan-keys.js';
import { isProduction, targetOf, type TargetOption, type TargetValues } from '../target/read-target.js';
import type { PlanKey, Target } from '../target/target.js';
import type { PlanName } from '../specification/plan.js';
import { valuesTyped, type CommandLine } from '../usage/command-line.js';
import { didYouMean } from '../usage/nearest-name.js';
import { checkOptions, factsOf, flagOf, valueOf, type Options, type OptionValues } from '../usage/option.js';
import { UsageProblem } from '../usage/usage-problem.js';
import { planKeyOptions, targetDetails, type PlanKeyOption } from './run-options.js';

/** What a command line asks for, completed from the environment of the target that it names. */
export interface ReadOptions<Some extends Options> {
  readonly values: OptionValues<Some & typeof targetDetails>;
  /** Undefined for the embedded reference service. */
  readonly target: Target | undefined;
  readonly planKeys: readonly PlanKey[] | undefined;
  /** `--plan` or `STAGING_PLAN`: where a value was given, or could be. */
  readonly nameOf: (option: string) => string;
}

/**
 * Reads the options of a command line and, for those that it does not give, the variables of its target.
 * @throws UsageProblem for a value that is not valid, and a target that is not configured.
 */
export function readOptions<const Some extends Options>(
  options: Some,
  { typed }: CommandLine,
  environment: Environment,
): ReadOptions<Some> {
  const all = { ...options, ...targetDetails };
  const { target: named } = typed;
  if (named !== undefined && typed['baseUrl'] !== undefined)
    throw new UsageProblem('--target and --base-url name two targets: give one');
  const isReference =
    typed['baseUrl'] === undefined && (typeof named !== 'string' || /^reference$/i.test(named));
  const name = typeof named === 'string' ? named : 'petstore';
  const configured = isReference ? {} : configuredTexts(all, name, typed, environment);
  const nameOf = (option: string): string => {
    const { variable } = factsOf(all, option);
    const isVariable = !isReference && (named !== undefined || option === 'apiKey' || option in configured);
    return variable !== undefined && isVariable && typed[option] === undefined
      ? variableOf(name, variable)
      : `--${flagOf(all, option)}`;
  };
  const given = valuesTyped(all, { ...configured, ...typed });
  const values = checkOptions(all, given, ([option = '']) => nameOf(option));
  const { plans, readOnly, allowWrites } = values as {
    plans?: PlanName[];
    readOnly?: true;
    allowWrites?: true;
  };
  if (readOnly && allowWrites)
    throw new UsageProblem('--read-only and --allow-writes contradict each other: give one');
  const planKeys = plans && !isReference ? planKeysFor(plans, name, environment) : undefined;
  const targetName = named === undefined ? 'target' : name.toLowerCase();
  const target = targetOf(
    targetName,
    { ...(values as TargetValues), readOnly: readOnly ?? (isProduction(targetName) && !allowWrites) },
    nameOf satisfies (option: TargetOption) => string,
    { planKeys: planKeys ?? [], environment: environment.values },
  );
  return { values, target, planKeys, nameOf };
}

/** The texts of a target's variables; an empty one is not set. */
function configuredTexts(
  options: Options,
  name: string,
  typed: CommandLine['typed'],
  environment: Environment,
): Record<string, string> {
  const { values, hasFile } = environment;
  const texts = Object.keys(options).flatMap((option): Array<[string, string]> => {
    const { variable } = factsOf(options, option);
    const value = variable === undefined ? undefined : values[variableOf(name, variable)]?.trim();
    return value === undefined || value === '' ? [] : [[option, value]];
  });
  const { baseUrl, perMinute, perDay, ...others } = Object.fromEntries(texts);
  if (typed['baseUrl'] === undefined && baseUrl === undefined) {
    const where = hasFile
      ? 'in .env or the environment'
      : 'in the environment, and there is no .env here (.env.example shows one)';
    const near = didYouMean(name, [...knownTargets(environment), 'reference']);
    throw new UsageProblem(
      `the target ${name} is not configured: ${variableOf(name, 'BASE_URL')} is not set ${where}.${near}`,
    );
  }
  // The limits in the environment belong to the Enterprise plan: another plan on the command line has its own.
  const plan = typed['plan'] ?? others['plan'];
  const isEnterprise = plan === undefined || (typeof plan === 'string' && /^enterprise$/i.test(plan));
  return {
    ...others,
    ...(baseUrl === undefined || typed['baseUrl'] !== undefined ? {} : { baseUrl }),
    ...(isEnterprise && perMinute !== undefined ? { perMinute } : {}),
    ...(isEnterprise && perDay !== undefined ? { perDay } : {}),
  };
}

/** @throws UsageProblem for a plan that no key is configured for. */
function planKeysFor(names: readonly PlanName[], target: string, { values }: Environment): PlanKey[] {
  const variables = { apiKey: 'API_KEY', perMinute: 'PER_MINUTE', perDay: 'PER_DAY' } as const;
  type Variable = keyof typeof variables;
  const variable = (plan: PlanName, what: string): string =>
    variableOf(target, `${plan.toUpperCase()}_${variables[what as Variable]}`);
  const given = names.map((plan): [PlanName, PlanKeyOption] => {
    const wanted: readonly Variable[] =
      plan === 'enterprise' ? ['apiKey', 'perMinute', 'perDay'] : ['apiKey'];
    const texts = wanted.flatMap((what) => {
      const text = values[variable(plan, what)];
      return text ? [[what, valueOf(planKeyOptions[what], text)]] : [];
    });
    if (texts[0]?.[0] !== 'apiKey')
      throw new UsageProblem(`there is no key for the plan ${plan}: set ${variable(plan, 'apiKey')}`);
    return [
      plan,
      checkOptions(planKeyOptions, Object.fromEntries(texts), ([what = '']) => variable(plan, what)),
    ];
  });
  return planKeysOf(Object.fromEntries(given), variable, (plan) => variable(plan, 'apiKey'));
}
