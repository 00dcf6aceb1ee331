import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { errorCode } from '../usage/error-code.js';
import { checkOptions, factsOf, option, text, type OptionValues } from '../usage/options-schema.js';
import { UsageProblem } from '../usage/usage-problem.js';
import { commandLineOptions, serviceOptions } from './command-line-options.js';
import { scopeOptions, targetDetails, targetOptions } from './run-options.js';

/**
 * The settings that a repository keeps, in `petstore-conformance.config.yaml` or `.json`: options by the names that they
 * have in a program, for every run or for one target. Keys never stand in it, nor what must be said anew for each run.
 */

const { apiKey: _key, otherApiKey: _otherKey, baseUrl, ...ofKey } = targetOptions;
const { observeBanKey: _banKey, resume: _resume, ...scope } = scopeOptions;
const { report: reports, waivers, maxWaiverDays, plans } = commandLineOptions;

const ofTarget = { ...ofKey, ...targetDetails, ...serviceOptions };
const ofEveryRun = { ...scope, plans, reports, waivers, maxWaiverDays };
const settings = {
  /** For editors. */
  $schema: option(text, {}),
  /** The target of a run that names none. */
  target: option(text, { help: 'the target of a run that names none' }),
  /** Targets by name. */
  targets: option(
    z.record(
      z.string(),
      z.strictObject({ baseUrl, ...ofTarget, ...ofEveryRun }, 'must be an object'),
      'must be an object',
    ),
    {
      help: 'targets by name; what is said of one of them goes before what is said of all',
    },
  ),
  ...ofTarget,
  ...ofEveryRun,
};

type Settings = OptionValues<typeof settings>;

/** The settings of a folder. */
export interface SettingsFile {
  /** Its name, for messages. */
  readonly name: string;
  readonly values: Settings;
}

const names = ['json', 'yaml', 'yml'].map((ending) => `petstore-conformance.config.${ending}`);

/**
 * Reads the settings of a folder; undefined if it has none.
 * @throws UsageProblem for a file that can't be read, a setting that is unknown or wrong, a key, and for two files.
 */
export async function readSettings(folder: string): Promise<SettingsFile | undefined> {
  const found = names.flatMap((name) => {
    const content = contentOf(join(folder, name), name);
    return content === undefined ? [] : [{ name, content }];
  });
  const [file, other] = found;
  if (!file) return undefined;
  if (other) throw new UsageProblem(`${file.name} and ${other.name} both hold settings: keep one`);
  return { name: file.name, values: await settingsIn(file.content, file.name) };
}

function contentOf(path: string, name: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new UsageProblem(`${name} can't be read (${errorCode(error)})`, { cause: error });
  }
}

/** The settings in a text, YAML or JSON. The reader of YAML is loaded if there is one: a run without waits for nothing. */
export async function settingsIn(content: string, name: string): Promise<Settings> {
  const { parseYaml } = await import('./yaml-text.js');
  const parsed = parseYaml(content, name) ?? {};
  refuseKeys(parsed, name);
  try {
    return checkOptions(settings, parsed);
  } catch (error) {
    if (error instanceof UsageProblem) throw new UsageProblem(`${name}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** @throws UsageProblem for a key at any place, whose value the message leaves out. */
function refuseKeys(value: unknown, name: string, path: readonly string[] = []): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (/^(?!.*file$).*(?:key|token|secret|password)/i.test(key) && key !== 'acceptShortKey')
      throw new UsageProblem(
        `${name}: ${[...path, key].join('.')} holds a key, which must not stand in a repository: take it out, set it in the environment or in .env (STAGING_API_KEY is that of the target staging), and replace it if it was ever committed`,
      );
    refuseKeys(inner, name, [...path, key]);
  }
}

/** What the file says of one target, and of every run; of the embedded reference service, only the latter. */
export function settingsFor(
  file: SettingsFile | undefined,
  target: string | undefined,
): { readonly values: Readonly<Record<string, unknown>>; readonly ownTarget: string | undefined } {
  if (!file) return { values: {}, ownTarget: undefined };
  const { $schema: _, target: __, targets = {}, ...all } = file.values;
  const ownTarget = Object.keys(targets).find((name) => name.toLowerCase() === target?.toLowerCase());
  const own = ownTarget === undefined ? {} : targets[ownTarget];
  const { reports, ...values } = { ...all, ...own };
  const given = Object.entries({ ...values, report: reports }).filter(
    ([name, value]) =>
      value !== undefined && (target !== undefined || !(name in ofTarget) || name === 'plan'),
  );
  return { values: Object.fromEntries(given), ownTarget };
}

/** The file as JSON Schema, for editors. */
export function settingsSchema(): object {
  const schema = z.toJSONSchema(z.strictObject(settings), {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const { help } = factsOf({ schema: zodSchema as unknown as z.ZodType }, 'schema');
      if (help !== undefined) jsonSchema.description = help;
    },
  });
  return { title: 'Settings of petstore-conformance', ...schema };
}
