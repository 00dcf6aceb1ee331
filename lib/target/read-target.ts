import { readFileSync } from 'node:fs';
import { nameOfKeyFile, type KeyName } from '../http/exchange/credential.js';
import { proxyFor } from '../http/connection/proxy.js';
import { isLoopback } from '../http/connection/tls.js';
import { targetOptions, type scopeOptions, type targetDetails } from '../options/run-options.js';
import { plans } from '../specification/plan.js';
import { checkOptions, type OptionValues } from '../usage/options-schema.js';
import { UsageProblem } from '../usage/usage-problem.js';
import type { Environment } from './environment.js';
import { planOf, type NameOf } from './plan-keys.js';
import type { PlanKey, Target } from './target.js';
import { errorCode } from '../usage/error-code.js';

/** What is said of a target, by a program or by a command line and an environment. */
export type TargetValues = OptionValues<
  typeof targetOptions & typeof targetDetails & Pick<typeof scopeOptions, 'readOnly'>
>;
export type TargetOption = keyof TargetValues;

/** What only a target that the user gives has. */
const ofGivenTarget = [
  'apiKey',
  'apiKeyFile',
  'otherApiKey',
  'perMinute',
  'perDay',
  'ca',
  'insecure',
  'categoryId',
  'deadlineMs',
  'consistencyMs',
] as const;

/**
 * The target that is asked for; undefined if it is the embedded reference service.
 * @param planKeys If the target has no key of its own, the key of the largest of these plans serves.
 * @throws UsageProblem for a target without a key, a plan without its limits, a CA certificate that can't be read.
 */
export function targetOf(
  name: string,
  values: TargetValues,
  nameOf: NameOf<TargetOption>,
  planKeys: readonly PlanKey[] = [],
  environment: Environment['values'] = {},
): Target | undefined {
  const { baseUrl } = values;
  if (baseUrl === undefined) {
    const given = ofGivenTarget.find((option) => values[option] !== undefined);
    if (given === undefined) return undefined;
    throw new UsageProblem(
      `${nameOf(given)} needs ${nameOf('baseUrl')}: the reference service has its own keys and limits`,
    );
  }
  const largest = planKeys.toSorted((one, other) => other.plan.perMinute - one.plan.perMinute)[0];
  const ownKey = keyOf(values, nameOf);
  const plan = planOf(values, nameOf) ?? (ownKey === undefined ? largest?.plan : undefined);
  const apiKey = ownKey ?? largest?.apiKey;
  if (apiKey === undefined)
    throw new UsageProblem(`${nameOf('baseUrl')} needs a key: set ${nameOf('apiKey')}`);
  const { otherApiKey, categoryId, consistencyMs = 2_000, deadlineMs = 10_000, insecure } = values;
  const url = new URL(baseUrl);
  if (insecure && !isLoopback(url.hostname))
    throw new UsageProblem(`${nameOf('insecure')} is for loopback targets only: set ${nameOf('ca')} instead`);
  const ca = values.ca === undefined ? undefined : certificateIn(nameOf('ca'), values.ca);
  checkProxy(url, environment);
  return {
    name,
    baseUrl,
    apiKey,
    plan: plan ?? plans.free,
    planGiven: plan !== undefined,
    otherApiKey,
    categoryId,
    consistencyMs,
    deadlineMs,
    readOnly: values.readOnly === true,
    localAddresses: values.localAddress,
    keyName: keyNameOf(values, nameOf, largest),
    otherKeyVariable: variableIn(nameOf('otherApiKey')),
    optionNames: {
      baseUrl: nameOf('baseUrl'),
      apiKey:
        ownKey === undefined
          ? (largest?.variable ?? '')
          : nameOf(values.apiKey === undefined ? 'apiKeyFile' : 'apiKey'),
      plan: nameOf('plan'),
    },
    ca,
    caFile: values.ca,
    insecure,
  };
}

/** How a command names the key: by the file or the variable that holds it. A key given otherwise is named by no variable. */
function keyNameOf(
  { apiKey, apiKeyFile }: TargetValues,
  nameOf: NameOf<TargetOption>,
  largest: PlanKey | undefined,
): KeyName | undefined {
  if (apiKeyFile !== undefined && apiKeyFile !== '-') return nameOfKeyFile(apiKeyFile);
  const isOfPlan = apiKey === undefined && apiKeyFile === undefined;
  const variable = isOfPlan ? largest?.variable : variableIn(nameOf('apiKey'));
  return variable === undefined ? undefined : { variable };
}

function variableIn(name: string): string | undefined {
  return /^[A-Z_][A-Z\d_]*$/u.test(name) ? name : undefined;
}

/** @throws UsageProblem for a file that can't be read, or whose text is not a key. */
function keyOf({ apiKey, apiKeyFile }: TargetValues, nameOf: NameOf<TargetOption>): string | undefined {
  if (apiKeyFile === undefined) return apiKey;
  const option = nameOf('apiKeyFile');
  if (apiKey !== undefined)
    throw new UsageProblem(`${nameOf('apiKey')} and ${option} both give a key: give one`);
  const text = textIn(option, apiKeyFile === '-' ? 0 : apiKeyFile);
  return checkOptions({ apiKey: targetOptions.apiKey }, { apiKey: text }, () => `the key in ${option}`)
    .apiKey;
}

/** @throws UsageProblem */
function textIn(option: string, file: string | 0): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const name = file === 0 ? 'standard input' : file;
    throw new UsageProblem(`${option}: ${name} can't be read (${errorCode(error)})`, { cause: error });
  }
}

/** @throws UsageProblem for a proxy in the environment that is not a URL. */
function checkProxy(url: URL, environment: Environment['values']): void {
  try {
    proxyFor(url, environment);
  } catch (error) {
    throw new UsageProblem(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** @throws UsageProblem for a file that can't be read, or has no certificate. */
function certificateIn(option: string, path: string): string {
  const pem = textIn(option, path);
  if (pem.includes('-----BEGIN CERTIFICATE-----')) return pem;
  throw new UsageProblem(`${option}: ${path} has no PEM certificate ("-----BEGIN CERTIFICATE-----")`);
}
