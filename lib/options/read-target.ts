import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { nameOfKeyFile, type KeyName } from '../http/exchange/credential.js';
import { proxyFor } from '../http/connection/proxy.js';
import { isLoopback } from '../http/connection/loopback.js';
import { errorCode } from '../explain/error-code.js';
import { UsageProblem } from '../explain/usage-problem.js';
import { plans, type Plan } from '../specification/plan.js';
import type { Environment } from './environment.js';
import { checkOptions, type OptionValues } from './option.js';
import { planOf, type NameOf } from './plan-keys.js';
import { maybeSecret, targetOptions, type scopeOptions } from './run-options.js';
import type { PlanKey, Target } from './target.js';

/** What is said of a target, by a program or by a command line and an environment. */
export type TargetValues = OptionValues<typeof targetOptions & Pick<typeof scopeOptions, 'readOnly'>>;

/** What may be said of the embedded reference service, too. */
const ofAnyTarget = new Set(['plan', 'localAddress', 'acceptShortKey', 'header']);

/**
 * The target that is asked for; undefined if it is the embedded reference service.
 * @param planKeys If the target has no key of its own, the key of the largest of these plans serves.
 * @throws UsageProblem for a target without a key, a plan without its limits, a CA certificate that can't be read.
 */
export function targetOf(
  name: string,
  values: TargetValues,
  nameOf: NameOf,
  planKeys: readonly PlanKey[] = [],
  environment: Environment = {},
): Target | undefined {
  const { baseUrl, insecure } = values;
  if (baseUrl === undefined) {
    const given = Object.entries(values).find(
      ([option, value]) => value !== undefined && option in targetOptions && !ofAnyTarget.has(option),
    );
    if (given === undefined) return undefined;
    throw new UsageProblem(
      `${nameOf(given[0])} needs ${nameOf('baseUrl')}: the reference service has its own keys and limits`,
    );
  }
  const key = keyOf(values, nameOf) ?? keyOfLargest(planKeys);
  if (!key) throw new UsageProblem(`${nameOf('baseUrl')} needs a key: set ${nameOf('apiKey')}`);
  const plan = planOf(values, nameOf) ?? key.plan;
  const url = new URL(baseUrl);
  if (insecure && !isLoopback(url.hostname))
    throw new UsageProblem(`${nameOf('insecure')} is for loopback targets only: set ${nameOf('ca')} instead`);
  checkProxy(url, environment);
  return {
    name,
    baseUrl,
    apiKey: key.apiKey,
    plan: plan ?? plans.free,
    planGiven: plan !== undefined,
    otherApiKey: values.otherApiKey,
    categoryId: values.categoryId,
    consistencyMs: values.consistencyMs ?? 2_000,
    deadlineMs: values.deadlineMs ?? 10_000,
    readOnly: values.readOnly === true,
    localAddresses: values.localAddress,
    headers: values.header?.map(headerOf),
    secretHeaders: values.header?.filter((line) => maybeSecret.test(line)).map(headerOf),
    keyName: key.name,
    otherKeyVariable: variableIn(nameOf('otherApiKey')),
    optionNames: { baseUrl: nameOf('baseUrl'), apiKey: key.option, plan: nameOf('plan') },
    ca: values.ca === undefined ? undefined : certificateIn(nameOf('ca'), values.ca),
    caFile: values.ca,
    insecure,
  };
}

interface Key {
  readonly apiKey: string;
  /** How the option is called that gives it. */
  readonly option: string;
  /** How a command names it: by its file, command or variable. A key that was typed is named by the usual variable. */
  readonly name: KeyName | undefined;
  /** Of a key that is configured for one plan. */
  readonly plan?: Plan;
}

/** @throws UsageProblem for two sources of a key, and for one that gives none. */
function keyOf(values: TargetValues, nameOf: NameOf): Key | undefined {
  const { apiKey, apiKeyFile: file, apiKeyCommand: command } = values;
  const given = (['apiKey', 'apiKeyFile', 'apiKeyCommand'] as const).filter(
    (one) => values[one] !== undefined,
  );
  if (given.length > 1)
    throw new UsageProblem(`${given.map(nameOf).join(' and ')} both give a key: give one`);
  const option = nameOf(given[0] ?? 'apiKey');
  const variable = variableIn(nameOf('apiKey'));
  const ofVariable = variable === undefined ? undefined : { variable };
  if (command !== undefined) {
    const { variable } = nameOfKeyFile('');
    return {
      apiKey: keyIn(option, outputOf(option, command)),
      option,
      name: { variable, shell: `$(${command})` },
    };
  }
  if (file !== undefined) {
    const text = file === '-' ? textIn(option, 0) : textIn(option, file);
    return { apiKey: keyIn(option, text), option, name: file === '-' ? ofVariable : nameOfKeyFile(file) };
  }
  return apiKey === undefined ? undefined : { apiKey, option, name: ofVariable };
}

/** @throws UsageProblem for a text that is not a key. */
function keyIn(option: string, text: string): string {
  const schema = { key: targetOptions.apiKey.unwrap() };
  return checkOptions(schema, { key: text }, () => `the key in ${option}`).key;
}

/** What a command of the shell prints. @throws UsageProblem if it fails; its own complaints are seen on stderr. */
function outputOf(option: string, command: string): string {
  try {
    const stdio = ['ignore', 'pipe', 'inherit'] as const;
    return execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8', stdio: [...stdio], timeout: 60_000 });
  } catch (error) {
    throw new UsageProblem(`${option}: the command failed and gave no key`, { cause: error });
  }
}

function keyOfLargest(planKeys: readonly PlanKey[]): Key | undefined {
  const [largest] = planKeys.toSorted((one, other) => other.plan.perMinute - one.plan.perMinute);
  if (!largest) return undefined;
  const { apiKey, plan, variable } = largest;
  return { apiKey, plan, option: variable, name: { variable } };
}

function headerOf(line: string): readonly [name: string, value: string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
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
function checkProxy(url: URL, environment: Environment): void {
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
