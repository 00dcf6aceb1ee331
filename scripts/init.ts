import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import installs from '../docs/init/installs.json' with { type: 'json' };
import { checkCommandLine, invocationOf } from '../lib/options/command-line.js';
import { startOptions, targetOptions } from '../lib/options/run-options.js';
import { readSources, settingsName } from '../lib/options/sources.js';
import { checkOptions, oneOf, onOff, option } from '../lib/options/option.js';
import { packageFile, suiteVersion } from '../lib/run/suite-name.js';
import { planNames } from '../lib/specification/plan.js';
import { print } from './run-command.js';

/** What never belongs in a repository: keys, and what runs leave behind. */
const ignored = ['.env', 'reports/runs/'];

const options = {
  start: startOptions.start,
  plan: option(oneOf(planNames), 'PLAN', 'of the key: free (default), pro, business'),
  overwrite: onOff('replace files that are there'),
};

/** `init ADDRESS`: the settings of a repository, an example of its environment, and a workflow, from `docs/init`. */
export async function main(argv: readonly string[]): Promise<number> {
  const summary = 'Writes the settings of a repository, .env.example and a workflow.';
  const { values, operands } = checkCommandLine(argv, {
    name: 'init',
    operands: 'ADDRESS',
    summary,
    options,
  });
  const { start, plan = 'free', overwrite } = values;
  const { baseUrl } = checkOptions(targetOptions, { baseUrl: operands[0] }, () => 'the address');
  // A text in JSON is one in YAML.
  const said = { baseUrl, plan, start: start && JSON.stringify(start) };
  write(settingsName, filled(settingsName, said), overwrite);
  write('.env.example', filled('env.example'), overwrite);
  const text = textOf('.gitignore');
  const missing = ignored.filter((line) => !text.split(/\r?\n/).includes(line));
  if (missing.length === 0) print('left .gitignore as it is\n');
  else write('.gitignore', `${text}${/(?:^|\n)$/.test(text) ? '' : '\n'}${missing.join('\n')}\n`, true);
  const isInstalled = /"(?:node_modules\/)?petstore-conformance"/.test(textOf('package-lock.json'));
  const workflow = filled('workflow.yml', commandsOf(readdirSync('.'), isInstalled, start));
  write('.github/workflows/petstore-conformance.yml', workflow, overwrite);
  const { PETSTORE_API_KEY: key } = (await readSources()).values;
  const run = invocationOf('test').replace(/ --$/, '');
  return print(`\nNow run:\n  ${key === undefined ? 'PETSTORE_API_KEY=… ' : ''}${run}\n`);
}

/**
 * What a job runs: how the service is installed, if the job starts it, and the suite. A lock file goes before others.
 * @param files the names of the files in the folder
 * @param isInstalled the suite is one of the packages that the folder's lock file has
 */
export function commandsOf(files: readonly string[], isInstalled: boolean, start: string | undefined) {
  const [, install] = Object.entries(installs).find(([name]) => files.includes(name)) ?? [];
  return {
    install: start !== undefined || isInstalled ? install : undefined,
    suite: isInstalled ? 'npx petstore-conformance' : `npx --yes petstore-conformance@${suiteVersion}`,
  };
}

/** A file of `docs/init` with values in the place of their names. A line whose value is missing goes. */
function filled(file: string, values: Readonly<Record<string, string | undefined>> = {}): string {
  const text = readFileSync(packageFile(`docs/init/${file}`), 'utf8');
  return text.replaceAll(/^(.*)<(\w+)>\n/gm, (_, before: string, name: string) =>
    values[name] === undefined ? '' : `${before}${values[name]}\n`,
  );
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** Writes a file that is not there; one that is there is left alone, unless it may be replaced. */
function write(path: string, text: string, overwrite = false): void {
  if (!overwrite && existsSync(path)) {
    print(`left ${path} as it is (--overwrite replaces it)\n`);
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  print(`wrote ${path}\n`);
}
