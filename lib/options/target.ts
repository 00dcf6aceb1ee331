import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { proxyFor, type ConnectOptions } from '../http/connection/connector.js';
import { shellWord } from '../evidence/curl.js';
import { keyVariable, otherKeyVariable, type KeyName } from '../http/exchange/credential.js';
import type { Destination } from '../http/exchange/planned-request.js';
import { refuse, textIn, UsageProblem } from '../explain/usage-problem.js';
import { plans, type Plan } from '../specification/plan.js';
import type { Environment } from './sources.js';
import { checkOptions, type Given, type OptionValues } from './option.js';
import {
  keyOptions,
  maybeSecret,
  targetOptions,
  type permissions,
  type scopeOptions,
} from './run-options.js';

/** What is said of a target, by a program or by a command line and an environment. */
export type TargetValues = OptionValues<
  typeof targetOptions & Pick<typeof scopeOptions, 'readOnly'> & Pick<typeof permissions, 'allowWrites'>
>;

/** A target as a run needs it: what its options say, and what follows from that. */
export interface Target
  extends
    Given<TargetValues, 'baseUrl' | 'apiKey' | 'consistencyMs' | 'deadlineMs' | 'readOnly'>,
    Pick<TargetValues, 'otherApiKey' | 'categoryId'>,
    Pick<Destination, 'headers' | 'caFile' | 'certFiles'>,
    Pick<ConnectOptions, 'ca' | 'clientCertificate' | 'environment'> {
  readonly name: string;
  /** How a shell command names the key; by default `$PETSTORE_API_KEY`. */
  readonly keyName?: KeyName | undefined;
  /** Gets another key, if this one runs out. */
  readonly renewKey?: (() => Promise<string | undefined>) | undefined;
  readonly plan: Plan;
  /** False if no plan was given: requests are paced as on the Free plan, and RATE-04 is not judged. */
  readonly planGiven: boolean;
  /** The variable that holds the second key; by default `PETSTORE_OTHER_API_KEY`. */
  readonly otherKeyVariable?: string | undefined;
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
export function keyVariablesOf(target: Target): { own: string; other: string } {
  return {
    own: target.keyName?.variable ?? keyVariable,
    other: target.otherKeyVariable ?? otherKeyVariable,
  };
}

/** How the option is called that gives a value, or could: `--plan`, `STAGING_PLAN`, or `plan` in a program. */
export type NameOf = (option: string) => string;

/** What may be said of the embedded reference service, too. */
const ofAnyTarget = new Set(['plan', 'localAddress', 'acceptShortKey', 'header']);

/**
 * The target that is asked for; undefined if it is the embedded reference service.
 * @throws UsageProblem for a target without a key, a plan without its limits, a CA certificate that can't be read.
 */
export async function targetOf(
  name: string,
  values: TargetValues,
  nameOf: NameOf,
  environment: Environment = {},
): Promise<Target | undefined> {
  const { baseUrl, header: headers, ca: caFile, cert: certFile, key: keyFile } = values;
  if (baseUrl === undefined) {
    const other = Object.keys(values).find((one) => one in targetOptions && !ofAnyTarget.has(one));
    if (other === undefined) return undefined;
    throw new UsageProblem(
      `${nameOf(other)} needs ${nameOf('baseUrl')}: the reference service has its own keys and limits`,
    );
  }
  const [source, second] = keyOptions.filter((one) => values[one] !== undefined);
  if (source === undefined)
    throw new UsageProblem(`${nameOf('baseUrl')} needs a key: set ${nameOf('apiKey')}`);
  // A proxy that can't be used is told before anything is sent.
  const proxy = proxyFor(new URL(baseUrl), environment);
  refuse(
    second !== undefined && `${nameOf(source)} and ${nameOf(second)} both give a key: give one`,
    (certFile === undefined) !== (keyFile === undefined) &&
      `${nameOf('cert')} and ${nameOf('key')} belong together: give both`,
    values.localAddress !== undefined &&
      proxy !== undefined &&
      `${nameOf('localAddress')} has no effect through a proxy, whose address the target sees: name the target's host in NO_PROXY`,
  );
  const production = /^\W*(?:prod|live)/i.test(name) ? `the production target ${name}` : undefined;
  const plan = planOf(values, nameOf);
  const ca = pemIn(nameOf('ca'), caFile, 'CERTIFICATE');
  const cert = pemIn(nameOf('cert'), certFile, 'CERTIFICATE');
  const key = pemIn(nameOf('key'), keyFile, 'PRIVATE KEY');
  return {
    name,
    baseUrl,
    environment,
    ...(await keyOf(source, values[source] ?? '', nameOf(source))),
    plan: plan ?? plans.free,
    planGiven: plan !== undefined,
    otherApiKey: values.otherApiKey,
    categoryId: values.categoryId,
    consistencyMs: values.consistencyMs ?? 2_000,
    deadlineMs: values.deadlineMs ?? 10_000,
    // Nothing is created at a target of production, and no load sent, unless the user allows it.
    readOnly: values.readOnly ?? (production !== undefined && values.allowWrites !== true),
    production,
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
  if (plan === 'enterprise') {
    if (perMinute !== undefined && perDay !== undefined) return { name: plan, perMinute, perDay };
    throw new UsageProblem(
      `the enterprise plan has no limits of its own: set ${nameOf('perMinute')} and ${nameOf('perDay')}`,
    );
  }
  const given = perMinute === undefined ? 'perDay' : 'perMinute';
  if ((perMinute ?? perDay) !== undefined)
    throw new UsageProblem(
      `${nameOf(given)} needs ${nameOf('plan')}: enterprise. The other plans have limits of their own`,
    );
  return plan && plans[plan];
}

function headerOf(line: string): readonly [name: string, value: string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}

/** The PEM text in a file that an option names. @throws UsageProblem for one that can't be read, or has nothing of the kind. */
function pemIn(option: string, path: string | undefined, label: 'CERTIFICATE' | 'PRIVATE KEY') {
  const pem = path === undefined ? undefined : textIn(path, `${option}: ${path}`);
  refuse(
    pem?.includes(`${label}-----`) === false && `${option}: ${path} has no "-----BEGIN ${label}-----" (PEM)`,
  );
  return pem;
}

/** Milliseconds that a command may take to print a key. */
const timeout = 60_000;

/**
 * The key that an option gives. A command names it by its file, command or variable; a key that was typed is named by the
 * usual variable.
 * @throws UsageProblem if the option gives no key
 */
async function keyOf(source: (typeof keyOptions)[number], given: string, option: string) {
  const variable = variableIn(option);
  if (source === 'apiKey') return { apiKey: given, keyName: variable ? { variable } : undefined };
  const isFile = source === 'apiKeyFile';
  const schema = { apiKey: targetOptions.apiKey.unwrap() };
  const read = async (): Promise<string> => {
    const text = isFile ? textIn(given, `${option}: ${given}`) : await outputOf(given, option);
    return checkOptions(schema, { apiKey: text }, () => `the key in ${option}`).apiKey;
  };
  return {
    apiKey: await read(),
    keyName: { variable: keyVariable, shell: isFile ? `$(cat ${shellWord(given)})` : `$(${given})` },
    /** Gets another one, in the place of one that has run out; undefined if there is none. */
    renewKey: async () => read().catch(() => undefined),
  };
}

/** What a command of the shell prints. @throws UsageProblem if it fails; its own complaints are seen on stderr. */
async function outputOf(command: string, option: string): Promise<string> {
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'inherit'], timeout });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  refuse(code !== 0 && `${option}: the command failed and gave no key`);
  return output;
}

/** The variable that an option is, if it is one: `STAGING_API_KEY`. */
function variableIn(name: string): string | undefined {
  return /^[A-Z_][A-Z\d_]*$/u.test(name) ? name : undefined;
}
