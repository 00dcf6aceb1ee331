import { parseArgs } from 'node:util';
import { didYouMean } from '../../lib/usage/nearest-name.js';
import { rendererNames, type RendererName } from '../renderers.js';
import { UsageProblem } from './usage.js';

/** What the user asked for, with everything that can be wrong in it found. */
export type Command =
  | { readonly name: 'help' }
  | {
      readonly name: 'render';
      readonly directory: string;
      readonly reports: readonly (RendererName | 'terminal')[];
      readonly output: string | undefined;
    }
  | { readonly name: 'compare'; readonly old: string; readonly recent: string }
  | { readonly name: 'matrix'; readonly directories: readonly string[]; readonly output: string | undefined }
  | { readonly name: 'waivers'; readonly directory: string; readonly output: string | undefined }
  | { readonly name: 'verify'; readonly directory: string };

const options = {
  render: ['report', 'output'],
  compare: [],
  matrix: ['output'],
  waivers: ['output'],
  verify: [],
} as const satisfies Record<Exclude<Command['name'], 'help'>, readonly string[]>;
type CommandName = keyof typeof options;

const commandNames = Object.keys(options) as CommandName[];
const reportNames = [...rendererNames, 'terminal'] as const;

/**
 * Reads the command line of `npm run report`, the part behind the script's name.
 * @throws UsageProblem naming the mistake and the nearest right name.
 */
export function parseCommand(argv: readonly string[]): Command {
  const { positionals, values, tokens } = parseArgs({
    args: [...argv],
    options: {
      help: { type: 'boolean', short: 'h' },
      report: { type: 'string' },
      output: { type: 'string' },
    },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const [typed, ...folders] = positionals;
  if (values['help'] === true || typed === 'help') return { name: 'help' };
  const name = commandNamed(typed);
  for (const token of tokens) {
    if (token.kind === 'option') checkOption(name, token.name, token.rawName, token.value);
  }
  const output = text(values['output']);
  switch (name) {
    case 'render':
      return {
        name,
        directory: one(name, folders),
        reports: reportsNamed(text(values['report']) ?? 'html'),
        output,
      };
    case 'compare': {
      const [old, recent, ...more] = folders;
      if (old === undefined || recent === undefined || more.length > 0) {
        throw new UsageProblem(
          `compare takes the folders of two runs, OLD and NEW; ${folders.length} were given`,
        );
      }
      return { name, old, recent };
    }
    case 'matrix':
      if (folders.length === 0) {
        throw new UsageProblem('matrix takes the folders of the runs: matrix DIR DIR …');
      }
      return { name, directories: folders, output };
    case 'waivers':
      return { name, directory: one(name, folders), output };
    case 'verify':
      return { name, directory: one(name, folders) };
    default:
      return name satisfies never;
  }
}

function commandNamed(typed: string | undefined): CommandName {
  if (typed === undefined)
    throw new UsageProblem(`a command is missing: ${commandNames.join(', ')} (--help tells more)`);
  const name = commandNames.find((known) => known === typed);
  if (!name) throw new UsageProblem(`there is no command ${typed}.${didYouMean(typed, commandNames)}`);
  return name;
}

function checkOption(command: CommandName, name: string, rawName: string, value: string | undefined): void {
  const known: readonly string[] = options[command];
  if (!known.includes(name)) {
    const nearest =
      known.length === 0
        ? ' It takes none.'
        : didYouMean(
            rawName,
            known.map((option) => `--${option}`),
          );
    throw new UsageProblem(`${command} has no option ${rawName}.${nearest}`);
  }
  if (value === undefined || value === '') throw new UsageProblem(`--${name} needs a value: --${name}=…`);
}

function text(value: string | boolean | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function one(command: CommandName, folders: readonly string[]): string {
  const [folder, ...more] = folders;
  if (folder === undefined) throw new UsageProblem(`${command} takes the folder of a run: ${command} DIR`);
  if (more.length > 0) throw new UsageProblem(`${command} takes one folder; ${folders.length} were given`);
  return folder;
}

function reportsNamed(list: string): (RendererName | 'terminal')[] {
  const names = list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .flatMap((name) => (name === 'all' ? rendererNames : [name]));
  return [...new Set(names)].map((typed) => {
    const name = reportNames.find((known) => known === typed);
    if (!name)
      throw new UsageProblem(`there is no report ${typed}.${didYouMean(typed, [...reportNames, 'all'])}`);
    return name;
  });
}
