import { execFile, execFileSync, type StdioOptions } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { ConnectOptions } from '../http/connection/connector.js';
import { proxyFor } from '../http/connection/proxy.js';
import { keyVariable, nameOfKeyFile, type KeyName } from '../http/exchange/credential.js';
import type { Destination } from '../http/exchange/planned-request.js';
import { errorCode } from '../explain/error-code.js';
import { UsageProblem } from '../explain/usage-problem.js';
import { plans, type Plan } from '../specification/plan.js';
import type { Environment } from './environment.js';
import { checkOptions, type OptionValues } from './option.js';
import { maybeSecret, targetOptions, type scopeOptions } from './run-options.js';

/** What is said of a target, by a program or by a command line and an environment. */
export type TargetValues = OptionValues<typeof targetOptions & Pick<typeof scopeOptions, 'readOnly'>>;

/** A target as a run needs it: what its options say, and what follows from that. */
export interface Target
  extends
    Pick<TargetValues, 'otherApiKey' | 'categoryId'>,
    Pick<Destination, 'baseUrl' | 'headers' | 'caFile' | 'certFiles'>,
    Pick<ConnectOptions, 'ca' | 'clientCertificate'> {
  readonly name: string;
  readonly apiKey: string;
  /** How a shell command names the key; by default `$PETSTORE_API_KEY`. */
  readonly keyName?: KeyName | undefined;
  /** Gets another key, if this one runs out. */
  readonly renewKey?: (() => Promise<string | undefined>) | undefined;
  readonly plan: Plan;
  /** False if no plan was given: requests are paced as on the Free plan, and RATE-04 is not judged. */
  readonly planGiven: boolean;
  /** The variable that holds the second key; by default `PETSTORE_OTHER_API_KEY`. */
  readonly otherKeyVariable?: string | undefined;
  /** Milliseconds within which a created animal must be listed. */
  readonly consistencyMs: number;
  /** Milliseconds for one request as a whole. */
  readonly deadlineMs: number;
  readonly readOnly: boolean;
  /** The production target that it is, as a message names it. */
  readonly production?: string | undefined;
  /** Source addresses of this machine, the vantage points of LIMIT-15; connections come from the first. */
  readonly localAddresses?: readonly string[] | undefined;
  /** Those of the further headers that may be credentials: their values are written nowhere. */
  readonly secretHeaders?: Destination['headers'];
  /** How the options are called that a message tells the user to look at: `STAGING_API_KEY`, `--plan`. */
  readonly optionNames?: Readonly<Record<'baseUrl' | 'apiKey' | 'plan', string>> | undefined;
}

/** The variables that stand for a target's keys in what is recorded. */
export function keyVariablesOf({ keyName, otherKeyVariable }: Target): { own: string; other: string } {
  return { own: keyName?.variable ?? keyVariable, other: otherKeyVariable ?? 'PETSTORE_OTHER_API_KEY' };
}

/** What may be said of the embedded reference service, too. */
const ofAnyTarget = new Set(['plan', 'localAddress', 'acceptShortKey', 'header']);

/**
 * The target that is asked for; undefined if it is the embedded reference service.
 * @throws UsageProblem for a target without a key, a plan without its limits, a CA certificate that can't be read.
 */
export function targetOf(
  name: string,
  values: TargetValues,
  nameOf: NameOf,
  environment: Environment = {},
): Target | undefined {
  const { baseUrl, header: headers, ca: caFile, cert: certFile, key: keyFile } = values;
  if (baseUrl === undefined) {
    const given = Object.entries(values).find(
      ([option, value]) => value !== undefined && option in targetOptions && !ofAnyTarget.has(option),
    );
    if (given === undefined) return undefined;
    throw new UsageProblem(
      `${nameOf(given[0])} needs ${nameOf('baseUrl')}: the reference service has its own keys and limits`,
    );
  }
  const [source, second] = keySources.filter((one) => values[one] !== undefined);
  if (source === undefined)
    throw new UsageProblem(`${nameOf('baseUrl')} needs a key: set ${nameOf('apiKey')}`);
  if (second !== undefined)
    throw new UsageProblem(`${nameOf(source)} and ${nameOf(second)} both give a key: give one`);
  const plan = planOf(values, nameOf);
  // A proxy that can't be used is told before anything is sent.
  proxyFor(new URL(baseUrl), environment);
  const ca = pemIn(nameOf('ca'), caFile, 'CERTIFICATE');
  const cert = pemIn(nameOf('cert'), certFile, 'CERTIFICATE');
  const key = pemIn(nameOf('key'), keyFile, 'PRIVATE KEY');
  if ((cert === undefined) !== (key === undefined))
    throw new UsageProblem(`${nameOf('cert')} and ${nameOf('key')} belong together: give both`);
  return {
    name,
    baseUrl,
    ...keyOf(source, values[source] ?? '', nameOf(source)),
    plan: plan ?? plans.free,
    planGiven: plan !== undefined,
    otherApiKey: values.otherApiKey,
    categoryId: values.categoryId,
    consistencyMs: values.consistencyMs ?? 2_000,
    deadlineMs: values.deadlineMs ?? 10_000,
    readOnly: values.readOnly === true,
    localAddresses: values.localAddress,
    headers: headers?.map(headerOf),
    secretHeaders: headers?.filter((line) => maybeSecret.test(line)).map(headerOf),
    otherKeyVariable: variableIn(nameOf('otherApiKey')),
    optionNames: { baseUrl: nameOf('baseUrl'), apiKey: nameOf(source), plan: nameOf('plan') },
    ca,
    caFile,
    clientCertificate: cert && key ? { cert, key } : undefined,
    certFiles: certFile && keyFile ? [certFile, keyFile] : undefined,
  };
}

/**
 * The plan of a key; undefined if none was given.
 * @throws UsageProblem for Enterprise without its limits (section 8: agreed individually), and for limits of another plan.
 */
export function planOf({ plan, perMinute, perDay }: TargetValues, nameOf: NameOf): Plan | undefined {
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

function headerOf(line: string): readonly [name: string, value: string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}

/** The PEM text in a file that an option names. @throws UsageProblem for one that can't be read, or has nothing of the kind. */
function pemIn(option: string, path: string | undefined, label: 'CERTIFICATE' | 'PRIVATE KEY') {
  const pem = path === undefined ? undefined : textIn(option, path);
  if (pem?.includes(`${label}-----`) === false)
    throw new UsageProblem(
      `${option}: ${path} has no PEM ${label.toLowerCase()} ("-----BEGIN ${label}-----")`,
    );
  return pem;
}

/** How the option is called that gives a value, or could: `--plan`, `STAGING_PLAN`, or `plan` in a program. */
type NameOf = (option: string) => string;

/** Milliseconds that a command may take to print a key. */
const longestCommandMs = 60_000;

const keySources = ['apiKey', 'apiKeyFile', 'apiKeyCommand'] as const;

/**
 * The key that an option gives. A command names it by its file, command or variable; a key that was typed is named by the
 * usual variable.
 * @throws UsageProblem if the option gives no key
 */
function keyOf(source: (typeof keySources)[number], given: string, option: string) {
  const variable = variableIn(option);
  if (source === 'apiKey') return { apiKey: given, keyName: variable ? { variable } : undefined };
  const schema = { apiKey: targetOptions.apiKey.unwrap() };
  const keyIn = (text: string): string =>
    checkOptions(schema, { apiKey: text }, () => `the key in ${option}`).apiKey;
  if (source === 'apiKeyFile') return { apiKey: keyIn(textIn(option, given)), keyName: nameOfKeyFile(given) };
  /** Gets another one, in the place of one that has run out; undefined if the command gives none. */
  const renewKey = async (): Promise<string | undefined> =>
    promisify(execFile)('/bin/sh', ['-c', given], { timeout: longestCommandMs }).then(
      ({ stdout }) => keyIn(stdout),
      () => undefined,
    );
  const keyName = { variable: keyVariable, shell: `$(${given})` };
  return { apiKey: keyIn(outputOf(option, given)), keyName, renewKey };
}

/** The variable that an option is, if it is one: `STAGING_API_KEY`. */
function variableIn(name: string): string | undefined {
  return /^[A-Z_][A-Z\d_]*$/u.test(name) ? name : undefined;
}

/** What a command of the shell prints. @throws UsageProblem if it fails; its own complaints are seen on stderr. */
function outputOf(option: string, command: string): string {
  try {
    const stdio: StdioOptions = ['ignore', 'pipe', 'inherit'];
    return execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8', stdio, timeout: longestCommandMs });
  } catch (error) {
    throw new UsageProblem(`${option}: the command failed and gave no key`, { cause: error });
  }
}

/** What a file holds. @throws UsageProblem */
function textIn(option: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageProblem(`${option}: ${file} can't be read (${errorCode(error)})`, { cause: error });
  }
}
