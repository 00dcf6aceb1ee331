import { planNames, plans, type Plan, type PlanName } from '../specification/plan.js';
import { UsageProblem } from '../explain/usage-problem.js';
import { textsOf, variableOf, type Environment } from './environment.js';
import { checkOptions, valuesOf, type OptionValues } from './option.js';
import { targetOptions } from './run-options.js';
import type { PlanKey } from './target.js';

/** How the option is called that gives a value, or could: `--plan`, `STAGING_PLAN`, or `plan` in a program. */
export type NameOf = (option: string) => string;

const { apiKey, plan, perMinute, perDay } = targetOptions;
type PlanValues = OptionValues<{ plan: typeof plan; perMinute: typeof perMinute; perDay: typeof perDay }>;

/**
 * The plan of a key; undefined if none was given.
 * @throws UsageProblem for Enterprise without its limits (section 8: agreed individually), and for limits of another plan.
 */
export function planOf({ plan, perMinute, perDay }: PlanValues, nameOf: NameOf): Plan | undefined {
  const given = perMinute === undefined ? 'perDay' : 'perMinute';
  if (plan !== 'enterprise' && (perMinute ?? perDay) !== undefined)
    throw new UsageProblem(
      `${nameOf(given)} needs ${nameOf('plan')}: enterprise. The other plans have limits of their own`,
    );
  if (plan !== 'enterprise') return plan && plans[plan];
  if (perMinute !== undefined && perDay !== undefined) return { name: 'enterprise', perMinute, perDay };
  throw new UsageProblem(
    `the enterprise plan has no limits of its own: set ${nameOf('perMinute')} and ${nameOf('perDay')}`,
  );
}

const ofPlanKey = { apiKey, perMinute, perDay };

/**
 * The keys of several plans of one target, from their variables: `STAGING_FREE_API_KEY`.
 * @throws UsageProblem for a plan without a key, Enterprise without its limits, and one key of two plans.
 */
export function planKeysOf(names: readonly PlanName[], target: string, environment: Environment): PlanKey[] {
  const keys: PlanKey[] = [];
  for (const name of planNames.filter((one) => names.includes(one))) {
    const nameOf = (option: string): string => variableOf(`${target}-${name}`, option);
    const typed = valuesOf(ofPlanKey, textsOf(ofPlanKey, `${target}-${name}`, environment));
    const { apiKey, ...limits } = checkOptions(ofPlanKey, typed, ([option = '']) => nameOf(option));
    const variable = nameOf('apiKey');
    if (apiKey === undefined) throw new UsageProblem(`there is no key for the plan ${name}: set ${variable}`);
    if (keys.some((other) => other.apiKey === apiKey))
      throw new UsageProblem(`${variable} is the key of another plan, too: each plan needs a key of its own`);
    const ofEnterprise = name === 'enterprise' ? limits : {};
    keys.push({ plan: planOf({ plan: name, ...ofEnterprise }, nameOf) ?? plans.free, apiKey, variable });
  }
  return keys;
}
