import { invocationOf } from '../lib/options/command-line.js';
import { reportCommand } from '../reports/report-command.js';
import { layout } from './run-command.js';

/** `report render | compare | site | verify | judge | test | attest`: reports of finished runs. */
export async function main(argv: readonly string[]): Promise<number> {
  return reportCommand(argv, {
    ...layout,
    print: (text) => process.stdout.write(text.endsWith('\n') ? text : `${text}\n`),
    invocation: invocationOf('report'),
  });
}
