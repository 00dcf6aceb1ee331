import { didYouMean } from '../explain/nearest-name.js';
import { UsageProblem } from '../explain/usage-problem.js';
import { reference, variableOf, type Environment } from './environment.js';
import type { Typed } from './option.js';
import { settingsName, type Settings } from './settings-file.js';

/** Where options come from beside the command line. */
export interface Sources {
  readonly values: Environment;
  readonly settings?: Settings | undefined;
}

/**
 * The name of the target that a command line means, undefined for one that has only an address. A run without a target judges
 * the embedded service, `reference`: who has configured a target means that one.
 * @throws UsageProblem for two targets, for one that is not configured, and for none if some are configured.
 */
export function chosenTarget(typed: Typed, sources: Sources): string | undefined {
  if (typed['baseUrl'] !== undefined) {
    if (typed['target'] === undefined) return undefined;
    throw new UsageProblem('--target and --base-url name two targets: give one');
  }
  const known = knownTargets(sources);
  const name = typed['target'] ?? sources.settings?.target;
  if (typeof name !== 'string') {
    if (known.length === 0) return reference;
    throw new UsageProblem(
      `no target is named, but there are some (${known.join(', ')}): add --target=${known[0]}, or --target=reference for a self-check`,
    );
  }
  if (name.toLowerCase() === reference) return reference;
  const variable = variableOf(name, 'baseUrl');
  if (known.some((one) => variableOf(one, 'baseUrl') === variable)) return name;
  const names = [...known, reference];
  throw new UsageProblem(
    `the target ${name} is not configured; known are ${names.join(', ')}.${didYouMean(name, names)} Set ${variable} in the environment or in .env, or give it in ${settingsName}`,
  );
}

/** The names of the targets that the folder and the environment configure: `STAGING_EU_BASE_URL` is that of `staging-eu`. */
export function knownTargets({ values, settings }: Sources): string[] {
  const ofFile = Object.entries(settings?.targets ?? {}).map(([name, { baseUrl }]) => [name, baseUrl]);
  const ofEnvironment = Object.entries(values).map(([variable, text]) => [
    /^([A-Z0-9_]+)_BASE_URL$/.exec(variable)?.[1]?.toLowerCase().replaceAll('_', '-'),
    text?.trim(),
  ]);
  const known = [...ofFile, ...ofEnvironment].flatMap(([name, baseUrl]) => (name && baseUrl ? [name] : []));
  return [...new Set(known)];
}

/** Whether nothing is created at a target, and no load sent, unless the user allows it: its name begins so. */
export function isProduction(name: string): boolean {
  return /^\W*(?:prod|live)/i.test(name);
}
