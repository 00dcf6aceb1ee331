import { proxyFor } from '../http/connection/proxy.js';
import { UsageProblem } from '../explain/usage-problem.js';
import { plans, type Plan } from '../specification/plan.js';
import type { Environment } from './environment.js';
import { keyOf, textIn, variableIn, type NameOf } from './key.js';
import type { OptionValues } from './option.js';
import { maybeSecret, targetOptions, type scopeOptions } from './run-options.js';
import type { Target } from './target.js';

/** What is said of a target, by a program or by a command line and an environment. */
export type TargetValues = OptionValues<typeof targetOptions & Pick<typeof scopeOptions, 'readOnly'>>;

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
  const { baseUrl, header: headers } = values;
  if (baseUrl === undefined) {
    const given = Object.entries(values).find(
      ([option, value]) => value !== undefined && option in targetOptions && !ofAnyTarget.has(option),
    );
    if (given === undefined) return undefined;
    throw new UsageProblem(
      `${nameOf(given[0])} needs ${nameOf('baseUrl')}: the reference service has its own keys and limits`,
    );
  }
  const own = keyOf(values, nameOf);
  if (!own) throw new UsageProblem(`${nameOf('baseUrl')} needs a key: set ${nameOf('apiKey')}`);
  const plan = planOf(values, nameOf);
  // A proxy that can't be used is told before anything is sent.
  proxyFor(new URL(baseUrl), environment);
  const cert = pemIn(nameOf('cert'), values.cert, 'certificate');
  const key = pemIn(nameOf('key'), values.key, 'private key');
  if ((cert === undefined) !== (key === undefined))
    throw new UsageProblem(`${nameOf('cert')} and ${nameOf('key')} belong together: give both`);
  return {
    name,
    baseUrl,
    apiKey: own.apiKey,
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
    keyName: own.name,
    renewKey: own.renew,
    otherKeyVariable: variableIn(nameOf('otherApiKey')),
    optionNames: { baseUrl: nameOf('baseUrl'), apiKey: own.option, plan: nameOf('plan') },
    ca: pemIn(nameOf('ca'), values.ca, 'certificate'),
    caFile: values.ca,
    clientCertificate: cert && key ? { cert, key } : undefined,
    certFiles: values.cert && values.key ? [values.cert, values.key] : undefined,
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
function pemIn(
  option: string,
  path: string | undefined,
  kind: 'certificate' | 'private key',
): string | undefined {
  if (path === undefined) return undefined;
  const pem = textIn(option, path);
  const label = kind.toUpperCase();
  if (pem.includes(`${label}-----`)) return pem;
  throw new UsageProblem(`${option}: ${path} has no PEM ${kind} ("-----BEGIN ${label}-----")`);
}
