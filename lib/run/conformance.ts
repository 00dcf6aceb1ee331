import { setMaxListeners } from 'node:events';
import { Interrupted } from '../http/client/run-end.js';
import { cutOff } from '../evidence/record/cut-off.js';
import type { RunRecord } from '../evidence/record/record.js';
import type { RequirementResult } from '../evidence/record/requirement-result.js';
import { openRunFiles, OutputProblem, RecordLost } from '../evidence/record/run-files.js';
import { requirementIds, type RequirementId } from '../specification/catalogue.js';
import { failsClass } from '../verdict/class-verdict.js';
import { JudgedRun } from './judged-run.js';
import { loadRules } from './own-rules.js';
import { phasesOf, Probing } from './probing.js';
import { recordOf } from './record-of.js';
import { redacted } from './record-redaction.js';
import { readResumedRun } from './resumed-run.js';
import { factsOfRun } from './run-facts.js';
import { requirementClasses, selectionOf } from './selection.js';
import { Session } from './session.js';
import type { Listener, Settings } from './settings.js';

/** Milliseconds between two versions of the unfinished record: a killed run leaves one that is seconds old. */
const unfinishedEvery = 2_000;

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
  const { signal = new AbortController().signal } = options;
  const resumed = await readResumedRun(settings);
  const own =
    settings.rules === undefined ? undefined : await loadRules(settings.rules, settings.strictRules === true);
  const files = openRunFiles(settings.directory, {
    goOn: resumed !== undefined,
    overwrite: settings.overwrite,
  });
  const { ids: selected, classes } = selectionOf(settings);
  const ending = new AbortController();
  const ended = AbortSignal.any([signal, ending.signal]);
  // Each request and each wait listens for the end; none of them leaks.
  setMaxListeners(0, ended);
  const session: Session = new Session(settings, {
    evidence: files.evidence,
    signal: ended,
    listener: options.listener,
    resumed,
    selected,
  });
  const probing = new Probing(session, settings, { signal, selected });
  const rows = new Map<string, RequirementResult>();
  /** How many exchanges a requirement was judged by. */
  const judgedBy = new Map<RequirementId, number>();
  // A resumed run judges the day alone.
  for (const row of resumed?.record.requirements ?? [])
    if (!selected.has(row.id as RequirementId)) rows.set(row.id, row);
  const before = resumed?.record.classes.map(({ id }) => id) ?? [];

  const judgedNow = (stopped?: string): JudgedRun =>
    new JudgedRun({
      facts: factsOfRun(settings, session, stopped),
      exchanges: session.client.log.exchanges,
      parts: session.parts,
      tried: (id) => probing.tried.get(id),
      redact: session.redact,
    });
  const judge = (judged: JudgedRun, id: RequirementId): RequirementResult => {
    const row = redacted(judged.rowOf(id), session.redact);
    rows.set(id, row);
    judgedBy.set(id, session.client.log.exchanges.length);
    return row;
  };
  const recordNow = (stopped?: string): RunRecord => {
    const judged = judgedNow(stopped);
    const record = recordOf(factsOfRun(settings, session, stopped, own), {
      rows: [...requirementIds, ...(own?.ids ?? [])].map((id) => rows.get(id) ?? judged.rowOf(id)),
      classes: [
        ...requirementClasses.filter((id) => before.includes(id) || classes.includes(id)),
        ...(own?.strict ? (['own'] as const) : []),
      ],
      counted: session.counted,
      limits: session.limits,
    });
    return redacted(record, session.redact);
  };
  const writing = setInterval(() => {
    try {
      files.writeRecord(recordNow(cutOff));
    } catch (error) {
      // The evidence will not be written either, and ends the run; or the disk has room again.
      if (!(error instanceof OutputProblem)) throw error;
    }
  }, unfinishedEvery);
  const { maximumMs } = settings;
  const timer =
    maximumMs && setTimeout(() => ending.abort(session.client.stop(timeSpent(maximumMs))), maximumMs);
  try {
    // Whenever the run is killed, there is a record; a run that is taken up again has one already.
    if (!resumed) files.writeRecord(recordNow(cutOff));
    let failures = 0;
    const untold: RequirementId[] = [];
    const tell = (judged: JudgedRun): void => {
      for (const id of untold.splice(0)) {
        const row = judge(judged, id);
        options.listener?.result?.(row);
        const counts = row.own !== true || own?.strict === true;
        if (counts && failsClass(row, settings)) failures += 1;
      }
    };
    const { bail = 0, clock } = settings;
    const tellsFrom = bail > 0 ? 0 : clock.now() + shortRun;
    for (const [phase, ids] of phasesOf(selected, own?.ids)) {
      if (phase === 'every exchange') await probing.complete();
      await probing.probe(ids);
      untold.push(...ids);
      if (clock.now() < tellsFrom) continue;
      tell(judgedNow());
      if (bail > 0 && failures >= bail) break;
    }
    await session.client.settled();
    clearInterval(writing);
    const stopped = signal.aborted ? new Interrupted().message : undefined;
    // Rules judge whatever was sent after their phase, too.
    const judged = judgedNow(stopped);
    tell(judged);
    const isNew = (id: RequirementId): boolean => judgedBy.get(id) !== session.client.log.exchanges.length;
    for (const id of probing.tried.keys()) if (isNew(id) || stopped !== undefined) judge(judged, id);
    const record = recordNow(stopped);
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
