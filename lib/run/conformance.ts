import '../../suites/all.js';
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { buildRecord } from './record/build-record.js';
import { Engine } from './engine.js';
import { cutOff } from '../record/cut-off.js';
import { readResumedRun } from './record/resumed-run.js';
import { openRunFiles, OutputProblem, RecordLost } from '../record/run-files.js';
import type { RunRecord } from '../record/record.js';
import type { Listener, Settings } from './settings.js';

/** Milliseconds between two versions of an unfinished record: if a requirement was judged in between, and if none was. */
const after = { aResult: 1_000, noResult: 10_000 } as const;

export interface UnfinishedRecords {
  readonly listener: Listener;
  readonly stop: () => void;
}

/**
 * Has the record written now and then as it stands, so that a killed run leaves one that is seconds old: also while
 * nothing is judged, as in a long wait for the limit.
 */
export function unfinishedRecords(next: Listener | undefined, write: () => void): UnfinishedRecords {
  let judged = false;
  let written = performance.now();
  const timer = setInterval(() => {
    if (performance.now() - written < (judged ? after.aResult : after.noResult)) return;
    try {
      write();
    } catch (error) {
      // The evidence will not be written either, and ends the run; or the disk has room again.
      if (!(error instanceof OutputProblem)) throw error;
    }
    judged = false;
    written = performance.now();
  }, after.aResult / 2);
  timer.unref();
  return {
    listener: {
      ...next,
      result(result) {
        next?.result?.(result);
        judged = true;
      },
    },
    stop: () => clearInterval(timer),
  };
}

/** Judges stage after stage, the requirements of a stage at the same time; no further stage after `bail` failures. */
async function judgeStages(engine: Engine, { bail = 0, strict }: Settings): Promise<void> {
  let failures = 0;
  for (const ids of engine.stages) {
    const results = await engine.judgeStage(ids);
    failures += results.filter(({ verdict }) => verdict === 'fail' || (strict && verdict === 'warn')).length;
    if (bail > 0 && failures >= bail) return;
  }
}

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
  // Each request and each wait listens for the interruption; none of them leaks.
  setMaxListeners(0, signal);
  const resumed = await readResumedRun(settings);
  const files = openRunFiles(settings.directory, {
    goOn: resumed !== undefined,
    overwrite: settings.overwrite,
  });
  const begin = {
    id: resumed?.record.run.id ?? randomUUID(),
    startedAt: resumed?.record.run.startedAt ?? new Date(settings.clock.now()).toISOString(),
  };
  const writeUnfinished = (): void => {
    files.writeRecord(buildRecord(engine, settings, { ...begin, stopped: cutOff, reason: cutOff }));
  };
  const { listener, stop } = unfinishedRecords(options.listener, writeUnfinished);
  const engine: Engine = new Engine(settings, {
    evidence: files.evidence,
    signal,
    listener,
    resumed,
  });
  try {
    // Whenever the run is killed, there is a record; a run that is taken up again has one already.
    if (!resumed) writeUnfinished();
    await judgeStages(engine, settings);
    await engine.session.client.settled();
    engine.judgeAgain();
    stop();
    const stopped = signal.aborted ? 'the run was interrupted' : undefined;
    const record = buildRecord(engine, settings, { ...begin, stopped });
    try {
      files.writeRecord(record);
    } catch (error) {
      throw new RecordLost(record, error);
    }
    return record;
  } finally {
    stop();
    await engine.session.close();
    files.evidence.close();
  }
}
