import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { z } from 'zod';
import { serviceOptions } from '../lib/options/command-line-options.js';
import { initialFiles, initialSettings, type InitialAnswers } from '../lib/options/initial-files.js';
import { targetOptions } from '../lib/options/run-options.js';
import { readSettings } from '../lib/options/settings-file.js';
import { suiteVersion } from '../lib/run/suite-name.js';
import { planNames } from '../lib/specification/plan.js';
import { readEnvironment } from '../lib/target/environment.js';
import { invocationOf, optionLines, readCommandLine, valuesTyped } from '../lib/usage/command-line.js';
import { checkOptions, oneOf, onOff, option, type OptionValues } from '../lib/usage/options-schema.js';
import { errorCode } from '../lib/usage/error-code.js';
import { UsageProblem } from '../lib/usage/usage-problem.js';
import { print, runCommand } from './run-command.js';

/** `petstore-conformance init`: the settings of a repository, an example of its environment, and a workflow. */

const invocation = invocationOf('init', process.argv);
const { baseUrl } = targetOptions;
const { start } = serviceOptions;
const options = {
  baseUrl,
  start,
  plan: option(oneOf(planNames), {
    value: 'PLAN',
    help: "the key's plan: free, pro, business or enterprise",
  }),
  yes: onOff({ help: 'ask nothing: what is not given has its default', short: 'y' }),
  overwrite: onOff({ help: 'replace files that are there' }),
  help: onOff({ help: 'this text', short: 'h' }),
};
type Values = OptionValues<typeof options>;

/** The name of `npm start`, if the folder has one. */
const packageFile = z.object({ scripts: z.object({ start: z.string() }) });

function hasStartScript(): boolean {
  try {
    return packageFile.safeParse(JSON.parse(readFileSync('package.json', 'utf8'))).success;
  } catch {
    return false;
  }
}

/** At most three questions, each with a default, for what no option says. */
interface Question {
  readonly option: 'baseUrl' | 'start' | 'plan';
  readonly text: string;
  readonly usual: string;
}

function questions(values: Values): Question[] {
  const environment = readEnvironment(process.cwd(), process.env).values;
  const all: Question[] = [
    {
      option: 'baseUrl',
      text: 'Base address of the service',
      usual: environment['PETSTORE_BASE_URL'] ?? 'http://localhost:8080/v1',
    },
    {
      option: 'start',
      text: 'Command that starts it, or - if it runs already',
      usual: hasStartScript() ? 'npm start' : '-',
    },
    { option: 'plan', text: 'Plan of its key (free, pro, business, enterprise)', usual: 'free' },
  ];
  return all.filter(({ option }) => values[option] === undefined);
}

/** Answers as options read them; a wrong one is asked for again. */
async function answersTo(asked: readonly Question[], isAlone: boolean): Promise<Partial<Values>> {
  const read = ({ option, usual }: Question, typed: string): Partial<Values> => {
    const answer = typed.trim() || usual;
    if (option === 'start' && answer === '-') return {};
    return checkOptions(options, valuesTyped(options, { [option]: answer }), () => 'the answer');
  };
  if (isAlone) return Object.assign({}, ...asked.map((question) => read(question, '')));
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new Promise<never>((_, reject) => {
    terminal.once('close', () =>
      reject(new UsageProblem('nothing was written: the questions were not answered')),
    );
  });
  ended.catch(() => undefined);
  const answers: Partial<Values> = {};
  try {
    for (const question of asked) {
      for (let answered = false; !answered;) {
        const typed = await Promise.race([
          terminal.question(`${question.text} [${question.usual}]: `),
          ended,
        ]);
        try {
          Object.assign(answers, read(question, typed));
          answered = true;
        } catch (error) {
          if (!(error instanceof UsageProblem)) throw error;
          print(`${error.message}\n`);
        }
      }
    }
  } finally {
    terminal.close();
  }
  return answers;
}

async function main(argv: readonly string[]): Promise<number> {
  const { typed } = readCommandLine(argv, options, { operand: 'baseUrl' });
  if (typed['help'])
    return print(
      `${invocation} [ADDRESS] [options]: writes the settings of a repository, .env.example and a workflow.\n\n${optionLines(options)}\n`,
    );
  const values = checkOptions(options, valuesTyped(options, typed), ([name = '']) => `--${name}`);
  const isAlone = values.yes === true || !process.stdin.isTTY || !process.stdout.isTTY;
  const given = { ...(await answersTo(questions(values), isAlone)), ...values };
  if (given.baseUrl === undefined || given.plan === undefined) throw new Error('a question was not asked');
  if (given.plan === 'enterprise')
    print('Set perMinute and perDay beside the plan: those of Enterprise are agreed with each client.\n');
  const answers: InitialAnswers = { baseUrl: given.baseUrl, plan: given.plan, start: given.start };
  const files = initialFiles(answers, { version: suiteVersion, isPackage: existsSync('package.json') });
  const own = (await readSettings(process.cwd()))?.name;
  for (const [path, text] of Object.entries(files))
    print(`${write(path === initialSettings ? (own ?? path) : path, text, values.overwrite === true)}\n`);
  const { PETSTORE_API_KEY: key } = readEnvironment(process.cwd(), process.env).values;
  const next = key === undefined ? 'PETSTORE_API_KEY=… ' : '';
  return print(`
Keep .env and reports/runs out of git. Then run:
  ${next}${invocationOf('test', process.argv).replace(/ --$/, '')}
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
