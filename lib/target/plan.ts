import { oneOf, wholeNumberOf } from '../usage/numbers.js';
import { UsageProblem } from '../usage/usage-problem.js';
import { planNames, plans, type Plan } from '../specification/plans.js';

/** Where a plan's name and figures were said, for messages. */
export interface PlanText {
  readonly plan: string | undefined;
  readonly perMinute: string | undefined;
  readonly perDay: string | undefined;
  readonly names: { readonly plan: string; readonly perMinute: string; readonly perDay: string };
}

/**
 * The plan of a key; undefined where none was said.
 * @throws UsageProblem for an unknown plan, and for Enterprise without its figures (section 8: agreed individually).
 */
export function planOf({ plan, perMinute, perDay, names }: PlanText): Plan | undefined {
  if (plan === undefined) {
    if (perMinute === undefined && perDay === undefined) return undefined;
    throw new UsageProblem(`${names.perMinute} and ${names.perDay} go with ${names.plan} enterprise`);
  }
  const name = oneOf(names.plan, plan, planNames);
  if (name !== 'enterprise') return plans[name];
  if (perMinute === undefined || perDay === undefined) {
    throw new UsageProblem(
      `the enterprise plan has no figures of its own: give ${names.perMinute} and ${names.perDay}`,
    );
  }
  return {
    name,
    perMinute: wholeNumberOf(names.perMinute, perMinute, 1, 1_000_000),
    perDay: wholeNumberOf(names.perDay, perDay, 1, 1_000_000_000),
  };
}
