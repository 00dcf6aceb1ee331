import { basename } from 'node:path';
import { Command, CommanderError, Option } from 'commander';
import { didYouMean } from '../explain/nearest-name.js';
import { refuse, UsageProblem } from '../explain/usage-problem.js';
import type { Environment } from './sources.js';
import { checkOptions, factsOf, flagOf, type Options, type OptionValues, type Typed } from './option.js';

/** A command, as it is read and as its help shows it. */
export interface CommandDescription<Some extends Options = Options> {
  /** As a user knows it: `report verify`; `test` is that of a run. */
  readonly name: string;
  readonly options: Some;
  /** What must stand beside options: `OLD NEW`, `DIR…` for one or more, `[ID…]` for any number. */
  readonly operands?: string;
  readonly summary?: string;
  /** The end of the help. */
  readonly closing?: string;
}

/** `--help` was given: this is the text. */
export class HelpAsked extends Error {}

/**
 * Reads a command line. Messages for mistakes name the nearest option, and repeat no value of one, which may be a key.
 * @throws UsageProblem for what is unknown, missing, not expected, given twice or kept by npm; HelpAsked
 */
export function readCommandLine(
  argv: readonly string[],
  { name, options, operands = '', summary = '', closing = '' }: CommandDescription,
  environment: Environment = process.env,
): { readonly typed: Typed; readonly operands: readonly string[] } {
  const usage = `${operands} [options]`.trim();
  const called = invocationOf(name);
  let help = '';
  const command = new Command(called)
    .usage(usage)
    .description(summary)
    .addHelpOption(new Option('-h, --help', 'this text'))
    .addHelpText('after', closing === '' ? '' : `\n${closing}`)
    .configureHelp({
      helpWidth: 80,
      optionTerm: ({ flags }) => flags.replace(/ <(.*)>$/, '=$1').replace(/ \[(.*)\]$/, '[=$1]'),
    })
    .configureOutput({ writeOut: (text) => (help += text), writeErr: () => undefined })
    .exitOverride();
  for (const option of Object.keys(options)) command.addOption(optionOf(options, option));
  for (const operand of operands.match(/\S+/g) ?? []) command.argument(operand.replace('…', '...'));
  const flags = Object.keys(options).map((option) => flagOf(options, option));
  const known = new Set(['-h', '--help', '--', ...flags]);
  const words = argv.map((word) => word.replace(/=.*/s, ''));
  const unknown = words.find((word) => /^-./.test(word) && !known.has(word));
  if (unknown !== undefined)
    throw new UsageProblem(`unknown option ${unknown}.${didYouMean(unknown, flags) || ' See --help.'}`);
  refuseOptionsKeptByNpm(flags, environment);
  try {
    command.parse(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) throw new HelpAsked(help);
    const [flag] = /--[\w-]+/.exec(error.message) ?? [];
    const problem = {
      'commander.optionMissingArgument': `${flag} needs a value, see --help`,
      'commander.unknownOption': `${flag} takes no value`,
    }[error.code];
    throw new UsageProblem(
      problem ?? `usage: ${called} ${usage}; got ${command.args.join(' ') || 'nothing'}`,
    );
  }
  return { typed: command.opts(), operands: command.args };
}

/** An option as commander knows it. Its value is the text that was typed. */
function optionOf(options: Options, name: string): Option {
  const flag = flagOf(options, name);
  const { value = 'VALUE', bare, help, group = 'Options:', repeatable } = factsOf(options, name);
  const form = value === '' ? '' : bare === undefined ? ` <${value}>` : ` [${value}]`;
  const option = new Option(flag + form, help).helpGroup(group).hideHelp(help === undefined);
  option.attributeName = () => name;
  if (bare !== undefined) option.preset(bare);
  return option.argParser((text: string | undefined, before: string | true | undefined) => {
    // After `--output --strict` the value was forgotten.
    if (text === '' || text?.startsWith('--')) throw new UsageProblem(`${flag} needs a value, see --help`);
    if (before !== undefined && !repeatable) throw new UsageProblem(`${flag} is given twice`);
    return before === undefined ? (text ?? true) : `${before}\n${text}`;
  });
}

/** Settings of an .npmrc that have the name of an option: certificates, a time for downloads, the version of Electron. */
const ofAnNpmrc = /^--(?:ca|cert|key|timeout)=|^--target=v?\d+\.\d/;

/**
 * npm keeps options without ` -- ` before them for itself: they never arrive, and stand in the environment as
 * `npm_config_base_url`. The command would do something else than what was asked for, and might call it a success.
 * @throws UsageProblem
 */
function refuseOptionsKeptByNpm(flags: readonly string[], environment: Environment): void {
  // yarn and pnpm pass every option on, and leave settings of theirs under the same names.
  if (!environment['npm_config_user_agent']?.startsWith('npm/')) return;
  const kept = flags.filter((flag) => {
    const value = environment[`npm_config_${flag.slice(2).replaceAll('-', '_')}`] ?? '';
    return value !== '' && !ofAnNpmrc.test(`${flag}=${value}`);
  });
  const named = kept.join(', ');
  refuse(
    kept.length > 0 &&
      `npm kept ${named} for itself: write " -- " before the options, as in npm test -- ${named}`,
  );
}

/** Reads and checks a command line that stands alone, without an environment. @throws UsageProblem, HelpAsked */
export function checkCommandLine<const Some extends Options>(
  argv: readonly string[],
  description: CommandDescription<Some>,
): { readonly values: OptionValues<Some>; readonly operands: readonly string[] } {
  const { options } = description;
  const { typed, operands } = readCommandLine(argv, description);
  return { values: checkOptions(options, typed, ([name = '']) => flagOf(options, name)), operands };
}

/** The command that gives these options, as a shell takes it and without keys. */
export function commandOf(
  command: string,
  options: Options,
  given: Readonly<Record<string, unknown>>,
): string {
  const words = Object.keys(options).flatMap((name) => {
    const value = given[name];
    const flag = flagOf(options, name);
    const { secret, repeatable } = factsOf(options, name);
    if (value === undefined || value === false) return [];
    if (value === true) return [flag];
    // A program gives a list; a command line has the text of one, or a line for each time that the option was typed.
    const text = [value]
      .flat()
      .map(String)
      .join(repeatable ? '\n' : ',');
    return (repeatable ? text.split('\n') : [text]).map((one) => {
      const isSecret = secret === true || secret?.test(one) === true;
      return `${flag}=${isSecret ? '***' : shellWord(one)}`;
    });
  });
  return [command, ...words].join(' ');
}

/** In quotes if a shell would read more than one word. */
export function shellWord(word: string): string {
  return /^[\p{L}\p{N}_@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** The words that a shell reads in such a command. */
export function wordsOf(command: string): string[] {
  return (command.match(/(?:'[^']*'|\\.|[^\s'\\])+/gu) ?? []).map((word) =>
    word.replaceAll(/'([^']*)'|\\(.)/gu, '$1$2'),
  );
}

/**
 * How a command is called: by npm in a checkout of the project, by the name of an installed package.
 * @param beside how another command of the same installation was called; by default the one that runs
 */
export function invocationOf(
  name: string,
  beside = basename(process.argv[1] ?? '').startsWith('petstore-conformance') ? 'npx' : 'npm ',
): string {
  const [command, ...rest] = name.split(' ');
  const npm = command === 'test' ? 'npm test --' : `npm run ${command} --`;
  const npx = command === 'test' ? 'npx petstore-conformance' : `npx petstore-conformance ${command}`;
  return [beside.startsWith('npm ') ? npm : npx, ...rest].join(' ');
}
