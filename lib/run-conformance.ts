import { commandLineOptions, programOptions, type RunConformanceOptions } from './options/run-options.js';
import { settingsOf, withTarget } from './options/request.js';
import type { RunRecord } from './evidence/record/record.js';
import { run } from './run/conformance.js';
import { targetOf } from './options/target.js';
import { commandOf } from './options/command-line.js';
import { checkOptions } from './options/option.js';

/**
 * Judges an implementation of the Pet Store Service, as the command line does, and returns the same record. Whatever the
 * target does is a verdict: nothing of it makes this reject.
 *
 * @example
 * const record = await runConformance({ baseUrl: 'http://localhost:8080/v1', apiKey: process.env.KEY, profile: 'quick' });
 * if (record.verdict !== 'conformant') process.exitCode = exitCode(record);
 *
 * @throws UsageProblem for an option that is not valid; its message is one line.
 * @throws OutputProblem if `output` can't be written. Either way nothing has been sent.
 * @throws RecordLost, with the record, if `output` can no longer be written when the run ends.
 */
export async function runConformance(options: RunConformanceOptions = {}): Promise<RunRecord> {
  const values = checkOptions(programOptions, options);
  const nameOf = (option: string): string => option;
  // A program says what it wants in its options: only proxies are those of the environment.
  const target = await targetOf('target', values, nameOf, process.env);
  const command = commandOf('npx petstore-conformance', commandLineOptions, options);
  const request = { values, target, nameOf, command };
  const settings = settingsOf(request);
  const { signal } = values;
  return withTarget(request, async (target) => run({ ...settings, target }, signal ? { signal } : {}));
}
