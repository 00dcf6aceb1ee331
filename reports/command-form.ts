import type { RunRecord } from '../lib/evidence/record/record.js';
import { UsageProblem } from '../lib/explain/usage-problem.js';
import { checkCommandLine } from '../lib/options/command-line.js';
import type { Options, OptionValues } from '../lib/options/option.js';
import type { HarJob } from '../lib/run/judge-har.js';
import type { RunJob } from '../lib/run/judge-run.js';
import type { TextLayout } from './terminal/layout.js';
import type { Suites } from './verify/verify-run.js';

/** What a command has from the outside. */
export interface Surroundings extends TextLayout {
  /** How the command is called, for its help: `npm run report --`. */
  readonly invocation: string;
  readonly print: (text: string) => void;
  readonly suites: Suites;
  /** A file of the package, by its path from `package.json`. */
  readonly packageFile: (path: string) => URL;
  /** Judges a run by the rules of this version; writes a run's files if a folder is given. */
  readonly judgeRun: (job: RunJob) => Promise<RunRecord>;
  /** Judges traffic that others recorded; writes a run's files if a folder is given. */
  readonly judgeHar: (job: Omit<HarJob, 'command'>) => Promise<RunRecord>;
}

/** A command of `report`: it is run by what was typed behind its name. @throws UsageProblem, HelpAsked */
export interface Command {
  readonly operands: string;
  readonly summary: string;
  readonly run: (argv: readonly string[], surroundings: Surroundings, name: string) => Promise<number>;
}

interface CommandParts<Some extends Options> extends Pick<Command, 'operands' | 'summary'> {
  readonly options: Some;
  readonly run: (
    operands: readonly string[],
    values: OptionValues<Some>,
    surroundings: Surroundings,
  ) => Promise<number>;
}

/** A command that reads its own command line: operands and options, checked and typed. */
export function command<const Some extends Options>({ run, ...parts }: CommandParts<Some>): Command {
  return {
    ...parts,
    run: async (argv, surroundings, name) => {
      const description = { ...parts, name: `${surroundings.invocation} ${name}` };
      const { operands, values } = checkCommandLine(argv, description);
      return run(operands, values, surroundings).catch(refuseFile);
    },
  };
}

/** A file or a folder that can't be read or written is the user's to change: Node's message names it. */
function refuseFile(error: unknown): never {
  if (!(error instanceof Error && 'syscall' in error)) throw error;
  throw new UsageProblem(error.message, { cause: error });
}
