import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { serviceOptions } from '../lib/options/command-line-options.js';
import { initialFiles } from '../lib/options/initial-files.js';
import { targetOptions } from '../lib/options/run-options.js';
import { suiteVersion } from '../lib/run/suite-name.js';
import { planNames } from '../lib/specification/plan.js';
import { readEnvironment } from '../lib/options/environment.js';
import { invocationOf, optionLines, readCommandLine, valuesTyped } from '../lib/options/command-line.js';
import { checkOptions, oneOf, onOff, option } from '../lib/options/options-schema.js';
import { errorCode } from '../lib/explain/error-code.js';
import { UsageProblem } from '../lib/explain/usage-problem.js';
import { print, runCommand } from './run-command.js';

/** `petstore-conformance init ADDRESS`: the settings of a repository, an example of its environment, and a workflow. */

const invocation = invocationOf('init', process.argv);
const options = {
  start: serviceOptions.start,
  plan: option(oneOf(planNames), { value: 'PLAN', help: 'of the key: free (default), pro, business' }),
  overwrite: onOff({ help: 'replace files that are there' }),
  help: onOff({ help: 'this text', short: 'h' }),
};
const named = { ...options, address: targetOptions.baseUrl.unwrap() };

async function main(argv: readonly string[]): Promise<number> {
  const { typed, operands } = readCommandLine(argv, options, { operands: true });
  if (typed['help'])
    return print(
      `${invocation} ADDRESS [options]: writes the settings of a repository, .env.example and a workflow.\n\n${optionLines(options)}\n`,
    );
  const [address, ...more] = operands;
  if (address === undefined || more.length > 0)
    throw new UsageProblem(`which address? For example: ${invocation} http://localhost:8080/v1`);
  const given = checkOptions(named, { ...valuesTyped(options, typed), address }, ([name = '']) =>
    name === 'address' ? 'the address' : `--${name}`,
  );
  const files = initialFiles({
    baseUrl: given.address,
    plan: given.plan ?? 'free',
    start: given.start,
    version: suiteVersion,
    isPackage: existsSync('package.json'),
  });
  for (const [path, text] of Object.entries(files)) print(`${write(path, text, given.overwrite === true)}\n`);
  const { PETSTORE_API_KEY: key } = readEnvironment(process.cwd(), process.env).values;
  return print(`
Keep .env and reports/runs out of git. Then run:
  ${key === undefined ? 'PETSTORE_API_KEY=… ' : ''}${invocationOf('test', process.argv).replace(/ --$/, '')}
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

await runCommand('petstore-conformance', main);
