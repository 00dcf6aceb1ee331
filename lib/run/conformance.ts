import { setMaxListeners } from 'node:events';
import { Interrupted } from '../http/client/run-end.js';
import { cutOff } from '../evidence/record/cut-off.js';
import type { RunRecord } from '../evidence/record/record.js';
import { openRunFiles, OutputProblem, RecordLost } from '../evidence/record/run-files.js';
import type { RequirementId } from '../specification/catalogue.js';
import { failsClass } from '../verdict/class-verdict.js';
import { loadRules } from './own-rules.js';
import { phasesOf, Probing } from './probing.js';
import { recordOf } from './record-of.js';
import { redacted } from './record-redaction.js';
import { readResumedRun } from './resumed-run.js';
import { factsOfRun } from './run-facts.js';
import { selectionOf } from './selection.js';
import { Session } from './session.js';
import type { Listener, Settings } from './settings.js';

/** Milliseconds between two records of a run that goes on: nobody waits for the verdicts of a shorter one. */
const recordsEvery = 1_000;

export interface RunOptions {
  readonly signal?: AbortSignal;
  readonly listener?: Listener;
}

/**
 * Runs the suite against a target, and returns its record; writes the run's files if a directory is set.
 * Nothing that a target does makes it reject.
 * @throws OutputProblem if the files cannot be written, before anything is sent; RecordLost if they no longer can be
 * when it ends.
 */
export async function run(settings: Settings, options: RunOptions = {}): Promise<RunRecord> {
  const { signal = new AbortController().signal, listener } = options;
  const { clock, maximumMs, bail = 0, rules, strictRules = false } = settings;
  const resumed = await readResumedRun(settings);
  const own = rules === undefined ? undefined : await loadRules(rules, strictRules);
  const files = openRunFiles(settings.directory, {
    goOn: resumed !== undefined,
    overwrite: settings.overwrite,
  });
  const { ids: selected } = selectionOf(settings);
  const ending = new AbortController();
  const ended = AbortSignal.any([signal, ending.signal]);
  // Each request and each wait listens for the end; none of them leaks.
  setMaxListeners(0, ended);
  const session = new Session(settings, {
    evidence: files.evidence,
    signal: ended,
    listener,
    resumed,
    selected,
  });
  const probing = new Probing(session, settings, { signal, selected });
  // A resumed run judges the day alone.
  const kept = resumed && {
    classes: resumed.record.classes,
    requirements: resumed.record.requirements.filter(({ id }) => !selected.has(id as RequirementId)),
  };
  const recordNow = (stopped?: string): RunRecord => {
    const record = recordOf({
      facts: factsOfRun(settings, session, stopped, own),
      exchanges: session.client.log.exchanges,
      parts: session.parts,
      tried: (id) => probing.tried.get(id),
      redact: session.redact,
      counted: session.counted,
      own: own?.ids,
      kept,
    });
    return redacted(record, session.redact);
  };
  const told = new Set<string>();
  let failures = 0;
  /** Tells of each requirement once, when its probe has ended. */
  const tell = ({ requirements }: RunRecord): void => {
    for (const row of requirements) {
      if (told.has(row.id) || !probing.tried.has(row.id as RequirementId)) continue;
      told.add(row.id);
      listener?.result?.(row);
      const counts = row.own !== true || own?.strict === true;
      if (counts && failsClass(row, settings)) failures += 1;
    }
  };
  /** Whenever the run is killed, there is a record. */
  const keepRecord = (record: RunRecord): void => {
    try {
      files.writeRecord(record);
    } catch (error) {
      // The evidence will not be written either, and ends the run; or the disk has room again.
      if (!(error instanceof OutputProblem)) throw error;
    }
  };
  const timer =
    maximumMs && setTimeout(() => ending.abort(session.client.stop(timeSpent(maximumMs))), maximumMs);
  try {
    // A run that is taken up again has a record already.
    if (!resumed) files.writeRecord(recordNow(cutOff));
    let recordedAt = clock.now();
    for (const [phase, ids] of phasesOf(selected, own?.ids)) {
      if (phase === 'every exchange') await probing.complete();
      await probing.probe(ids);
      if (bail === 0 && clock.now() < recordedAt + recordsEvery) continue;
      const record = recordNow(cutOff);
      tell(record);
      if (bail > 0 && failures >= bail) break;
      keepRecord(record);
      recordedAt = clock.now();
    }
    await session.client.settled();
    // Rules judge whatever was sent after their phase, too.
    const record = recordNow(signal.aborted ? new Interrupted().message : undefined);
    tell(record);
    try {
      files.writeRecord(record);
    } catch (error) {
      throw new RecordLost(record, error);
    }
    return record;
  } finally {
    clearTimeout(timer);
    await session.close();
    files.evidence.close();
  }
}

function timeSpent(milliseconds: number): string {
  return `the time of ${milliseconds / 1_000} s (--max-time) is used up`;
}
