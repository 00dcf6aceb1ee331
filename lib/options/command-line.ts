import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { didYouMean } from '../explain/nearest-name.js';
import {
  checkOptions,
  factsOf,
  flagOf,
  isSwitch,
  valueOf,
  type Options,
  type OptionValues,
} from './options-schema.js';
import { UsageProblem } from '../explain/usage-problem.js';

/** What was typed for an option: `true` for one without a value. */
export type Typed = string | true;

export interface CommandLine {
  readonly typed: Readonly<Record<string, Typed>>;
  /** What stands beside options: the name of a command, folders. */
  readonly operands: readonly string[];
}

type Variables = Readonly<Record<string, string | undefined>>;

/** What a command line may hold beside options, and where it comes from. */
interface Expected {
  readonly operands?: boolean;
  readonly environment?: Variables;
}

/**
 * Reads a command line.
 * @throws UsageProblem for an unknown option, a value that is missing or not expected, an option given twice or kept by
 * npm, and for an operand unless operands are expected.
 */
export function readCommandLine(
  argv: readonly string[],
  options: Options,
  { operands: expected = false, environment = process.env }: Expected = {},
): CommandLine {
  const names = new Map(Object.keys(options).map((name) => [flagOf(options, name), name]));
  const typed: Record<string, Typed> = {};
  const operands: string[] = [];
  for (const token of tokensOf(argv, options)) {
    if (token.kind === 'positional') operands.push(token.value);
    if (token.kind !== 'option') continue;
    const { rawName } = token;
    const name = names.get(token.name);
    if (name === undefined) {
      const known = Array.from(names.keys(), (flag) => `--${flag}`);
      throw new UsageProblem(`unknown option ${rawName}.${didYouMean(rawName, known) || ' See --help.'}`);
    }
    if (typed[name] !== undefined) throw new UsageProblem(`${rawName} is given twice`);
    typed[name] = valueTyped(token, options, name);
  }
  refuseOptionsKeptByNpm([...names.keys()], environment);
  if (!expected && operands[0] !== undefined) {
    // npm takes `--plan=free` for its own -p, -l, -a and -n: nothing but the value arrives.
    const byNpm = environment['npm_command'] === undefined ? '' : ', under npm behind " -- "';
    throw new UsageProblem(`unexpected argument ${operands[0]}: options begin with --${byNpm}, see --help`);
  }
  return { typed, operands };
}

/** Ways to start a script with npm; `npm publish --dry-run` gives its options to npm alone. */
const startsAScript = /^(?:test|start|run|run-script|exec)$/;

/** Settings of an .npmrc that have the name of an option: a certificate, a time for downloads, the version of Electron. */
const ofAnNpmrc = /^(?:ca|timeout)=|^target=v?\d+\.\d/;

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
    const value = environment[`npm_config_${flag.replaceAll('-', '_')}`] ?? '';
    return value !== '' && !ofAnNpmrc.test(`${flag}=${value}`);
  });
  if (kept.length === 0) return;
  const named = kept.map((flag) => `--${flag}`).join(', ');
  throw new UsageProblem(
    `npm kept ${named} for itself: write " -- " before the options, as in npm test -- ${named}`,
  );
}

function tokensOf(argv: readonly string[], options: Options) {
  const declared = Object.keys(options).map((name) => {
    const { short, bare } = factsOf(options, name);
    const type = isSwitch(options, name) || bare !== undefined ? ('boolean' as const) : ('string' as const);
    return [flagOf(options, name), { type, ...(short === undefined ? {} : { short }) }] as const;
  });
  return parseArgs({
    args: [...argv],
    options: Object.fromEntries(declared),
    // The messages for mistakes are ours: they name the nearest option, and no value that may be a key.
    strict: false,
    allowPositionals: true,
    tokens: true,
  }).tokens;
}

interface OptionToken {
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function valueTyped({ rawName, value, inlineValue }: OptionToken, options: Options, name: string): Typed {
  if (isSwitch(options, name) && value !== undefined) throw new UsageProblem(`${rawName} takes no value`);
  const bare = isSwitch(options, name) ? true : factsOf(options, name).bare;
  if (value === undefined && bare !== undefined) return bare;
  // After `--output --strict` the value was forgotten. A value that begins with a dash is given with `=`.
  if (value === undefined || value === '' || (inlineValue !== true && value.startsWith('-')))
    throw new UsageProblem(`${rawName} needs a value, see --help`);
  return value;
}

/** The values that were typed, as their schemas judge them; what is no text is a value already. */
export function valuesTyped(
  options: Options,
  typed: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(typed).map(([name, value]) => [
      name,
      typeof value === 'string' ? valueOf(options[name], value) : value,
    ]),
  );
}

/**
 * Reads and checks a command line that stands alone, without an environment.
 * @throws UsageProblem
 */
export function checkCommandLine<const Some extends Options>(
  argv: readonly string[],
  options: Some,
): OptionValues<Some> {
  const { typed } = readCommandLine(argv, options);
  return checkOptions(options, valuesTyped(options, typed), ([name = '']) => `--${flagOf(options, name)}`);
}

/** Columns of a name with its value. */
const width = 19;

/** The lines of `--help` for options: their names, values, and what they are for. */
export function optionLines(options: Options): string {
  return Object.keys(options)
    .flatMap((name) => {
      const { help, value, bare, short } = factsOf(options, name);
      const part = value === undefined ? '' : `=${value}`;
      const typed = `--${flagOf(options, name)}${bare !== undefined ? `[${part}]` : part}`;
      const alias = short === undefined ? '' : ` (-${short})`;
      return help === undefined ? [] : [`  ${typed.padEnd(width)} ${help}${alias}`];
    })
    .join('\n');
}

/** How a command is called: by npm in a checkout of the project, by the name of an installed package. */
export function invocationOf(command: string, [, program = '']: readonly string[]): string {
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
