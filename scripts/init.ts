import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '../lib/explain/error-code.js';
import { UsageProblem } from '../lib/explain/usage-problem.js';
import { checkCommandLine, invocationOf } from '../lib/options/command-line.js';
import { startOptions } from '../lib/options/command-line-options.js';
import { readEnvironment } from '../lib/options/environment.js';
import { ignored, initialFiles } from '../lib/options/initial-files.js';
import { checkOptions, oneOf, onOff, option } from '../lib/options/option.js';
import { targetOptions } from '../lib/options/run-options.js';
import { suiteVersion } from '../lib/run/suite-name.js';
import { planNames } from '../lib/specification/plan.js';
import { print } from './run-command.js';

/** `init ADDRESS`: the settings of a repository, an example of its environment, and a workflow. */
export async function main(argv: readonly string[]): Promise<number> {
  const { values, operands } = checkCommandLine(argv, {
    name: invocationOf('init'),
    operands: 'ADDRESS',
    summary: 'Writes the settings of a repository, .env.example and a workflow.',
    options: {
      start: startOptions.start,
      plan: option(oneOf(planNames), 'PLAN', 'of the key: free (default), pro, business'),
      overwrite: onOff('replace files that are there'),
    },
  });
  const address = { address: targetOptions.baseUrl.unwrap() };
  const { start, plan = 'free', overwrite } = values;
  const files = initialFiles({
    baseUrl: checkOptions(address, { address: operands[0] }, () => 'the address').address,
    plan,
    start,
    version: suiteVersion,
    files: readdirSync('.'),
    isInstalled: /"(?:node_modules\/)?petstore-conformance"/.test(textOf('package-lock.json')),
  });
  for (const [path, text] of Object.entries(files))
    print(
      `${path === '.gitignore' && existsSync(path) ? addIgnored(path) : write(path, text, overwrite === true)}\n`,
    );
  const { PETSTORE_API_KEY: key } = readEnvironment(process.cwd(), process.env);
  return print(`
Now run:
  ${key === undefined ? 'PETSTORE_API_KEY=… ' : ''}${invocationOf('test').replace(/ --$/, '')}
`);
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** Adds what is not in a list of what git ignores; the rest of it is the user's. */
function addIgnored(path: string): string {
  const text = textOf(path);
  const missing = ignored.filter((line) => !text.split(/\r?\n/).includes(line));
  if (missing.length === 0) return `left ${path} as it is`;
  const written = `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${missing.join('\n')}\n`;
  return write(path, written, true).replace('wrote', 'added to');
}

/** Writes a file that is not there; one that is there is left alone, unless the user wants it replaced. */
function write(path: string, text: string, overwrite: boolean): string {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: overwrite ? 'w' : 'wx' });
    return `wrote ${path}`;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return `left ${path} as it is (--overwrite replaces it)`;
    throw new UsageProblem(`${path} can't be written (${errorCode(error)})`, { cause: error });
  }
}
