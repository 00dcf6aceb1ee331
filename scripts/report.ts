import { redactionOfProgram } from '../lib/options/command-redaction.js';
import { invocationOf } from '../lib/options/command-line.js';
import { packageFile, suiteName, suiteVersion } from '../lib/run/suite-name.js';
import { reportCommand } from '../reports/report-command.js';
import { layout } from './run-command.js';

/** `report render | compare | site | verify | judge | test | attest`: reports of finished runs. */
export async function main(argv: readonly string[]): Promise<number> {
  return reportCommand(argv, {
    ...layout,
    print: (text) => process.stdout.write(text.endsWith('\n') ? text : `${text}\n`),
    invocation: invocationOf('report'),
    packageFile,
    judgeHar: async (given) => {
      const { judgeHar } = await import('../lib/run/judge-har.js');
      const command = redactionOfProgram(process)(['petstore-conformance report', ...argv].join(' '));
      return judgeHar({ ...given, command });
    },
    judgeRun: async (job) => (await import('../lib/run/judge-run.js')).judgeRun(job),
    suites: {
      name: suiteName,
      version: suiteVersion,
      // The suites are loaded only if they are needed: they take longer than most reports.
      judgeAgain: async (run, rules) => (await import('../lib/run/judge-again.js')).judgeAgain(run, rules),
    },
  });
}
