import { basename } from 'node:path';
import { Command, CommanderError, Option } from 'commander';
import { didYouMean } from '../explain/nearest-name.js';
import { UsageProblem } from '../explain/usage-problem.js';
import {
  checkOptions,
  factsOf,
  flagOf,
  isSwitch,
  valueOf,
  type Options,
  type OptionValues,
} from './option.js';

/** A command, as it is read and as its help shows it. */
export interface CommandDescription<Some extends Options = Options> {
  /** How it is called: `npm run report -- verify`. */
  readonly name: string;
  readonly options: Some;
  /** What must stand beside options: `OLD NEW`, `DIR…` for one or more, `[ID…]` for any number. */
  readonly operands?: string;
  readonly summary?: string;
  /** The end of the help. */
  readonly closing?: string;
}

/** What was typed for an option: `true` for one without a value. */
export type Typed = string | true;

export interface CommandLine {
  readonly typed: Readonly<Record<string, Typed>>;
  /** What stands beside options: folders, ids. */
  readonly operands: readonly string[];
}

/** `--help` was given: this is the text. */
export class HelpAsked extends Error {}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reads a command line.
 * @throws UsageProblem for an unknown option, a value that is missing or not expected, an option given twice or kept by
 * npm, and for an operand unless operands are expected.
 * @throws HelpAsked
 */
export function readCommandLine(
  argv: readonly string[],
  description: CommandDescription,
  environment: Variables = process.env,
): CommandLine {
  const { options } = description;
  const typed: Record<string, Typed> = {};
  let help = '';
  const command = commandOf(description, (text) => (help += text));
  for (const name of Object.keys(options)) {
    const { bare = true, repeatable } = factsOf(options, name);
    const flag = `--${flagOf(options, name)}`;
    command.on(`option:${flag.slice(2)}`, (value?: string | null) => {
      // After `--output --strict` the value was forgotten.
      if (value === '' || value?.startsWith('--'))
        throw new UsageProblem(`${flag} needs a value, see --help`);
      const before = typed[name];
      if (before !== undefined && !repeatable) throw new UsageProblem(`${flag} is given twice`);
      typed[name] = before === undefined ? (value ?? bare) : `${before}\n${value}`;
    });
  }
  try {
    command.parse(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) throw new HelpAsked(help);
    throw new UsageProblem(`${/--[\w-]+/.exec(error.message)?.[0]} needs a value, see --help`);
  }
  const flags = Object.keys(options).map((name) => `--${flagOf(options, name)}`);
  refuseUnknown(command.args, flags);
  refuseOptionsKeptByNpm(flags, environment);
  checkOperands(command.args, description, environment);
  return { typed, operands: command.args };
}

/** The messages for mistakes are ours: they name the nearest option, and repeat no value, which may be a key. */
function commandOf(description: CommandDescription, writeOut: (text: string) => void): Command {
  const { name, options, operands = '', summary = '', closing = '' } = description;
  const command = new Command(name)
    .usage(`${operands} [options]`.trim())
    .description(summary)
    .addHelpOption(new Option('-h, --help', 'this text'))
    .addHelpText('after', closing === '' ? '' : `\n${closing}`)
    .configureHelp({
      helpWidth: 80,
      optionTerm: ({ flags }) => flags.replace(/ <(.*)>$/, '=$1').replace(/ \[(.*)\]$/, '[=$1]'),
    })
    .configureOutput({ writeOut, writeErr: () => undefined })
    .exitOverride()
    .allowUnknownOption()
    .allowExcessArguments();
  for (const name of Object.keys(options)) {
    const { value = 'VALUE', bare, help, group = 'Options:' } = factsOf(options, name);
    const flag = `--${flagOf(options, name)}`;
    const form = isSwitch(options, name) ? '' : bare === undefined ? ` <${value}>` : ` [${value}]`;
    command.addOption(new Option(flag + form, help).helpGroup(group).hideHelp(help === undefined));
  }
  return command;
}

/** @throws UsageProblem */
function refuseUnknown(left: readonly string[], flags: readonly string[]): void {
  const [unknown] = left.find((one) => /^-./.test(one))?.split('=') ?? [];
  if (unknown === undefined) return;
  // A switch that was given a value is left, too.
  if (flags.includes(unknown)) throw new UsageProblem(`${unknown} takes no value`);
  throw new UsageProblem(`unknown option ${unknown}.${didYouMean(unknown, flags) || ' See --help.'}`);
}

/** @throws UsageProblem for too few or too many of them. */
function checkOperands(
  given: readonly string[],
  { name, operands = '' }: CommandDescription,
  environment: Variables,
): void {
  const words = operands.split(' ').filter((word) => word !== '');
  const least = words.filter((word) => !word.startsWith('[')).length;
  const most = operands.includes('…') ? Infinity : words.length;
  if (given.length >= least && given.length <= most) return;
  if (most > 0)
    throw new UsageProblem(`usage: ${name} ${operands} [options]; got ${given.join(' ') || 'nothing'}`);
  // npm takes `--plan=free` for its own -p, -l, -a and -n: nothing but the value arrives.
  const byNpm = environment['npm_command'] === undefined ? '' : ', under npm behind " -- "';
  throw new UsageProblem(`unexpected argument ${given[0]}: options begin with --${byNpm}, see --help`);
}

/** Ways to start a script with npm; `npm publish --dry-run` gives its options to npm alone. */
const startsAScript = /^(?:test|start|run|run-script|exec)$/;

/** Settings of an .npmrc that have the name of an option: a certificate, a time for downloads, the version of Electron. */
const ofAnNpmrc = /^--(?:ca|timeout)=|^--target=v?\d+\.\d/;

/**
 * npm keeps options without ` -- ` before them for itself: they never arrive, and stand in the environment as
 * `npm_config_base_url`. The command would do something else than what was asked for, and might call it a success.
 * @throws UsageProblem
 */
function refuseOptionsKeptByNpm(flags: readonly string[], environment: Variables): void {
  // yarn and pnpm pass every option on, and leave settings of theirs under the same names.
  const isNpm = environment['npm_config_user_agent']?.startsWith('npm/') === true;
  if (!isNpm || !startsAScript.test(environment['npm_command'] ?? '')) return;
  const kept = flags.filter((flag) => {
    const value = environment[`npm_config_${flag.slice(2).replaceAll('-', '_')}`] ?? '';
    return value !== '' && !ofAnNpmrc.test(`${flag}=${value}`);
  });
  if (kept.length === 0) return;
  const named = kept.join(', ');
  throw new UsageProblem(
    `npm kept ${named} for itself: write " -- " before the options, as in npm test -- ${named}`,
  );
}

/** The values that were typed, as their schemas judge them; what is no text is a value already. */
export function valuesTyped(
  options: Options,
  typed: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const valueOfOption = (name: string, value: string): unknown =>
    factsOf(options, name).repeatable ? value.split('\n') : valueOf(options[name], value);
  return Object.fromEntries(
    Object.entries(typed).map(([name, value]) => [
      name,
      typeof value === 'string' ? valueOfOption(name, value) : value,
    ]),
  );
}

/** Reads and checks a command line that stands alone, without an environment. @throws UsageProblem, HelpAsked */
export function checkCommandLine<const Some extends Options>(
  argv: readonly string[],
  description: CommandDescription<Some>,
): { readonly values: OptionValues<Some>; readonly operands: readonly string[] } {
  const { options } = description;
  const { typed, operands } = readCommandLine(argv, description);
  const nameOf = ([name = '']: readonly string[]): string => `--${flagOf(options, name)}`;
  return { values: checkOptions(options, valuesTyped(options, typed), nameOf), operands };
}

/** How a command is called: by npm in a checkout of the project, by the name of an installed package. */
export function invocationOf(command: string, [, program = '']: readonly string[] = process.argv): string {
  return called(command, !basename(program).startsWith('petstore-conformance'));
}

/** How another command is called by who called a run so: `npm run explain --`. */
export function invocationBeside(commandOfRun: string, command: string): string {
  return called(command, commandOfRun.startsWith('npm '));
}

function called(command: string, inCheckout: boolean): string {
  if (!inCheckout) return `npx petstore-conformance${command === 'test' ? '' : ` ${command}`}`;
  return command === 'test' ? 'npm test --' : `npm run ${command} --`;
}
