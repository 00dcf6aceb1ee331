import { readFileSync } from 'node:fs';
import { distance } from 'fastest-levenshtein';
import { wholeNumberOf } from '../usage/numbers.js';
import { didYouMean } from '../usage/nearest-name.js';
import { UsageProblem } from '../usage/usage-problem.js';
import { proxyFor } from '../http/connection/proxy.js';
import { isLoopback, tlsOptions } from '../http/connection/tls.js';
import type { Target } from './target.js';
import { plans } from '../specification/plans.js';
import type { Environment } from './environment.js';
import { planOf } from './plan.js';

/** What the command line says of the target. */
export interface TargetOptions {
  readonly target?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly otherApiKey?: string | undefined;
  readonly plan?: string | undefined;
  readonly perMinute?: string | undefined;
  readonly perDay?: string | undefined;
  readonly readOnly: boolean;
  readonly allowWrites: boolean;
  readonly ca?: string | undefined;
  readonly insecure: boolean;
}

/** So many characters may be wrong in a mistyped name. */
const mistyped = 3;
/** Milliseconds. */
const defaultConsistency = 2_000;
const defaultDeadline = 10_000;

/** The variable of a target: `STAGING_API_KEY` of `staging`. */
export function variableOf(target: string, what: string): string {
  return `${target.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}_${what}`;
}

/** The targets that the environment has an address for. */
export function knownTargets({ values }: Environment): string[] {
  return Object.keys(values)
    .flatMap((name) => /^([A-Z0-9_]+)_BASE_URL$/.exec(name)?.[1] ?? [])
    .map((name) => name.toLowerCase().replaceAll('_', '-'));
}

/**
 * The target that was asked for; undefined where it is the embedded reference service.
 * @throws UsageProblem for a target that is not configured, an address that is none, a plan that is none.
 */
export function resolveTarget(options: TargetOptions, environment: Environment): Target | undefined {
  const { target } = options;
  if (target !== undefined && options.baseUrl !== undefined)
    throw new UsageProblem('--target and --base-url name two targets: give one');
  if (options.baseUrl !== undefined) return onTheSpot(options, environment);
  if (target === undefined || target.toLowerCase() === 'reference') {
    checkReference(options);
    return undefined;
  }
  return configured(target, options, environment);
}

/** @throws UsageProblem for what would be passed over in silence. */
function checkReference({ apiKey, otherApiKey, perMinute, perDay, ca, insecure }: TargetOptions): void {
  const given = {
    'api-key': apiKey,
    'other-api-key': otherApiKey,
    'per-minute': perMinute,
    'per-day': perDay,
    ca,
    insecure: insecure || undefined,
  };
  const [name] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
  if (name === undefined) return;
  throw new UsageProblem(
    `--${name} goes with --base-url or --target: the reference service has its own keys and figures`,
  );
}

function onTheSpot(options: TargetOptions, { values }: Environment): Target {
  const apiKey = options.apiKey ?? values.PETSTORE_API_KEY;
  if (apiKey === undefined || apiKey === '')
    throw new UsageProblem('--base-url needs a key: set PETSTORE_API_KEY, or give --api-key');
  return build(
    {
      name: 'target',
      baseUrl: options.baseUrl ?? '',
      where: '--base-url',
      apiKey,
      variable: (what) => `PETSTORE_${what}`,
    },
    options,
    values,
  );
}

function configured(name: string, options: TargetOptions, environment: Environment): Target {
  const { values, hasFile } = environment;
  const variable = (what: string): string => variableOf(name, what);
  const baseUrl = values[variable('BASE_URL')];
  const known = knownTargets(environment);
  if (baseUrl === undefined || baseUrl === '') {
    const near = known.length > 0 || distance(name.toLowerCase(), 'reference') <= mistyped;
    const nearest = near ? didYouMean(name, [...known, 'reference']) : '';
    const file = hasFile
      ? 'in .env or the environment'
      : 'in the environment, and there is no .env here (.env.example shows one)';
    throw new UsageProblem(
      `the target ${name} is not configured: ${variable('BASE_URL')} is not set ${file}.${nearest}`,
    );
  }
  const apiKey = options.apiKey ?? values[variable('API_KEY')];
  if (apiKey === undefined || apiKey === '')
    throw new UsageProblem(`the target ${name} has no key: set ${variable('API_KEY')}`);
  return build(
    { name: name.toLowerCase(), baseUrl, where: variable('BASE_URL'), apiKey, variable },
    options,
    values,
  );
}

interface Found {
  readonly name: string;
  readonly baseUrl: string;
  /** Where the address was said, for messages. */
  readonly where: string;
  readonly apiKey: string;
  readonly variable: (what: string) => string;
}

function build(found: Found, options: TargetOptions, values: Environment['values']): Target {
  const { name, variable } = found;
  const baseUrl = addressOf(found.where, found.baseUrl);
  const said = (option: string | undefined, what: string): string | undefined =>
    option ?? (values[variable(what)] || undefined);
  const own = { plan: options.plan, perMinute: options.perMinute, perDay: options.perDay };
  if (
    own.plan !== undefined &&
    own.plan.toLowerCase() !== 'enterprise' &&
    (own.perMinute ?? own.perDay) !== undefined
  ) {
    throw new UsageProblem(
      '--per-minute and --per-day go with --plan=enterprise: the other plans have figures of their own',
    );
  }
  const plan = planOf({
    plan: said(own.plan, 'PLAN'),
    // The figures go with the plan: those of the environment are not of a plan on the command line, unless it is the same.
    perMinute: said(own.perMinute, 'PER_MINUTE'),
    perDay: said(own.perDay, 'PER_DAY'),
    names:
      (own.plan ?? own.perMinute ?? own.perDay) === undefined
        ? { plan: variable('PLAN'), perMinute: variable('PER_MINUTE'), perDay: variable('PER_DAY') }
        : { plan: '--plan', perMinute: '--per-minute', perDay: '--per-day' },
  });
  const category = values[variable('CATEGORY_ID')];
  const milliseconds = (what: string, otherwise: number): number => {
    const text = values[variable(what)];
    return text === undefined || text === '' ? otherwise : wholeNumberOf(variable(what), text, 0, 600_000);
  };
  const caFile = said(options.ca, 'CA');
  const ca =
    caFile === undefined ? undefined : fileOf(options.ca === undefined ? variable('CA') : '--ca', caFile);
  if (options.insecure && !isLoopback(new URL(baseUrl).hostname)) {
    throw new UsageProblem('--insecure is for loopback targets alone: give the authority with --ca=FILE');
  }
  checkConnection(new URL(baseUrl), ca, values);
  const otherApiKey = said(options.otherApiKey, 'OTHER_API_KEY');
  return {
    name,
    baseUrl,
    apiKey: keyOf('key', found.apiKey),
    plan: plan ?? plans.free,
    planGiven: plan !== undefined,
    otherApiKey: otherApiKey === undefined ? undefined : keyOf('other key', otherApiKey),
    categoryId:
      category === undefined || category === '' ? undefined : categoryOf(variable('CATEGORY_ID'), category),
    consistencyMs: milliseconds('CONSISTENCY_MS', defaultConsistency),
    deadlineMs: milliseconds('DEADLINE_MS', defaultDeadline) || defaultDeadline,
    readOnly: options.readOnly || (isProduction(name) && !options.allowWrites),
    ca,
    insecure: options.insecure,
  };
}

/** A target that is precious: nothing is created there, and no load sent, unless it is said. */
export function isProduction(name: string): boolean {
  return name.toLowerCase() === 'production';
}

/** @throws UsageProblem for what is no address over http or https. */
function addressOf(where: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    // What is nothing like an address may be the key, in the wrong place.
    const said = /:\/\/|^[a-z\d.-]+:\d/i.test(text) ? `: ${JSON.stringify(text)}` : '';
    throw new UsageProblem(`${where} is no address${said} (expected http://host/v1 or https://host/v1)`);
  }
  if (url.username !== '' || url.password !== '')
    throw new UsageProblem(`${where} holds a user or a password: the key goes into the Authorization header`);
  if (url.search !== '' || url.hash !== '')
    throw new UsageProblem(`${where} holds a query or a fragment: paths are added behind it`);
  return url.href.replace(/\/+$/, '');
}

/** @throws UsageProblem for a key that no header could carry. */
function keyOf(which: string, text: string): string {
  const key = text.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new UsageProblem(
    `the ${which} holds characters that an Authorization header can not carry (a space, a line break, or none of ASCII)`,
  );
}

function categoryOf(variable: string, text: string): bigint {
  if (/^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)) return BigInt(text);
  throw new UsageProblem(`${variable} is to be a 64-bit integer, not ${JSON.stringify(text)}`);
}

/** @throws UsageProblem for an authority that holds no certificate, and for a proxy of the environment that is no address. */
function checkConnection(origin: URL, ca: string | undefined, environment: Environment['values']): void {
  try {
    tlsOptions(origin.hostname, ca, false);
    proxyFor(origin, environment);
  } catch (error) {
    throw new UsageProblem(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function fileOf(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new UsageProblem(`${option}: ${path} can't be read (${code})`, { cause: error });
  }
}
