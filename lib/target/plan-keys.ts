import { oneOf } from '../usage/numbers.js';
import { UsageProblem } from '../usage/usage-problem.js';
import type { PlanKey } from './target.js';
import { planNames, type PlanName } from '../specification/plans.js';
import type { Environment } from './environment.js';
import { planOf } from './plan.js';
import { variableOf } from './read-target.js';

/** @throws UsageProblem for a plan that is none, or one that is named twice. */
export function planList(text: string): PlanName[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const list = names.map((name) => oneOf('--plans', name, planNames));
  if (list.length === 0) throw new UsageProblem('--plans names no plan');
  if (new Set(list).size < list.length) throw new UsageProblem('--plans names a plan twice');
  return list;
}

/**
 * The keys of several plans of one target: `STAGING_FREE_API_KEY`, and for Enterprise its figures beside it.
 * @throws UsageProblem for a plan that no key is configured for, and for a key that stands for two plans.
 */
export function planKeys(target: string, names: readonly PlanName[], { values }: Environment): PlanKey[] {
  const keys = names.map((name): PlanKey => {
    const variable = (what: string): string => variableOf(target, `${name.toUpperCase()}_${what}`);
    const apiKey = values[variable('API_KEY')]?.trim();
    if (apiKey === undefined || apiKey === '')
      throw new UsageProblem(`there is no key for the plan ${name}: set ${variable('API_KEY')}`);
    const figures = {
      plan: `--plans=${name}`,
      perMinute: variable('PER_MINUTE'),
      perDay: variable('PER_DAY'),
    };
    const enterprise = name === 'enterprise';
    const plan = planOf({
      plan: name,
      perMinute: enterprise ? values[figures.perMinute] || undefined : undefined,
      perDay: enterprise ? values[figures.perDay] || undefined : undefined,
      names: figures,
    });
    if (!plan) throw new UsageProblem(`${name} is no plan`);
    return { plan, apiKey, variable: variable('API_KEY') };
  });
  const twice = keys.find(
    ({ apiKey }, index) => keys.findIndex((other) => other.apiKey === apiKey) !== index,
  );
  if (twice)
    throw new UsageProblem(
      `${twice.variable} is the key of another plan, too: each plan needs a key of its own`,
    );
  return keys;
}

/**
 * A target that has keys for plans and none of its own is asked with the key of the largest plan named.
 * @throws UsageProblem as `planKeys`.
 */
export function withKeyOfPlan(
  target: string | undefined,
  names: readonly PlanName[],
  environment: Environment,
): Environment {
  if (target === undefined || target.toLowerCase() === 'reference') return environment;
  const variable = (what: string): string => variableOf(target, what);
  if (environment.values[variable('API_KEY')] || !environment.values[variable('BASE_URL')])
    return environment;
  const keys = planKeys(target, names, environment);
  const { apiKey, plan } = keys.reduce((largest, key) =>
    key.plan.perMinute > largest.plan.perMinute ? key : largest,
  );
  return {
    ...environment,
    values: {
      ...environment.values,
      [variable('API_KEY')]: apiKey,
      [variable('PLAN')]: plan.name,
      [variable('PER_MINUTE')]: String(plan.perMinute),
      [variable('PER_DAY')]: String(plan.perDay),
    },
  };
}
