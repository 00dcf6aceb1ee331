import { join } from 'node:path';
import { Interrupted } from '../lib/http/client/run-end.js';
import { redactionOfProgram } from '../lib/options/command-redaction.js';
import { makeRunFolder, serviceLog, type EarlierRun } from '../lib/record/run-files.js';
import type { Readiness } from '../lib/service/ready-target.js';
import type { Waiting } from '../lib/service/target-response.js';
import type { Target } from '../lib/target/target.js';
import { complain } from './run-command.js';

interface Service extends Readiness, Waiting, EarlierRun {
  readonly target: Target;
  /** Takes what the service prints. */
  readonly directory: string;
}

/**
 * Starts the service under test if there is a command, waits for it, and ends it after the use. Undefined if it was
 * interrupted before anything responded.
 */
export async function withService<Result>(
  { target, directory, start, wait, overwrite, goOn, ...waiting }: Service,
  use: () => Promise<Result>,
): Promise<Result | undefined> {
  if (start === undefined && wait === undefined) return use();
  const { readyTarget, withLines } = await import('../lib/service/ready-target.js');
  const redact = redactionOfProgram(process).received;
  if (start !== undefined) makeRunFolder(directory, { overwrite, goOn });
  const log = join(directory, serviceLog);
  try {
    const { service, problem } = await readyTarget(target, { start, wait }, { log, redact, ...waiting });
    if (problem !== undefined) await complain('petstore-conformance', problem);
    try {
      const result = await use();
      // Undefined if the service is still there.
      const how = await Promise.race([service?.ended, Promise.resolve(undefined)]);
      if (service && how !== undefined && problem === undefined)
        await complain(
          'petstore-conformance',
          withLines(`the service of --start ${how} during the run`, service),
        );
      return result;
    } finally {
      await service?.end();
    }
  } catch (error) {
    if (error instanceof Interrupted) return undefined;
    throw error;
  }
}
