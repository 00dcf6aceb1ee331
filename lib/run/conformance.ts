import { setMaxListeners } from 'node:events';
import { Interrupted } from '../http/client/run-end.js';
import { cutOff } from '../evidence/record/cut-off.js';
import type { RunRecord } from '../evidence/record/record.js';
import type { RequirementResult } from '../evidence/record/requirement-result.js';
import { openRunFiles, OutputProblem, RecordLost } from '../evidence/record/run-files.js';
import type { RequirementId } from '../specification/catalogue.js';
import { failsClass } from '../verdict/class-verdict.js';
import { loadRules } from './own-rules.js';
import { phasesOf, Probing } from './probing.js';
import { rowJudge } from './judge-rows.js';
import { recordOf, type RunToRecord } from './record-of.js';
import { redacted } from './record-redaction.js';
import { readResumedRun } from './resumed-run.js';
import { factsOfRun } from './run-facts.js';
import { selectionOf, selectionOfRun } from './selection.js';
import { Session } from './session.js';
import type { Listener, Settings } from './settings.js';

/** Milliseconds between two records of a run that goes on. */
const recordsEvery = 2_000;
/** Milliseconds in which nobody waits for the first verdicts: rules are asked once, when all that they judge is there. */
const shortRun = 1_000;

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
  const runNow = (stopped?: string): RunToRecord => ({
    facts: factsOfRun(settings, session, stopped, own),
    exchanges: session.client.log.exchanges,
    parts: session.parts,
    tried: (id) => probing.tried.get(id),
    redact: session.redact,
    counted: session.counted,
    own: own?.ids,
    kept,
  });
  const recordNow = (stopped?: string): RunRecord => redacted(recordOf(runNow(stopped)), session.redact);
  let failures = 0;
  const tell = (row: RequirementResult): void => {
    listener?.result?.(row);
    const counts = row.own !== true || own?.strict === true;
    if (counts && failsClass(row, settings)) failures += 1;
  };
  let recorded = 0;
  /** Whenever the run is killed, there is a record of the probes that had ended. */
  const writing = setInterval(() => {
    if (probing.tried.size === recorded) return;
    recorded = probing.tried.size;
    try {
      files.writeRecord(recordNow(cutOff));
    } catch (error) {
      // The evidence will not be written either, and ends the run; or the disk has room again.
      if (!(error instanceof OutputProblem)) throw error;
    }
  }, recordsEvery);
  const timer =
    maximumMs && setTimeout(() => ending.abort(session.client.stop(timeSpent(maximumMs))), maximumMs);
  try {
    // A run that is taken up again has a record already.
    if (!resumed) files.writeRecord(recordNow(cutOff));
    const tellsFrom = bail > 0 ? 0 : clock.now() + shortRun;
    const untold: RequirementId[] = [];
    for (const [phase, ids] of phasesOf(selected, own?.ids)) {
      if (phase === 'every exchange') await probing.complete();
      await probing.probe(ids);
      untold.push(...ids);
      if (clock.now() < tellsFrom) continue;
      const now = runNow();
      const judge = rowJudge(now, selectionOfRun(now.facts));
      for (const id of untold.splice(0)) tell(redacted(judge(id), session.redact));
      if (bail > 0 && failures >= bail) break;
    }
    await session.client.settled();
    // Rules judge whatever was sent after their phase, too.
    const record = recordNow(signal.aborted ? new Interrupted().message : undefined);
    for (const row of record.requirements) if (untold.some((id) => id === row.id)) tell(row);
    try {
      files.writeRecord(record);
    } catch (error) {
      throw new RecordLost(record, error);
    }
    return record;
  } finally {
    clearInterval(writing);
    clearTimeout(timer);
    await session.close();
    files.evidence.close();
  }
}

function timeSpent(milliseconds: number): string {
  return `the time of ${milliseconds / 1_000} s (--max-time) is used up`;
}
