import { targetOptions } from './run-options.js';
import { planNames, plans, type Plan, type PlanName } from '../specification/plan.js';
import { valuesTyped } from './command-line.js';
import { checkOptions, factsOf, type OptionValues } from './options-schema.js';
import { UsageProblem } from '../explain/usage-problem.js';
import { textsOf, variableOf, type Environment } from './environment.js';
import type { PlanKey } from './target.js';

/** How the option is called that gives a value, or could: `--plan`, `STAGING_PLAN`, or `plan` in a program. */
export type NameOf<Option extends string = string> = (option: Option) => string;

type PlanOption = 'plan' | 'perMinute' | 'perDay';
type PlanValues = OptionValues<Pick<typeof targetOptions, PlanOption>>;

/**
 * The plan of a key; undefined if none was given.
 * @throws UsageProblem for Enterprise without its limits (section 8: agreed individually), and for limits of another plan.
 */
export function planOf(
  { plan, perMinute, perDay }: PlanValues,
  nameOf: NameOf<PlanOption>,
): Plan | undefined {
  if (plan !== 'enterprise' && (perMinute ?? perDay) !== undefined) {
    const given = nameOf(perMinute === undefined ? 'perDay' : 'perMinute');
    throw new UsageProblem(
      `${given} needs ${nameOf('plan')}: enterprise. The other plans have limits of their own`,
    );
  }
  if (plan !== 'enterprise') return plan && plans[plan];
  return enterprisePlan({ perMinute, perDay }, nameOf);
}

function enterprisePlan(
  { perMinute, perDay }: Omit<PlanValues, 'plan'>,
  nameOf: NameOf<'perMinute' | 'perDay'>,
): Plan {
  if (perMinute !== undefined && perDay !== undefined) return { name: 'enterprise', perMinute, perDay };
  throw new UsageProblem(
    `the enterprise plan has no limits of its own: set ${nameOf('perMinute')} and ${nameOf('perDay')}`,
  );
}

const { apiKey, perMinute, perDay } = targetOptions;
const ofPlanKey = { apiKey, perMinute, perDay };

/**
 * The keys of several plans of one target, from their variables: `STAGING_FREE_API_KEY`.
 * @throws UsageProblem for a plan without a key, Enterprise without its limits, and one key of two plans.
 */
export function planKeysOf(names: readonly PlanName[], target: string, environment: Environment): PlanKey[] {
  const keys = planNames
    .filter((name) => names.includes(name))
    .map((name) => {
      const ofPlan = `${target}-${name}`;
      const nameOf = (option: string): string =>
        variableOf(ofPlan, factsOf(ofPlanKey, option).variable ?? option);
      const values = checkOptions(
        ofPlanKey,
        valuesTyped(ofPlanKey, textsOf(ofPlanKey, ofPlan, environment)),
        ([option = '']) => nameOf(option),
      );
      const variable = nameOf('apiKey');
      if (values.apiKey === undefined)
        throw new UsageProblem(`there is no key for the plan ${name}: set ${variable}`);
      const plan = name === 'enterprise' ? enterprisePlan(values, nameOf) : plans[name];
      return { plan, apiKey: values.apiKey, variable };
    });
  for (const [index, { apiKey, variable }] of keys.entries())
    if (keys.findIndex((other) => other.apiKey === apiKey) < index)
      throw new UsageProblem(`${variable} is the key of another plan, too: each plan needs a key of its own`);
  return keys;
}
