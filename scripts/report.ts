import { redactionOfProgram } from '../lib/options/command-redaction.js';
import { invocationOf } from '../lib/options/command-line.js';
import { terminalWidth } from '../lib/explain/terminal.js';
import { suiteDigest } from '../lib/run/suite-code.js';
import { suiteName, suiteVersion } from '../lib/run/suite-name.js';
import { reportCommand } from '../reports/report-command.js';
import { complain } from './run-command.js';

/** `report render | compare | matrix | waivers | verify | judge | attest`: reports of finished runs. */
export async function main(argv: readonly string[]): Promise<number> {
  const { stdout, env } = process;
  return reportCommand(argv, {
    print: (text) => stdout.write(text.endsWith('\n') ? text : `${text}\n`),
    complain,
    invocation: invocationOf('report'),
    columns: terminalWidth(stdout),
    colour: stdout.isTTY && stdout.hasColors() && !env['NO_COLOR'],
    now: new Date(),
    judgeHar: async (given) => {
      const { judgeHar } = await import('../lib/run/judge-har.js');
      const command = redactionOfProgram(process)(['petstore-conformance report', ...argv].join(' '));
      return judgeHar({ ...given, command, environment: env });
    },
    suites: {
      name: suiteName,
      version: suiteVersion,
      get digest() {
        return suiteDigest();
      },
      // The suites are loaded only if they are needed: they take longer than most reports.
      judgeAgain: async (run) => (await import('../lib/run/judge-again.js')).judgeAgain(run),
    },
  });
}
