import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { redactionOfProgram } from '../lib/options/command-redaction.js';
import { reportNames, targetOptions } from '../lib/options/run-options.js';
import { planOf } from '../lib/options/target.js';
import {
  flagOf,
  listOf,
  oneOf,
  onOff,
  option,
  readAs,
  text,
  type Options,
  type OptionValues,
} from '../lib/options/option.js';
import { writeRun } from '../lib/evidence/record/run-files.js';
import { exitCode } from '../lib/verdict/class-verdict.js';
import { attestationFile, attestationOf, readKey, statementOf } from './attestation.js';
import { compareRuns, comparisonMarkdown, comparisonText } from './compare.js';
import { readFinishedRun, readJudgedRun, manifestDigest } from './finished-run.js';
import { regressionTest, testKinds } from './regression.js';
import { renderersIn, writeReport, writeReports } from './renderers.js';
import { renderTerminal } from './terminal/terminal-report.js';
import { verificationText, verifyRun } from './verify/verify-run.js';
import type { TextLayout } from './terminal/layout.js';
import {
  checkCommandLine,
  HelpAsked,
  invocationOf,
  type CommandDescription,
} from '../lib/options/command-line.js';
import { didYouMean } from '../lib/explain/nearest-name.js';
import { UsageProblem } from '../lib/explain/usage-problem.js';

interface Surroundings extends TextLayout {
  readonly print: (text: string) => void;
}

/** What was typed behind the name of a command is checked before it runs. Its result is the exit code, by default 0. */
interface Command<Some extends Options = Options> extends Pick<CommandDescription<Some>, 'options'> {
  /** By default `DIR`. */
  readonly operands?: string;
  readonly summary: string;
  run(operands: readonly string[], values: OptionValues<Some>, out: Surroundings): Promise<number | void>;
}

/** A command whose values have the types of its options. */
const command = <const Some extends Options>(parts: Command<Some>): Command => parts;

const shownNames = [...reportNames, 'terminal', 'all'] as const;

/** As a run prints it when it ends: `Digest sha256:…`. */
const digest = readAs(
  (typed) => /^(?:sha256:)?([0-9a-f]{64})$/u.exec(typed)?.[1],
  'must be sha256: and 64 hexadecimal digits, as a run prints it when it ends',
);

const keyIn = (kind: 'private' | 'public') => text.transform((file) => readKey(file, kind));

const { baseUrl, plan, perMinute, perDay } = targetOptions;
const ofTarget = { baseUrl, plan, perMinute, perDay };

const verbose = onOff('the run, the target and its figures, too');
const output = option(text, 'FILE', 'write it there');
const rules = option(text, 'FILE', 'your own requirements, to judge them again');
const report = option(listOf(oneOf(shownNames)), 'NAME,…', `${shownNames.join(', ')} (default: html)`);

const commands: Readonly<Record<string, Command>> = {
  render: command({
    summary: 'Makes reports again, from a finished run.',
    options: { report, output: option(text, 'FOLDER', 'where they go (default: DIR)'), verbose },
    async run([directory = ''], { report = ['html'], output, verbose }, surroundings) {
      const run = await readFinishedRun(directory);
      for (const name of renderersIn(report)) surroundings.print(await writeReport(run, name, output));
      if (report.includes('terminal'))
        surroundings.print(renderTerminal(run.record, { ...surroundings, directory, verbose }));
    },
  }),
  compare: command({
    operands: 'OLD NEW',
    summary: `What broke, was fixed, or is judged for the first time or no longer.
Exit code 1 if something broke, 3 if a MUST is no longer judged.`,
    options: { output: option(text, 'FILE', 'as a Markdown page, for a pull request') },
    async run([old = '', recent = ''], { output }, surroundings) {
      const { record: before } = await readJudgedRun(old);
      const { record: after } = await readJudgedRun(recent);
      const comparison = compareRuns(before, after);
      surroundings.print(comparisonText(comparison, surroundings));
      if (output !== undefined) await writeFile(output, comparisonMarkdown(comparison));
      return comparison.code;
    },
  }),
  site: command({
    operands: 'DIR…',
    summary: 'Static pages to publish: implementations (DIR or NAME=DIR), with evidence.',
    options: { output: option(text, 'FOLDER', 'where they go (default: site)') },
    async run(folders, { output = 'site' }, { print }) {
      const { writeSite } = await import('./site.js');
      const runs = folders.map(async (named) => {
        const [, name, folder = named] = /^([^=/\\]+)=(.+)$/u.exec(named) ?? [];
        return { ...(await readJudgedRun(folder)), name };
      });
      print(await writeSite(await Promise.all(runs), output));
    },
  }),
  test: command({
    summary: 'Writes a finding as a test to keep: it fails until the fault is mended.',
    options: {
      id: option(text, 'ID', 'the requirement (default: the first that failed)'),
      as: option(oneOf(testKinds), 'KIND', `${testKinds.join(', ')} (default: vitest)`),
      output,
    },
    async run([directory = ''], { id, as: kind = 'vitest', output }, { print }) {
      const text = await regressionTest(await readJudgedRun(directory), kind, id);
      // A test that people have gone on with must not be lost.
      if (output !== undefined) await writeFile(output, text, { flag: 'wx' });
      print(output ?? text);
    },
  }),
  verify: command({
    summary: `Proves that no file was changed, and judges the run again, offline.
Exit code 1 if the evidence contradicts the run, 3 if it is not whole.`,
    options: {
      digest: option(digest, 'sha256:HEX', 'as the run printed it when it ended'),
      key: option(keyIn('public'), 'FILE', 'the public key that signed its attestation.json'),
      rules,
    },
    async run([directory = ''], { digest, key, rules }, surroundings) {
      const verification = await verifyRun(directory, { digest, rules, key });
      surroundings.print(verificationText(verification, surroundings));
      return verification.code;
    },
  }),
  judge: command({
    operands: 'FILE.har|DIR',
    summary: `Judges traffic that a browser or a proxy recorded (HTTP Archive 1.2), or a
run that another version made, by the rules of this one.
Exit code as of a run.`,
    options: {
      ...ofTarget,
      output: option(text, 'FOLDER', "where a run's files go"),
      report,
      overwrite: onOff('replace the run that FOLDER holds'),
      rules,
      verbose,
    },
    async run([file = ''], { output, report = ['html'], overwrite, rules, verbose, ...given }, surroundings) {
      const [{ judgeRun }, { judgeHar }] = await Promise.all([
        import('../lib/run/judge-again.js'),
        import('../lib/run/judge-har.js'),
      ]);
      const typed = ['petstore-conformance', ...process.argv.slice(2)].join(' ');
      const plan = planOf(given, (name) => flagOf(ofTarget, name));
      const isRun = (await stat(file).catch(() => undefined))?.isDirectory();
      const run = isRun ? await readJudgedRun(file) : undefined;
      const judged = run
        ? await judgeRun({ ...run, exchanges: run.exchanges() }, rules)
        : judgeHar({ file, baseUrl: given.baseUrl, plan, command: redactionOfProgram()(typed) });
      const { record } = judged;
      writeRun(output, judged, overwrite);
      if (output !== undefined) await writeReports(output, renderersIn(report));
      surroundings.print(renderTerminal(record, { ...surroundings, directory: output, verbose }));
      return exitCode(record);
    },
  }),
  attest: command({
    summary: `Verifies the run and writes what it shows as an in-toto test result into
DIR/attestation.json, signed by an Ed25519 key (DSSE) or unsigned.`,
    options: { key: option(keyIn('private'), 'FILE', 'the private key that signs'), output },
    async run([directory = ''], { key, output = join(directory, attestationFile) }, surroundings) {
      const verification = await verifyRun(directory);
      if (verification.code === 0) {
        const { record } = await readJudgedRun(directory);
        await writeFile(output, attestationOf(statementOf(record, await manifestDigest(directory)), key));
      }
      surroundings.print(verification.code === 0 ? output : verificationText(verification, surroundings));
      return verification.code;
    },
  }),
};

/** `npm run report`: returns the exit code of the command that is named. @throws UsageProblem, HelpAsked */
export async function reportCommand(
  [name = '', ...rest]: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  if (/^(?:help|--help|-h)$/u.test(name)) throw new HelpAsked(helpText());
  const names = Object.keys(commands);
  if (name === '') throw new UsageProblem(`a command is missing: ${names.join(', ')} (see --help)`);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const near = didYouMean(name, names);
  if (!command) throw new UsageProblem(`unknown command ${name}.${near} There are ${names.join(', ')}`);
  const description = { operands: 'DIR', ...command, name: `report ${name}` };
  const { operands, values } = checkCommandLine(rest, description);
  try {
    return (await command.run(operands, values, surroundings)) ?? 0;
  } catch (error) {
    // A file or a folder that can't be read or written is the user's to change: Node's message names it.
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new UsageProblem(error.message, { cause: error });
  }
}

function helpText(): string {
  const parts = Object.entries(commands).map(([name, { operands = 'DIR', summary }]) => {
    const indented = summary.replaceAll(/^/gm, '      ');
    return `  ${invocationOf(`report ${name}`)} ${operands} [options]\n${indented}\n`;
  });
  return `Reports of finished runs; nothing is sent. DIR is the folder that a run wrote.

${parts.join('\n')}
  ${invocationOf('report')} NAME --help shows the options of one.
Exit code 2: the command or a folder is wrong.
`;
}
