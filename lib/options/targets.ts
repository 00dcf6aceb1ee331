import { didYouMean } from '../explain/nearest-name.js';
import { UsageProblem } from '../explain/usage-problem.js';
import { variableOf, type Environment } from './environment.js';
import type { Typed } from './option.js';
import { settingsName, type Settings } from './settings-file.js';

/** Where options come from beside the command line. */
export interface Sources {
  readonly values: Environment;
  readonly settings?: Settings | undefined;
}

/** The target that a command line means. */
export interface Chosen {
  /** What its variables begin with. */
  readonly name: string;
  /** False for a target that has only an address. */
  readonly isNamed: boolean;
  readonly isReference: boolean;
}

/**
 * A run without a target judges the embedded reference service: who has configured a target means that one.
 * @throws UsageProblem for two targets, for one that is not configured, and for none if some are configured.
 */
export function chosenTarget(typed: Typed, sources: Sources): Chosen {
  const hasAddress = typed['baseUrl'] !== undefined;
  if (hasAddress && typed['target'] !== undefined)
    throw new UsageProblem('--target and --base-url name two targets: give one');
  if (hasAddress) return { name: 'petstore', isNamed: false, isReference: false };
  const known = knownTargets(sources);
  const name = typed['target'] ?? sources.settings?.target;
  if (typeof name !== 'string') {
    if (known.length === 0) return { name: 'petstore', isNamed: false, isReference: true };
    throw new UsageProblem(
      `no target is named, but there are some (${known.join(', ')}): add --target=${known[0]}, or --target=reference for a self-check`,
    );
  }
  const isReference = /^reference$/i.test(name);
  const variable = variableOf(name, 'baseUrl');
  if (isReference || known.some((one) => variableOf(one, 'baseUrl') === variable))
    return { name, isNamed: true, isReference };
  const names = [...known, 'reference'];
  throw new UsageProblem(
    `the target ${name} is not configured; known are ${names.join(', ')}.${didYouMean(name, names)} Set ${variable} in the environment or in .env, or give it in ${settingsName}`,
  );
}

/** The names of the targets that the folder and the environment configure. */
export function knownTargets(sources: Sources): string[] {
  return [...new Set(addressesIn(sources).map(([name]) => name))];
}

/** The addresses of all known targets, by their names: that of `staging-eu` is in `STAGING_EU_BASE_URL`. */
function addressesIn({ values, settings }: Sources): ReadonlyArray<readonly [name: string, baseUrl: string]> {
  const ofFile = Object.entries(settings?.targets ?? {}).map(([name, { baseUrl }]) => [name, baseUrl]);
  const ofEnvironment = Object.entries(values).map(([variable, text]) => [
    /^([A-Z0-9_]+)_BASE_URL$/.exec(variable)?.[1]?.toLowerCase().replaceAll('_', '-'),
    text?.trim(),
  ]);
  return [...ofFile, ...ofEnvironment].flatMap(([name, baseUrl]) =>
    name && baseUrl ? [[name, baseUrl]] : [],
  );
}

/**
 * The production target that is meant: nothing is created there, and no load sent, unless the user allows it. Its name begins
 * with `prod` or `live`, or it has the host of a target with such a name. Undefined if neither holds.
 */
export function productionOf(name: string, baseUrl: string, sources: Sources): string | undefined {
  const isPrecious = (one: string): boolean => /^\W*(?:prod|live)/i.test(one);
  if (isPrecious(name)) return `the production target ${name}`;
  const host = hostOf(baseUrl);
  const known = addressesIn(sources).find(
    ([other, address]) => isPrecious(other) && hostOf(address) === host,
  );
  return known && `${host} (the host of the production target ${known[0]})`;
}

/** Host and port: plain HTTP leads to the same service. */
function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host.replace(/\.(?=$|:)/, '') : baseUrl;
}
