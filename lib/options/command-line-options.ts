import { existsSync } from 'node:fs';
import type { CommandDescription } from './command-line.js';
import { group, listOf, nameIn, onOff, option, text, time, wholeNumber } from './option.js';
import { outputOptions, scopeOptions, targetOptions } from './run-options.js';

/** The target by its name, and how it gets there. */
export const startOptions = group('Target:', {
  target: option(text, 'NAME', 'by its name: NAME_BASE_URL, or the settings file'),
  /** A command of the shell. */
  start: option(text, 'COMMAND', 'start the service so, and end it after the run'),
  /** Milliseconds until the target must respond. */
  wait: option(time('0s', '1h'), '30s', 'wait until the target responds'),
});

/** What a production target needs. */
export const permissions = group('The run:', {
  allowWrites: onOff('create, even on a production target (prod…, live…)'),
  allowLoad: onOff('send load, even to a production target'),
});

/** The formats of reports, by the names that `--report` takes. */
export const reportNames = ['html', 'junit', 'markdown'] as const;

const existing = text.refine((path) => existsSync(path), 'must be a file or folder that exists');

/** Every option of `npm test`, in the order of `--help`. */
export const commandLineOptions = {
  ...startOptions,
  ...targetOptions,
  ...scopeOptions,
  ...group('The run:', {
    again: option(text, 'DIR', 'what failed in that run, or the last', { bare: 'last' }),
    watch: option(existing, 'PATH', 'again at each change, until all is green', { bare: '.' }),
    bail: option(wholeNumber(0, 1_000), 'N', 'end once N requirements (1) failed', { bare: '1' }),
  }),
  ...permissions,
  ...outputOptions,
  ...group('Results:', {
    report: option(
      listOf(nameIn([...reportNames, 'all', 'none'], 'report')),
      'R,…',
      `${reportNames.join(', ')}, all, none`,
    ),
    waivers: option(text, 'FILE', 'known failures, tolerated until a date'),
    dryRun: onOff('print what would be sent, and send nothing'),
    verbose: onOff('print all that is known of the run'),
    version: onOff("the suite's version"),
  }),
};

/** @param name how the command is called */
export function conformanceCommand(name: string): CommandDescription<typeof commandLineOptions> {
  return {
    name,
    options: commandLineOptions,
    summary: `Judges a Pet Store Service by its specification.
Without a target: a self-check of the embedded reference service.`,
    closing: `Commands: init, report, load, explain, list, reference
Exit: 0 conformant or partial by choice, 1 non-conformant, 2 usage, 3 incomplete`,
  };
}
