import { existsSync } from 'node:fs';
import { z } from 'zod';
import { planNames } from '../specification/plan.js';
import { optionLines } from '../usage/command-line.js';
import { listOf, oneOf, onOff, option, text, time, wholeNumber } from '../usage/options-schema.js';
import { outputOption, scopeOptions, targetDetails, targetOptions } from './run-options.js';

const targetName = text
  .max(60, 'must have at most 60 characters')
  .refine((name) => !/^reference$/i.test(name), 'must not be reference: the embedded service has this name');

/** The target by its name in the settings, and the name of one that has only an address. */
export const namedTarget = {
  target: option(text, {
    value: 'NAME',
    help: 'from the settings or the environment: NAME_BASE_URL, …',
  }),
  name: option(targetName, { value: 'NAME', help: 'what reports call the target of --base-url' }),
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

const pattern = text.refine((typed) => {
  try {
    return RegExp(typed) instanceof RegExp;
  } catch {
    return false;
  }
}, 'must be a regular expression');

const groups = {
  Target: { ...namedTarget, ...targetOptions, ...targetDetails, ...serviceOptions },
  'What is judged': {
    ...scopeOptions,
    again: option(text, { value: 'DIR', help: 'what failed in that run (last: in the last one)' }),
    watch: option(existing.or(z.literal(true)), {
      value: 'PATH',
      mayBeBare: true,
      help: 'again at each change of a file, until all is green',
    }),
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
    /** The most days that a waiver may last from the run on. */
    maxWaiverDays: option(wholeNumber(1, 3_650), { value: 'N' }),
    dryRun: onOff({ help: 'print what would be sent, and send nothing' }),
    quiet: onOff({ help: 'print only what is wrong, and the verdict', short: 'q' }),
    verbose: onOff({ help: 'print each verdict as it is reached' }),
    help: onOff({ help: 'this text', short: 'h' }),
    version: onOff({ help: "the suite's version", short: 'v' }),
  },
};

/** Vitest's own options that pass through. Others would change how the suites run. */
const vitestOptions = {
  testNamePattern: option(pattern, { flag: 'testNamePattern', short: 't' }),
  bail: option(wholeNumber(0, 1_000), {}),
};

/** Every option of `npm test`, in the order of `--help`. */
export const commandLineOptions = {
  ...groups.Target,
  ...groups['What is judged'],
  ...groups.Results,
  ...vitestOptions,
};

/** What `--help` prints; it fits a screen of 80 columns. */
export function helpText(): string {
  const lines = Object.entries(groups).map(([title, options]) => `${title}\n${optionLines(options)}`);
  return `petstore-conformance [ADDRESS] [options]: judges a Pet Store Service by its
specification. Without a target: a self-check of the embedded reference service.

${lines.join('\n')}
Also: --consistency=2s, --accept-short-key, --max-waiver-days=N, --bail=N, -t.
Commands: init, report, load, explain, list, reference
Exit: 0 conformant or partial by choice, 1 non-conformant, 2 usage, 3 incomplete
`;
}
