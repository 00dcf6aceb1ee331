import { randomInt } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { RunRecord } from '../evidence/record/record.js';
import { openRunFiles, RecordLost } from '../evidence/record/run-files.js';
import { catalogue } from '../specification/catalogue.js';
import { notTestedResult } from '../verdict/judgement.js';
import { redacted } from './record-redaction.js';
import { factsOfRun } from './run-facts.js';
import { sendLoad, type SendLoadOptions, type SentLoad } from './send-load.js';
import { Session } from './session.js';
import type { Settings } from './settings.js';

/**
 * Sends a steady load to a target and writes its record, in the format of every run. It judges no requirement.
 * @throws OutputProblem if the files can't be written, before anything is sent; RecordLost if they can no longer be
 * written when the load ends.
 */
export async function runLoad(options: SendLoadOptions): Promise<RunRecord> {
  const { signal, directory, values } = options;
  // Each wait listens for the interruption; none of them leaks.
  setMaxListeners(0, signal);
  const settings: Settings = {
    ...options,
    profile: 'standard',
    limits: 'none',
    only: [],
    except: [],
    strict: false,
    seed: values.seed ?? randomInt(2 ** 31),
  };
  const files = openRunFiles(directory, { overwrite: values.overwrite });
  const session = new Session(settings, { evidence: files.evidence, signal });
  let sent: SentLoad | undefined;
  let stopped: string | undefined;
  try {
    sent = await sendLoad(session, options);
    ({ stopped } = sent);
  } catch (error) {
    stopped = error instanceof Error ? error.message : String(error);
  } finally {
    await session.close();
  }
  if (signal.aborted) stopped = 'the load was interrupted';
  const facts = factsOfRun(session, stopped);
  const leftovers = new Map([...(sent?.created ?? []), ...facts.leftovers].map((one) => [one.id, one]));
  const record = redacted<RunRecord>(
    {
      ...facts,
      // Nothing is judged: there is no failure, and no class.
      verdict: facts.run.complete ? 'partial' : 'incomplete',
      classes: [],
      causes: [],
      requirements: catalogue.map(({ id }) => notTestedResult(id, 'a load judges no requirement')),
      leftovers: [...leftovers.values()],
      ...(sent && { load: sent.load }),
    },
    session.redact,
  );
  try {
    files.writeRecord(record);
  } catch (error) {
    throw new RecordLost(record, error);
  } finally {
    files.evidence.close();
  }
  return record;
}
