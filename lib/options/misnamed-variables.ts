import { planNames } from '../specification/plan.js';
import { variableOf, type Environment } from '../target/environment.js';
import { didYouMean } from '../usage/nearest-name.js';
import { factsOf, type Options } from '../usage/options-schema.js';

/**
 * Variables of a target with names that mean nothing, and are near to one that does: `STAGING_BASEURL is not a setting. Did
 * you mean STAGING_BASE_URL?` Other programs have variables, too: what is near to nothing is theirs.
 */
export function misnamedVariables(
  target: string,
  options: Options,
  { values }: Pick<Environment, 'values'>,
): string[] {
  const own = Object.keys(options).flatMap((name) => factsOf(options, name).variable ?? []);
  const ofPlans = planNames.flatMap((plan) =>
    ['API_KEY', 'PER_MINUTE', 'PER_DAY'].map((what) => `${plan.toUpperCase()}_${what}`),
  );
  const prefix = variableOf(target, '');
  return Object.keys(values)
    .filter((name) => name.startsWith(prefix) && !own.some((variable) => name.endsWith(`_${variable}`)))
    .flatMap((name) => {
      const near = didYouMean(name.slice(prefix.length), [...own, ...ofPlans]);
      return near === '' ? [] : [`${name} is not a setting.${near.replace('mean ', `mean ${prefix}`)}`];
    });
}
