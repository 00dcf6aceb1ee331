import { setMaxListeners } from 'node:events';
import { Interrupted } from '../http/client/run-end.js';
import { cutOff } from '../evidence/record/cut-off.js';
import type { RunRecord } from '../evidence/record/record.js';
import type { RequirementResult } from '../evidence/record/requirement-result.js';
import { openRunFiles, OutputProblem, RecordLost } from '../evidence/record/run-files.js';
import { requirementIds, type RequirementId } from '../specification/catalogue.js';
import { failsClass } from '../verdict/class-verdict.js';
import { kindOf, phases } from '../verdict/requirement.js';
import { loadRules } from './own-rules.js';
import { Probing } from './probing.js';
import { declarationOf, rowJudge, unreached } from './judge-rows.js';
import { recordOf } from './record-of.js';
import { redacted } from './record-redaction.js';
import { interruptedDay } from './interrupted-day.js';
import { factsOfRun } from './run-facts.js';
import { selectionOf } from './selection.js';
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
  const { signal = new AbortController().signal, listener = {} } = options;
  const { clock, maximumMs, bail = 0, rules, strictRules = false } = settings;
  const dayBefore = await interruptedDay(settings);
  const own = rules === undefined ? undefined : await loadRules(rules, strictRules);
  const files = openRunFiles(settings.directory, settings.overwrite);
  const ending = new AbortController();
  const ended = AbortSignal.any([signal, ending.signal]);
  // Each request and each wait listens for the end; none of them leaks.
  setMaxListeners(0, ended);
  const { ids: selected } = selectionOf(settings);
  const session = new Session(settings, {
    append: files.append,
    signal: ended,
    listener,
    dayBefore,
    selected,
  });
  const { client, redact } = session;
  const ids = [...requirementIds, ...(own?.ids ?? [])];
  const tried = ids.filter((id) => selected.has(id) || own?.ids.includes(id));
  // What judges every exchange needs some of each kind: selected alone, it has other probes send them.
  const sent = new Set([
    ...tried,
    ...tried.flatMap((id) => declarationOf(id).kinds.map((kind) => kindOf[kind])),
  ]);
  const probing = new Probing(session, signal);
  const { ends } = probing;
  const judgeNow = (facts = factsOfRun(session, undefined, own)) => {
    const endOf = (id: RequirementId): unknown => (ends.has(id) ? ends.get(id) : unreached(facts));
    return rowJudge({ facts, exchanges: client.log.exchanges, parts: session.parts, endOf, redact });
  };
  const recordNow = (stopped?: string): RunRecord => {
    const facts = factsOfRun(session, stopped, own);
    const judge = judgeNow(facts);
    return redacted(recordOf(facts, ids.map(judge), session.parts), redact);
  };
  let failures = 0;
  const tell = (row: RequirementResult): void => {
    listener.result?.(row);
    const counts = row.own !== true || own?.strict === true;
    if (counts && failsClass(row, settings)) failures += 1;
  };
  let recorded = 0;
  /** Whenever the run is killed, there is a record of the probes that had ended. */
  const writing = setInterval(() => {
    if (ends.size === recorded) return;
    recorded = ends.size;
    try {
      files.writeRecord(recordNow(cutOff));
    } catch (error) {
      // The evidence will not be written either, and ends the run; or the disk has room again.
      if (!(error instanceof OutputProblem)) throw error;
    }
  }, recordsEvery);
  const timer = maximumMs && setTimeout(() => ending.abort(client.stop(timeSpent(maximumMs))), maximumMs);
  try {
    files.writeRecord(recordNow(cutOff));
    const tellsFrom = bail > 0 ? 0 : clock.now() + shortRun;
    let untold: RequirementId[] = [];
    for (const phase of phases) {
      const inPhase = ids.filter((id) => sent.has(id) && declarationOf(id).phase === phase);
      if (phase === 'every exchange') await probing.complete();
      await probing.probe(inPhase);
      untold.push(...inPhase.filter((id) => tried.includes(id)));
      if (clock.now() < tellsFrom) continue;
      const judge = judgeNow();
      for (const id of untold) tell(redacted(judge(id), redact));
      untold = [];
      if (bail > 0 && failures >= bail) break;
    }
    await client.settled();
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
    files.close();
  }
}

function timeSpent(milliseconds: number): string {
  return `the time of ${milliseconds / 1_000} s (--max-time) is used up`;
}
