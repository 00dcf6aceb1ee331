import { readFileSync } from 'node:fs';
import { nameOfKeyFile, type KeyName } from '../http/exchange/credential.js';
import { proxyFor } from '../http/connection/proxy.js';
import { isLoopback } from '../http/connection/loopback.js';
import { targetDetails, targetOptions, type scopeOptions } from './run-options.js';
import { plans, type Plan } from '../specification/plan.js';
import { checkOptions, type OptionValues } from './options-schema.js';
import { UsageProblem } from '../explain/usage-problem.js';
import type { Environment } from './environment.js';
import { planOf, type NameOf } from './plan-keys.js';
import type { PlanKey, Target } from './target.js';
import { errorCode } from '../explain/error-code.js';

/** What is said of a target, by a program or by a command line and an environment. */
export type TargetValues = OptionValues<
  typeof targetOptions & typeof targetDetails & Pick<typeof scopeOptions, 'readOnly'>
>;
export type TargetOption = keyof TargetValues;

/** What may be said of the embedded reference service, too. */
const ofAnyTarget = new Set(['plan', 'localAddress', 'acceptShortKey']);
const ofGivenTarget = Object.keys({ ...targetOptions, ...targetDetails }).filter(
  (option) => !ofAnyTarget.has(option),
) as TargetOption[];

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
  const key = keyOf(values, nameOf) ?? keyOfLargest(planKeys);
  if (!key) throw new UsageProblem(`${nameOf('baseUrl')} needs a key: set ${nameOf('apiKey')}`);
  const plan = planOf(values, nameOf) ?? key.plan;
  const { otherApiKey, categoryId, consistencyMs = 2_000, deadlineMs = 10_000, insecure } = values;
  const url = new URL(baseUrl);
  if (insecure && !isLoopback(url.hostname))
    throw new UsageProblem(`${nameOf('insecure')} is for loopback targets only: set ${nameOf('ca')} instead`);
  const ca = values.ca === undefined ? undefined : certificateIn(nameOf('ca'), values.ca);
  checkProxy(url, environment);
  return {
    name,
    baseUrl,
    apiKey: key.apiKey,
    plan: plan ?? plans.free,
    planGiven: plan !== undefined,
    otherApiKey,
    categoryId,
    consistencyMs,
    deadlineMs,
    readOnly: values.readOnly === true,
    localAddresses: values.localAddress,
    keyName: key.name,
    otherKeyVariable: variableIn(nameOf('otherApiKey')),
    optionNames: { baseUrl: nameOf('baseUrl'), apiKey: key.option, plan: nameOf('plan') },
    ca,
    caFile: values.ca,
    insecure,
  };
}

interface Key {
  readonly apiKey: string;
  /** How the option is called that gives it. */
  readonly option: string;
  /** How a command names it: by the file or the variable that holds it. A key given otherwise is named by no variable. */
  readonly name: KeyName | undefined;
  /** Of a key that is configured for one plan. */
  readonly plan?: Plan;
}

/** @throws UsageProblem for a file that can't be read, or whose text is not a key. */
function keyOf({ apiKey, apiKeyFile }: TargetValues, nameOf: NameOf<TargetOption>): Key | undefined {
  const variable = variableIn(nameOf('apiKey'));
  const ofVariable = variable === undefined ? undefined : { variable };
  if (apiKeyFile === undefined)
    return apiKey === undefined ? undefined : { apiKey, option: nameOf('apiKey'), name: ofVariable };
  const option = nameOf('apiKeyFile');
  if (apiKey !== undefined)
    throw new UsageProblem(`${nameOf('apiKey')} and ${option} both give a key: give one`);
  const isInput = apiKeyFile === '-';
  const text = textIn(option, isInput ? 0 : apiKeyFile);
  const key = checkOptions(
    { key: targetOptions.apiKey.unwrap() },
    { key: text },
    () => `the key in ${option}`,
  ).key;
  return { apiKey: key, option, name: isInput ? ofVariable : nameOfKeyFile(apiKeyFile) };
}

function keyOfLargest(planKeys: readonly PlanKey[]): Key | undefined {
  const [largest] = planKeys.toSorted((one, other) => other.plan.perMinute - one.plan.perMinute);
  if (!largest) return undefined;
  const { apiKey, plan, variable } = largest;
  return { apiKey, plan, option: variable, name: { variable } };
}

function variableIn(name: string): string | undefined {
  return /^[A-Z_][A-Z\d_]*$/u.test(name) ? name : undefined;
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
