import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LoadMeasurement, RunRecord } from '../lib/record/record.js';
import { planNames, plans, type Plan } from '../lib/specification/plan.js';
import { readCommandLine, valuesTyped } from '../lib/options/command-line.js';
import { didYouMean } from '../lib/explain/nearest-name.js';
import {
  checkOptions,
  listOf,
  nameIn,
  oneOf,
  onOff,
  option,
  readAs,
  text,
  wholeNumber,
  type OptionValues,
} from '../lib/options/options-schema.js';
import { UsageProblem } from '../lib/explain/usage-problem.js';
import { exitCode } from '../lib/verdict/exit-status.js';
import { differentLoads } from './compare/load-comparison.js';
import { compareRuns, comparisonExitCode } from './compare/run-comparison.js';
import { comparisonMarkdown, comparisonText } from './compare/comparison-text.js';
import { readFinishedRun, UnreadableRun, type FinishedRun } from './finished-run.js';
import { attestationFile, attestationOf, readKey, subject } from './attest/attestation.js';
import { manifestResource, updateManifest } from './manifest.js';
import { writeReport } from './renderer.js';
import { rendererNames, renderers, writeReports } from './renderers.js';
import { matrixMarkdown, matrixOf, matrixText } from './run-matrix.js';
import { isLoad } from './summary/load-summary.js';
import { layoutOf, type TextLayout } from './terminal/layout.js';
import { renderTerminal } from './terminal/terminal-report.js';
import { printable } from '../lib/explain/printable.js';
import { count } from './text/quantity.js';
import { verificationText } from './verify/verify-text.js';
import { verifyRun, type Suites } from './verify/verify-run.js';
import { draftWaivers } from './waivers/draft-waivers.js';

/** What a command has from the outside. */
export interface Surroundings extends TextLayout {
  /** How the command is called, for its help: `npm run report --`. */
  readonly invocation: string;
  readonly print: (text: string) => void;
  readonly now: Date;
  readonly suites: Suites;
  readonly judgeHar: JudgeHar;
}

/** Judges traffic that others recorded; writes a run's files if a folder is given. */
type JudgeHar = (given: {
  readonly file: string;
  readonly baseUrl?: string | undefined;
  readonly plan?: Plan | undefined;
  readonly directory?: string | undefined;
  readonly overwrite?: boolean | undefined;
}) => Promise<RunRecord>;

const reportNames = [...rendererNames, 'terminal'] as const;
/** As a run prints it when it ends: `Digest sha256:…`. */
const digest = readAs(
  (typed) => /^(?:sha256:)?([0-9a-f]{64})$/u.exec(typed)?.[1],
  'must be sha256: and 64 hexadecimal digits, as a run prints it when it ends',
);

const share = readAs((typed) => {
  const percents = /^(\d+(?:\.\d+)?)%$/u.exec(typed)?.[1];
  return percents === undefined ? undefined : Number(percents) / 100;
}, 'must be a share (10%)');

const allOptions = {
  report: option(listOf(nameIn([...reportNames, 'all'], 'report')), { value: 'NAME,…' }),
  output: option(text, { value: 'FOLDER' }),
  digest: option(digest, { value: 'sha256:HEX' }),
  key: option(text, { value: 'FILE.pem' }),
  subject: option(listOf(subject), { value: 'NAME@sha256:HEX' }),
  baseUrl: option(text, { value: 'URL' }),
  plan: option(oneOf(planNames), { value: 'PLAN' }),
  perMinute: option(wholeNumber(1, 1_000_000), { value: 'N' }),
  perDay: option(wholeNumber(1, 1_000_000_000), { value: 'N' }),
  tolerance: option(share, { value: 'SHARE' }),
  overwrite: onOff({}),
  help: onOff({ short: 'h' }),
};
type Values = OptionValues<typeof allOptions>;

interface Command {
  /** The folders and options, as the help shows them. */
  readonly usage: string;
  /** The least and the most folders that it takes. */
  readonly folders: readonly [least: number, most: number];
  readonly options: readonly (keyof Values)[];
  readonly help: readonly string[];
  readonly run: (folders: readonly string[], values: Values, surroundings: Surroundings) => Promise<number>;
}

const commands: Record<string, Command> = {
  render: {
    usage: 'DIR [--report=NAME,…] [--output=FOLDER]',
    folders: [1, 1],
    options: ['report', 'output'],
    help: ['makes reports again, into DIR or FOLDER (default: html; all: each of them)'],
    async run([directory = ''], { report = ['html'], output }, surroundings) {
      const all = report.includes('all') ? rendererNames : [];
      const names = reportNames.filter((name) => [...all, ...report].includes(name));
      const run = await readFinishedRun(directory);
      for (const name of names) {
        if (name === 'terminal') {
          surroundings.print(renderTerminal(run.record, { ...surroundings, directory }));
        } else {
          surroundings.print(await writeReport(run, renderers[name], output).catch(refuseUnwritable));
        }
      }
      const made = names.flatMap((name) => (name === 'terminal' ? [] : [renderers[name].file]));
      if (output === undefined) await updateManifest(directory, made);
      return 0;
    },
  },
  compare: {
    usage: 'OLD NEW [--output=FILE --tolerance=N%]',
    folders: [2, 2],
    options: ['output', 'tolerance'],
    help: [
      'what broke, was fixed, or is judged for the first time or no longer;',
      'exit code 1 if something broke, 3 if a MUST is no longer judged;',
      'of two loads of one rate and mix: which figures got worse by more than',
      '--tolerance (10%; a latency also by at least 1 ms), with exit code 1;',
      'with --output as a Markdown page, for a pull request',
    ],
    async run([old = '', recent = ''], { output, tolerance }, surroundings) {
      const [before, after] = [await readFinishedRun(old), await readFinishedRun(recent)];
      refuseIncomparable(before, after, tolerance);
      const comparison = compareRuns(before.record, after.record, tolerance);
      surroundings.print(comparisonText(comparison, surroundings));
      if (output !== undefined) await store(output, comparisonMarkdown(comparison), 'w');
      return comparisonExitCode(comparison);
    },
  },
  matrix: {
    usage: 'DIR DIR … [--output=FILE.md]',
    folders: [1, Infinity],
    options: ['output'],
    help: ['implementations side by side; with --output as a Markdown page'],
    async run(folders, { output }, surroundings) {
      const matrix = matrixOf(await Promise.all(folders.map(judgedIn)));
      if (output === undefined) surroundings.print(matrixText(matrix, surroundings));
      else surroundings.print(await store(output, matrixMarkdown(matrix), 'w'));
      return 0;
    },
  },
  waivers: {
    usage: 'DIR [--output=FILE]',
    folders: [1, 1],
    options: ['output'],
    help: ['a file of waivers (YAML) to start from, one for each failure of the run'],
    async run([directory = ''], { output }, { print, now }) {
      const draft = draftWaivers(await judgedIn(directory), now);
      print(output === undefined ? draft : await store(output, draft, 'wx'));
      return 0;
    },
  },
  verify: {
    usage: 'DIR [--digest=HEX] [--key=FILE]',
    folders: [1, 1],
    options: ['digest', 'key'],
    help: [
      'proves that no file was changed, and judges the run again, offline;',
      '--digest: as the run printed it when it ended; --key: the public key that',
      'signed its attestation.json;',
      'exit code 1 if the evidence contradicts the run, 3 if it is not whole',
    ],
    async run([directory = ''], { digest, key }, surroundings) {
      const witnesses = { digest, key: key === undefined ? undefined : readKey(key, 'check') };
      const verification = await verifyRun(directory, surroundings.suites, witnesses);
      surroundings.print(verificationText(verification, surroundings));
      return verification.code;
    },
  },
  judge: {
    usage: 'FILE.har [--plan=PLAN] [--output=FOLDER]',
    folders: [1, 1],
    options: ['baseUrl', 'plan', 'perMinute', 'perDay', 'output', 'report', 'overwrite'],
    help: [
      'judges traffic that a browser or a proxy recorded (HTTP Archive 1.2); exit',
      'code as of a run; --plan: of the key, to judge its limits (enterprise with',
      '--per-minute=N --per-day=N); --base-url=URL: which of several services',
    ],
    async run([file = ''], { output, report = ['html'], overwrite, ...given }, surroundings) {
      const plan = planOf(given);
      const job = { file, baseUrl: given.baseUrl, plan, directory: output, overwrite };
      const record = await surroundings.judgeHar(job);
      const all = report.includes('all') ? rendererNames : [];
      const names = rendererNames.filter((name) => [...all, ...report].includes(name));
      if (output !== undefined) await writeReports(output, names);
      surroundings.print(renderTerminal(record, { ...surroundings, directory: output }));
      return exitCode(record);
    },
  },
  attest: {
    usage: 'DIR [--key=FILE] [--subject=NAME@…]',
    folders: [1, 1],
    options: ['key', 'subject', 'output'],
    help: [
      'verifies the run and writes what it shows as an in-toto test result into',
      'DIR/attestation.json (or --output=FILE), signed by an Ed25519 key (DSSE)',
      'or unsigned; --subject=NAME@sha256:HEX names what was tested',
    ],
    async run([directory = ''], { key, subject: others = [], output }, surroundings) {
      const signer = key === undefined ? undefined : readKey(key, 'sign');
      const verification = await verifyRun(directory, surroundings.suites);
      if (verification.code !== 0) {
        surroundings.print(verificationText(verification, surroundings));
        return verification.code;
      }
      const text = attestationOf(await judgedIn(directory), await manifestResource(directory), {
        others,
        key: signer,
      });
      surroundings.print(await store(output ?? join(directory, attestationFile), text, 'w'));
      return 0;
    },
  },
};

/**
 * `npm run report`: parses, runs, and turns what the user can put right into one line. Returns the exit code; 2 if the
 * command or a folder is wrong.
 */
export async function reportCommand(
  argv: readonly string[],
  surroundings: Surroundings & { readonly complain: (line: string) => void },
): Promise<number> {
  try {
    return await runCommand(argv, surroundings);
  } catch (error) {
    if (!(error instanceof UsageProblem) && !(error instanceof UnreadableRun)) throw error;
    surroundings.complain(printable(error.message));
    return 2;
  }
}

async function runCommand(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const name = argv.find((argument) => !argument.startsWith('-')) ?? '';
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const options = Object.fromEntries(
    (['help', ...(command?.options ?? [])] as const).map((each) => [each, allOptions[each]]),
  );
  const names = Object.keys(commands);
  if (!command && name !== '' && name !== 'help') {
    throw new UsageProblem(`unknown command ${name}.${didYouMean(name, names)}`);
  }
  const { typed, operands } = readCommandLine(argv, options, { operands: true });
  if (typed['help'] || name === 'help') {
    surroundings.print(helpText(surroundings.invocation));
    return 0;
  }
  if (!command) throw new UsageProblem(`a command is missing: ${names.join(', ')} (see --help)`);
  const values: Values = checkOptions(options, valuesTyped(options, typed), ([option = '']) => `--${option}`);
  const [, ...folders] = operands;
  const [least, most] = command.folders;
  if (folders.length < least || folders.length > most) {
    throw new UsageProblem(`usage: ${name} ${command.usage}; got ${count(folders.length, 'folder')}`);
  }
  return command.run(folders, values, surroundings);
}

/** What `--help` prints. */
function helpText(invocation: string): string {
  const layout = layoutOf({ columns: 80, colour: false });
  const reports = [...Object.values(renderers), terminalReport].map(({ name, file, summary }) =>
    layout.paragraph(`    ${name.padEnd(10)}${file.padEnd(14)}`, summary),
  );
  const parts = Object.entries(commands).map(([name, { usage, help }]) =>
    [
      `  ${invocation} ${name} ${usage}`,
      ...help.map((line) => `      ${line}`),
      ...(name === 'render' ? reports : []),
      '',
    ].join('\n'),
  );
  return `Reports of finished runs; nothing is sent. DIR is the folder that a run wrote.

${parts.join('\n')}
Exit code 2: the command or a folder is wrong.
`;
}

const terminalReport = { name: 'terminal', file: '(printed)', summary: 'what the run printed when it ended' };

/** @throws UsageProblem for Enterprise without its limits. */
function planOf({
  plan: name,
  perMinute,
  perDay,
}: Pick<Values, 'plan' | 'perMinute' | 'perDay'>): Plan | undefined {
  if (name !== 'enterprise') return name && plans[name];
  if (perMinute === undefined || perDay === undefined)
    throw new UsageProblem('--plan=enterprise needs --per-minute=N and --per-day=N');
  return { name, perMinute, perDay };
}

/** @throws UsageProblem for a load beside a run of the suite, loads of another rate or mix, and a tolerance without loads. */
function refuseIncomparable(before: FinishedRun, after: FinishedRun, tolerance: number | undefined): void {
  const [load, other] = isLoad(before.record) ? [before, after] : [after, before];
  if (!isLoad(load.record)) {
    if (tolerance !== undefined) throw new UsageProblem('--tolerance is for two loads');
    return;
  }
  if (!isLoad(other.record))
    throw new UsageProblem(
      `${load.directory} holds a load, ${other.directory} does not: compare two of one kind`,
    );
  const differing = differentLoads(measured(before), measured(after));
  if (differing.length > 0)
    throw new UsageProblem(
      `the loads differ in ${differing.join(' and ')}: compare loads of one rate and mix`,
    );
}

function measured({ record, directory }: FinishedRun): LoadMeasurement {
  if (!record.load) throw new UsageProblem(`${directory} holds a load that measured nothing`);
  return record.load;
}

/** @throws UsageProblem for a load, UnreadableRun if there is no run. */
async function judgedIn(directory: string): Promise<RunRecord> {
  const { record } = await readFinishedRun(directory);
  if (isLoad(record)) throw new UsageProblem(`${directory} holds a load, which judges no requirement`);
  return record;
}

/** `wx` refuses to replace a file: waivers that people have filled in must not be lost. */
async function store(file: string, text: string, flag: 'w' | 'wx'): Promise<string> {
  await writeFile(file, text, { flag }).catch(refuseUnwritable);
  return file;
}

function refuseUnwritable(error: unknown): never {
  if (!(error instanceof Error) || !('syscall' in error)) throw error;
  const why = 'code' in error && error.code === 'EEXIST' ? 'it already exists' : error.message;
  throw new UsageProblem('path' in error ? `${String(error.path)} cannot be written: ${why}` : why, {
    cause: error,
  });
}
