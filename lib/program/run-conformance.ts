import { readRequest } from '../command-line/settings.js';
import { run } from '../run/conformance.js';
import { startReference } from '../run/embedded.js';
import type { RunRecord } from '../record/record.js';
import type { Listener } from '../run/settings.js';
import type { Target } from '../target/target.js';
import {
  asCommandLine,
  asEnvironment,
  checkOptions,
  type CheckedOptions,
  type RunConformanceOptions,
} from './options.js';

/** A program says what it wants in its options; of the environment, only the proxies are read. */
const readFromEnvironment = /^(https?|no)_proxy$/i;

/**
 * Judges an implementation of the Pet Store Service, as the command line does, and returns the same record. Whatever the
 * target does is a verdict: nothing of it makes this reject.
 *
 * @example
 * const record = await runConformance({ baseUrl: 'http://localhost:8080/v1', apiKey: process.env.KEY, profile: 'quick' });
 * if (record.verdict !== 'conformant') process.exitCode = exitCode(record);
 *
 * @throws UsageProblem for an option that can't be; its message is one line, and names options as the command line does.
 * @throws OutputProblem where `output` can't be written. Either way nothing has been sent.
 * @throws RecordLost, with the record, where `output` can no longer be written when the run ends.
 */
export async function runConformance(options: RunConformanceOptions = {}): Promise<RunRecord> {
  const checked = checkOptions(options);
  const proxies = Object.entries(process.env).filter(([name]) => readFromEnvironment.test(name));
  const { settings, target, reference } = readRequest(
    asCommandLine(checked),
    { values: { ...Object.fromEntries(proxies), ...asEnvironment(checked) }, hasFile: false },
    process.cwd(),
  );
  const embedded = target === undefined ? await startReference(reference) : undefined;
  const asked = target ?? embedded?.target;
  if (!asked) throw new Error('a run has a target');
  try {
    return await run(
      {
        ...settings,
        target: withParticulars(asked, checked),
        directory: (checked.output ?? checked.resume) === undefined ? undefined : settings.directory,
      },
      {
        listener: listenerOf(checked.onProgress),
        ...(checked.signal === undefined ? {} : { signal: checked.signal }),
      },
    );
  } finally {
    await embedded?.service.close();
  }
}

/** What of a target the command line reads from the environment alone. */
function withParticulars(
  target: Target,
  { categoryId, deadlineMs, consistencyMs, readOnly }: CheckedOptions,
): Target {
  return {
    ...target,
    categoryId: categoryId ?? target.categoryId,
    deadlineMs: deadlineMs ?? target.deadlineMs,
    consistencyMs: consistencyMs ?? target.consistencyMs,
    readOnly: readOnly ?? target.readOnly,
  };
}

function listenerOf(tell: CheckedOptions['onProgress']): Listener {
  if (!tell) return {};
  return {
    result: (requirement) => tell({ kind: 'judged', requirement }),
    sent: (requests) => tell({ kind: 'sent', requests }),
    wait: (wait) => tell(wait ? { kind: 'waiting', ...wait } : { kind: 'going on' }),
  };
}
