import { createLogUpdate } from 'log-update';
import { count, integer } from '../usage/count.js';
import { drawingWidth, terminalWidth } from '../usage/terminal.js';
import type { Activity } from '../limits/probe/limit-session.js';
import type { Listener } from './settings.js';

export interface ProgressOptions {
  readonly stream: NodeJS.WriteStream;
  /** Requirements that the run tries. */
  readonly total: number;
  readonly now: () => number;
}

export interface Progress extends Required<Omit<Listener, 'exchange'>> {
  /** Removes the lines. */
  end(): void;
}

/** How far a run has got. */
export interface ProgressState {
  readonly total: number;
  judged: number;
  failed: number;
  sent: number;
  wait: { readonly until: number; readonly reason: string } | null;
  activities: readonly Activity[];
}

/** Milliseconds between two drawings on a terminal, and between two lines in a log. */
const redrawEvery = 80;
const lineEvery = 15_000;

/** The counts, why nothing is sent, and what longer parts of the run are doing, a line each. */
export function progressLines(state: ProgressState, now: number): string[] {
  const { judged, total, failed, sent, wait, activities } = state;
  const counts = `${judged} of ${total} requirements judged, ${failed} failed, ${count(sent, 'request')}`;
  const doing = activities.map(({ text, until }) =>
    until === undefined || until <= now ? text : `${text}, ${secondsUntil(until, now)}`,
  );
  return [counts, ...(wait ? [waitLine(wait, now)] : []), ...doing];
}

function waitLine({ until, reason }: NonNullable<ProgressState['wait']>, now: number): string {
  return `waiting ${secondsUntil(until, now)}: ${reason}`;
}

function secondsUntil(until: number, now: number): string {
  return `${integer(Math.max(0, Math.ceil((until - now) / 1000)))} s`;
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

/** Shows the progress of a run. */
export function progressOn({ stream, total, now }: ProgressOptions): Progress {
  const state: ProgressState = { total, judged: 0, failed: 0, sent: 0, wait: null, activities: [] };
  const { isLog, end } = liveLines(stream, () => progressLines(state, now()));
  return {
    result({ verdict }) {
      state.judged += 1;
      if (verdict === 'fail') state.failed += 1;
    },
    wait(next) {
      // A log shows a wait when it begins: it may be a long one.
      if (isLog && next && next.until - now() > 1_000 && state.wait === null)
        stream.write(`${waitLine(next, now())}\n`);
      state.wait = next;
    },
    sent(requests) {
      state.sent = requests;
    },
    activities(activities) {
      state.activities = activities;
    },
    end,
  };
}
