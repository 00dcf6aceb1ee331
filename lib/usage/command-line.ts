import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { didYouMean } from './nearest-name.js';
import { refuseOptionsKeptByNpm } from './npm-options.js';
import {
  checkOptions,
  factsOf,
  flagOf,
  isSwitch,
  valueOf,
  type Options,
  type OptionValues,
} from './options-schema.js';
import { UsageProblem } from './usage-problem.js';

/** What was typed for an option: `true` for a switch, a list for one that repeats. */
export type Typed = string | true | readonly string[];

export interface CommandLine {
  readonly typed: Readonly<Record<string, Typed>>;
  /** What stands beside options: the name of a command, folders. */
  readonly operands: readonly string[];
}

/** What a command line may hold beside options, and where it comes from. */
interface Expected {
  readonly operands?: boolean;
  /** The option whose value may stand alone: `petstore-conformance http://localhost:4010/v1`. */
  readonly operand?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/**
 * Reads a command line.
 * @throws UsageProblem for an unknown option, a value that is missing or not expected, an option given twice or kept by
 * npm, and for an operand unless operands are expected.
 */
export function readCommandLine(
  argv: readonly string[],
  options: Options,
  { operands: expected = false, operand, environment = process.env }: Expected = {},
): CommandLine {
  const names = new Map(Object.keys(options).map((name) => [flagOf(options, name), name]));
  const typed: Record<string, Typed> = {};
  const operands: string[] = [];
  for (const token of tokensOf(argv, options)) {
    if (token.kind === 'positional' && operand !== undefined && isAddress(token.value)) {
      if (typed[operand] !== undefined)
        throw new UsageProblem(`--${flagOf(options, operand)} is given twice`);
      typed[operand] = token.value;
    } else if (token.kind === 'positional') operands.push(token.value);
    if (token.kind !== 'option') continue;
    const { rawName } = token;
    const name = names.get(token.name);
    if (name === undefined) throw unknownOption(rawName, [...names.keys()]);
    const { repeats, mayBeBare } = factsOf(options, name);
    const isBare = mayBeBare === true && token.value === undefined;
    const value = isBare || valueTyped(token, isSwitch(options, name));
    const before = typed[name];
    if (repeats) typed[name] = [...(Array.isArray(before) ? before : []), String(value)];
    else if (before === undefined) typed[name] = value;
    else throw new UsageProblem(`${rawName} is given twice`);
  }
  refuseOptionsKeptByNpm(options, typed, expected ? operands : [], environment);
  if (!expected && operands[0] !== undefined) {
    // npm takes `--plan=free` for its own -p, -l, -a and -n: nothing but the value arrives.
    const byNpm = environment['npm_command'] === undefined ? '' : ', under npm behind " -- "';
    throw new UsageProblem(`unexpected argument ${operands[0]}: options begin with --${byNpm}, see --help`);
  }
  return { typed, operands };
}

/** Options of Vitest that a run had once, and what it has in their place. */
const ofVitest: Readonly<Record<string, string>> = {
  '--reporter': '--report=junit',
  '--outputFile': '--report=junit, which writes into the folder of --output',
  '-t': '--only=ID,…',
  '--testNamePattern': '--only=ID,…',
};

function unknownOption(rawName: string, flags: readonly string[]): UsageProblem {
  const [flag = ''] = rawName.split('.');
  const instead = Object.hasOwn(ofVitest, flag) ? ofVitest[flag] : undefined;
  if (instead !== undefined)
    return new UsageProblem(
      `unknown option ${flag}. --reporter, --outputFile and -t belong to npx vitest. Use ${instead}`,
    );
  const near = didYouMean(
    rawName,
    flags.map((known) => `--${known}`),
  );
  return new UsageProblem(`unknown option ${rawName}.${near || ' See --help.'}`);
}

/** Whether a text can be nothing but the address of a service, with its scheme or without: a key has no port. */
export function isAddress(typed: string): boolean {
  const isBare = /^(?:localhost|[\d.]+|\[[\da-f:]+\]|[a-z\d.-]+(?=:\d))(?::\d+)?(?:\/|$)/i.test(typed);
  return /^https?:/i.test(typed) || (isBare && URL.canParse(`http://${typed}`));
}

function tokensOf(argv: readonly string[], options: Options) {
  const declared = Object.keys(options).map((name) => {
    const { short, mayBeBare } = factsOf(options, name);
    const type = isSwitch(options, name) || mayBeBare ? ('boolean' as const) : ('string' as const);
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

function valueTyped({ rawName, value, inlineValue }: OptionToken, isSwitch: boolean): string | true {
  if (isSwitch) {
    if (value === undefined) return true;
    throw new UsageProblem(`${rawName} takes no value`);
  }
  // After `--output --strict` the value was forgotten. A value that begins with a dash is given with `=`.
  if (value === undefined || value === '' || (inlineValue !== true && value.startsWith('-')))
    throw new UsageProblem(`${rawName} needs a value, see --help`);
  return rawName.startsWith('--') ? value : value.replace(/^=/, '');
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
      const { help, value, mayBeBare, short } = factsOf(options, name);
      const part = value === undefined ? '' : `=${value}`;
      const typed = `--${flagOf(options, name)}${mayBeBare ? `[${part}]` : part}`;
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
