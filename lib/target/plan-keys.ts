import type { PlanKeyOption, targetOptions } from '../options/run-options.js';
import { planNames, plans, type Plan, type PlanName } from '../specification/plan.js';
import type { OptionValues } from '../usage/options-schema.js';
import { UsageProblem } from '../usage/usage-problem.js';
import { variableOf } from './environment.js';
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
  if (perMinute !== undefined && perDay !== undefined) return { name: plan, perMinute, perDay };
  throw new UsageProblem(
    `the enterprise plan has no limits of its own: set ${nameOf('perMinute')} and ${nameOf('perDay')}`,
  );
}

/**
 * The keys of several plans of one target.
 * @param target What their variables begin with.
 * @param nameOf How a value of a plan's key is called: `STAGING_FREE_API_KEY`, or `planKeys.free.apiKey` in a program.
 * @throws UsageProblem for Enterprise without its limits, and for one key of two plans.
 */
export function planKeysOf(
  given: Readonly<Partial<Record<PlanName, PlanKeyOption>>>,
  nameOf: (plan: PlanName, option: string) => string,
  target: string,
): PlanKey[] {
  const seen = new Set<string>();
  return planNames.flatMap((name) => {
    const key = given[name];
    const plan = key && planOf({ plan: name, ...key }, (option) => nameOf(name, option));
    if (!plan) return [];
    if (seen.has(key.apiKey))
      throw new UsageProblem(
        `${nameOf(name, 'apiKey')} is the key of another plan, too: each plan needs a key of its own`,
      );
    seen.add(key.apiKey);
    return [{ plan, apiKey: key.apiKey, variable: variableOf(`${target}-${name}`, 'API_KEY') }];
  });
}
