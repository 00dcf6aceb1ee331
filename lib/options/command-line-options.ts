import { existsSync } from 'node:fs';
import { planNames } from '../specification/plan.js';
import { optionLines } from './command-line.js';
import { listOf, oneOf, onOff, option, text, time, wholeNumber } from './options-schema.js';
import { outputOption, scopeOptions, targetDetails, targetOptions } from './run-options.js';

/** The target by its name in the settings. */
export const namedTarget = {
  target: option(text, {
    value: 'NAME',
    help: 'from the settings or the environment: NAME_BASE_URL, …',
  }),
};

/** How the service under test gets there. */
export const serviceOptions = {
  /** A command of the shell. */
  start: option(text, { value: 'COMMAND', help: 'start the service so, and end it after the run' }),
  /** Milliseconds until the target must respond. */
  wait: option(time('0s', '1h'), { value: '30s', help: 'wait until the target responds' }),
};

/** What a production target needs. */
export const permissions = {
  allowWrites: onOff({ help: 'create, even on a production target (prod…, live…)' }),
  allowLoad: onOff({ help: 'send load, even to a production target' }),
};

const plans = listOf(oneOf(planNames)).refine(
  (names) => new Set(names).size === names.length,
  'must not name a plan twice',
);

const existing = text.refine((path) => existsSync(path), 'must be a file or folder that exists');

const groups = {
  Target: { ...namedTarget, ...targetOptions, ...targetDetails, ...serviceOptions },
  'What is judged': {
    ...scopeOptions,
    again: option(text, { value: 'DIR', bare: 'last', help: 'what failed in that run, or the last' }),
    watch: option(existing, { value: 'PATH', bare: '.', help: 'again at each change, until all is green' }),
    bail: option(wholeNumber(0, 1_000), { value: 'N', bare: '1', help: 'end once N requirements failed' }),
    plans: option(plans, { value: 'PLAN,…', help: 'several plans at once, keys from NAME_FREE_API_KEY, …' }),
    ...permissions,
  },
  Results: {
    ...outputOption,
    report: option(listOf(text), {
      value: 'R,…',
      help: 'html, junit, markdown, har, agent, all, none',
    }),
    waivers: option(text, { value: 'FILE', help: 'known failures, tolerated until a date' }),
    dryRun: onOff({ help: 'print what would be sent, and send nothing' }),
    verbose: onOff({ help: 'print all that is known of the run' }),
    help: onOff({ help: 'this text', short: 'h' }),
    version: onOff({ help: "the suite's version" }),
  },
};

/** Every option of `npm test`, in the order of `--help`. */
export const commandLineOptions = {
  ...groups.Target,
  ...groups['What is judged'],
  ...groups.Results,
};

/** What `--help` prints; it fits a screen of 80 columns. */
export function helpText(): string {
  const lines = Object.entries(groups).map(([title, options]) => `${title}\n${optionLines(options)}`);
  return `petstore-conformance [options]: judges a Pet Store Service by its specification.
Without a target: a self-check of the embedded reference service.

${lines.join('\n')}
Commands: init, report, load, explain, list, reference
Exit: 0 conformant or partial by choice, 1 non-conformant, 2 usage, 3 incomplete
`;
}
