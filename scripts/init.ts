import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '../lib/explain/error-code.js';
import { UsageProblem } from '../lib/explain/usage-problem.js';
import { checkCommandLine, invocationOf } from '../lib/options/command-line.js';
import { startOptions } from '../lib/options/command-line-options.js';
import { readEnvironment } from '../lib/options/environment.js';
import { initialFiles } from '../lib/options/initial-files.js';
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
      plan: option(oneOf(planNames), { value: 'PLAN', help: 'of the key: free (default), pro, business' }),
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
    isPackage: existsSync('package.json'),
  });
  for (const [path, text] of Object.entries(files)) print(`${write(path, text, overwrite === true)}\n`);
  const { PETSTORE_API_KEY: key } = readEnvironment(process.cwd(), process.env);
  return print(`
Keep .env and reports/runs out of git. Then run:
  ${key === undefined ? 'PETSTORE_API_KEY=… ' : ''}${invocationOf('test').replace(/ --$/, '')}
`);
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
