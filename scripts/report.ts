import { redactionOfProgram } from '../lib/options/command-redaction.js';
import { reportCommand } from '../reports/report-command.js';
import { suiteDigest } from '../lib/run/suite-code.js';
import { suiteName, suiteVersion } from '../lib/run/suite-name.js';
import { invocationOf } from '../lib/options/command-line.js';
import { terminalWidth } from '../lib/explain/terminal.js';
import { runCommand } from './run-command.js';

/** `npm run report -- render | compare | matrix | waivers | verify`: reports of finished runs. */
const { stdout, stderr, env } = process;

await runCommand('report', (argv) =>
  reportCommand(argv, {
    print: (text) => stdout.write(text.endsWith('\n') ? text : `${text}\n`),
    complain: (line) => stderr.write(`report: ${line}\n`),
    invocation: invocationOf('report', process.argv),
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
  }),
);
