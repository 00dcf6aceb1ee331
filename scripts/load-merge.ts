import { redactionOfProgram } from '../lib/options/command-redaction.js';
import { outputOptions } from '../lib/options/run-options.js';
import { writeRun } from '../lib/evidence/record/run-files.js';
import { ledgerFile, readLedger } from '../lib/load/ledger-file.js';
import { mergeShares, type ShareRun } from '../lib/run/merge-shares.js';
import { checkCommandLine, invocationOf } from '../lib/options/command-line.js';
import { readFinishedRun, recordFile, UnreadableRun } from '../reports/finished-run.js';
import { writeManifest } from '../reports/manifest.js';
import { loadExitCode } from '../reports/summary/load-summary.js';
import { renderTerminal } from '../reports/terminal/terminal-report.js';
import { verifyRun } from '../reports/verify/verify-run.js';
import { complain, layout, print, runFolder } from './run-command.js';

/** `load merge DIR…`: one run of the whole load, from the folders of its shares. */
export async function mergeLoad(argv: readonly string[]): Promise<number> {
  const { values, operands } = checkCommandLine(argv, {
    name: `${invocationOf('load')} merge`,
    operands: 'DIR…',
    options: outputOptions,
    summary: 'One run of the shares of a load.',
    closing: 'Exit: as that of a load; 2 if the folders are not all shares of one load',
  });
  const runs: ShareRun[] = [];
  const problems: string[] = [];
  for (const directory of operands) {
    const share = await readShare(directory);
    if (Array.isArray(share)) problems.push(...share);
    else runs.push(share);
  }
  for (const problem of problems) complain(problem);
  if (problems.length > 0) return 2;
  const command = redactionOfProgram(process)(['petstore-conformance load merge', ...argv].join(' '));
  const merged = mergeShares(runs, command);
  const { record } = merged;
  const directory = runFolder(values.output, `load-${record.target.name}`);
  writeRun(directory, merged, values.overwrite);
  const append = ledgerFile(directory);
  for (const line of merged.lines) append(line);
  await writeManifest(directory);
  print(renderTerminal(record, { ...layout, directory, file: recordFile }));
  return loadExitCode(record);
}

/** A share that its evidence proves, or what is wrong with its folder: what was changed in a share would change the whole. */
async function readShare(directory: string): Promise<ShareRun | string[]> {
  try {
    const { record, exchanges } = await readFinishedRun(directory);
    const { code, remarks } = await verifyRun(directory);
    // An unfinished share is merged: then the whole is unfinished, too.
    if (code === 1 || (code === 3 && record.run.complete))
      return remarks.filter(({ mark }) => /[✗?]/u.test(mark)).map(({ text }) => `${directory}: ${text}`);
    return { directory, record, lines: await readLedger(directory), exchanges: exchanges() };
  } catch (error) {
    if (error instanceof UnreadableRun) return [error.message];
    throw error;
  }
}
