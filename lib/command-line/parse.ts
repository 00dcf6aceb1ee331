import { parseArgs } from 'node:util';
import { unknownPatterns } from '../run/selection.js';
import { requirementIds } from '../specification/catalogue.js';
import { didYouMean } from '../usage/nearest-name.js';
import { ownOptions, vitestOptions, type OptionName } from './options.js';
import { UsageProblem } from '../usage/usage-problem.js';

/** The command line, its options known to be ours or Vitest's; values as they were typed. */
export interface CommandLine {
  readonly values: Readonly<Partial<Record<OptionName, string | true>>>;
  /** What Vitest is given, as typed. */
  readonly vitest: readonly string[];
}

/** As they are typed; `-t` is near to everything that is short. */
const optionNames = [...Object.keys(ownOptions), ...vitestOptions.filter((name) => name !== 't')].map(
  (name) => `--${name}`,
);

/** Vitest's options that take the next argument as their value. */
const takesNext: ReadonlySet<string> = new Set(vitestOptions);

function isOwn(name: string): name is OptionName {
  return Object.hasOwn(ownOptions, name);
}

/**
 * Reads the command line.
 * @throws UsageProblem for an unknown option, a value where none belongs, none where one does, an option twice.
 */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const { tokens } = parseArgs({
    args: [...argv],
    options: {
      ...Object.fromEntries(
        Object.entries(ownOptions).map(([name, option]) => [
          name,
          { type: 'value' in option ? 'string' : 'boolean' } as const,
        ]),
      ),
      t: { type: 'string', short: 't' },
      h: { type: 'boolean', short: 'h' },
    },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values: Partial<Record<OptionName, string | true>> = {};
  const vitest: string[] = [];
  let valueOf: number | undefined;
  for (const token of tokens) {
    if (token.kind === 'positional') {
      if (token.index === valueOf) continue;
      throw new UsageProblem(`unexpected argument ${token.value}: options begin with --, see --help`);
    }
    if (token.kind === 'option-terminator') continue;
    const name = token.name === 'h' ? 'help' : token.name;
    if (isOwn(name)) {
      if (values[name] !== undefined) throw new UsageProblem(`--${name} is given twice`);
      values[name] = ownValue(name, token.value, token.inlineValue === true);
      continue;
    }
    const [base = ''] = name.split('.');
    if (!(vitestOptions as readonly string[]).includes(base)) {
      throw new UsageProblem(`unknown option ${token.rawName}.${didYouMean(`--${name}`, optionNames)}`);
    }
    vitest.push(...vitestArguments(token.rawName, token.value, token.inlineValue, argv[token.index + 1]));
    if (token.value === undefined && takesNext.has(base)) valueOf = token.index + 1;
  }
  return { values, vitest };
}

function ownValue(name: OptionName, value: string | undefined, inline: boolean): string | true {
  const takesValue = 'value' in ownOptions[name];
  // `--output --strict` is an output forgotten; a value that begins with a dash is given with `=`.
  const forgotten = value === undefined || value === '' || (!inline && value.startsWith('-'));
  if (takesValue && forgotten) throw new UsageProblem(`--${name} needs a value, see --help`);
  if (!takesValue && value !== undefined) throw new UsageProblem(`--${name} takes no value`);
  return value ?? true;
}

function vitestArguments(
  raw: string,
  value: string | undefined,
  inline: boolean | undefined,
  next: string | undefined,
): string[] {
  if (value !== undefined) {
    const long = raw.startsWith('--');
    // `-t=NAME` as Vitest reads it.
    return inline === true && long ? [`${raw}=${value}`] : [raw, inline ? value.replace(/^=/, '') : value];
  }
  if (next === undefined || next.startsWith('-')) throw new UsageProblem(`${raw} needs a value`);
  return [raw, next];
}

/**
 * A list of requirement ids or prefixes.
 * @throws UsageProblem that names the nearest id for one that the catalogue does not have.
 */
export function requirementList(option: string, text: string | undefined): string[] {
  if (text === undefined) return [];
  const patterns = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (patterns.length === 0) throw new UsageProblem(`--${option} names no requirement`);
  const [unknown] = unknownPatterns(patterns);
  if (unknown === undefined) return patterns;
  const groups = [...new Set(requirementIds.map((id) => id.replace(/-\d+$/, '')))];
  const names = unknown.includes('-') ? requirementIds : [...groups, ...requirementIds];
  throw new UsageProblem(`--${option}: there is no requirement ${unknown}.${didYouMean(unknown, names)}`);
}
