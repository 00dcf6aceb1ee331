import { createLogUpdate } from 'log-update';
import type { RequirementResult } from '../record/record.js';
import type { Listener } from './settings.js';
import { drawingWidth, terminalWidth } from '../usage/terminal.js';

export interface ProgressOptions {
  readonly stream: NodeJS.WriteStream;
  /** Requirements that the run tries. */
  readonly total: number;
  readonly now: () => number;
}

export interface Progress extends Required<Omit<Listener, 'exchange'>> {
  /** Takes the lines away. */
  end(): void;
}

/** The progress of a run. */
export interface Standing {
  readonly total: number;
  judged: number;
  failed: number;
  sent: number;
  wait: { readonly until: number; readonly reason: string } | null;
  activities: readonly string[];
}

/** Milliseconds between two drawings on a terminal, and between two lines in a log. */
const redrawEvery = 80;
const lineEvery = 15_000;

/** What is going on: the counts, why nothing is sent, and what a longer part of the run is at, a line each. */
export function standingLines(standing: Standing, now: number): string[] {
  const { judged, total, failed, sent, wait, activities } = standing;
  return [
    `${judged} of ${total} requirements judged, ${failed} failed, ${sent} request${sent === 1 ? '' : 's'}`,
    ...(wait ? [waitLine(wait, now)] : []),
    ...activities,
  ];
}

function waitLine({ until, reason }: NonNullable<Standing['wait']>, now: number): string {
  return `waiting ${Math.max(0, Math.ceil((until - now) / 1000))} s: ${reason}`;
}

/** Lines that change on a terminal, and now and then a line of their own in a log. */
export function liveLines(
  stream: NodeJS.WriteStream,
  lines: () => readonly string[],
): { readonly isLog: boolean; readonly end: () => void } {
  const log = drawingWidth(stream) === undefined ? undefined : createLogUpdate(stream, { showCursor: true });
  const draw = (): void => {
    const width = Math.max(20, terminalWidth(stream) - 1);
    log?.(
      lines()
        .map((line) => line.slice(0, width))
        .join('\n'),
    );
  };
  const timer = setInterval(
    () => (log ? draw() : stream.write(`${lines().join('; ')}\n`)),
    log ? redrawEvery : lineEvery,
  );
  timer.unref();
  return {
    isLog: log === undefined,
    end() {
      clearInterval(timer);
      log?.clear();
    },
  };
}

/** What is going on in a run. */
export function progressOn({ stream, total, now }: ProgressOptions): Progress {
  const standing: Standing = { total, judged: 0, failed: 0, sent: 0, wait: null, activities: [] };
  const { isLog, end } = liveLines(stream, () => standingLines(standing, now()));
  return {
    result(result: RequirementResult) {
      standing.judged += 1;
      if (result.verdict === 'fail') standing.failed += 1;
    },
    wait(next) {
      // A log hears of a wait when it begins: it may be a long one.
      if (isLog && next && next.until - now() > 1_000 && standing.wait === null) {
        stream.write(`${waitLine(next, now())}\n`);
      }
      standing.wait = next;
    },
    sent(count) {
      standing.sent = count;
    },
    activity(next) {
      standing.activities = next === '' ? [] : next.split('; ');
    },
    end,
  };
}
