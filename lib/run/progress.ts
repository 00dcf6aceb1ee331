import { createLogUpdate } from 'log-update';
import type { RequirementResult } from '../record/record.js';
import type { Listener } from './settings.js';

export interface ProgressOptions {
  readonly stream: NodeJS.WriteStream;
  /** Requirements that the run tries. */
  readonly total: number;
  readonly now: () => number;
}

export interface Progress extends Required<Omit<Listener, 'exchange'>> {
  /** Takes the line away. */
  end(): void;
}

/** Milliseconds between two drawings on a terminal, and between two lines in a log. */
const redrawEvery = 80;
const lineEvery = 15_000;

/** What is going on, in one line that changes on a terminal, and now and then in a line of its own in a log. */
export function progressOn({ stream, total, now }: ProgressOptions): Progress {
  let judged = 0;
  let failed = 0;
  let sent = 0;
  let wait: { until: number; reason: string } | null = null;
  let activity = '';
  const text = (): string => {
    const counts = `${judged} of ${total} requirements judged, ${failed} failed, ${sent} request${sent === 1 ? '' : 's'}`;
    if (wait)
      return `${counts}; waiting ${Math.max(0, Math.ceil((wait.until - now()) / 1000))} s: ${wait.reason}`;
    return activity === '' ? counts : `${counts}; ${activity}`;
  };
  const isTerminal = stream.isTTY;
  const log = isTerminal ? createLogUpdate(stream, { showCursor: true }) : undefined;
  const draw = (): void => {
    const width = Math.max(20, (stream.columns ?? 80) - 1);
    log?.(text().slice(0, width));
  };
  const timer = setInterval(
    () => (log ? draw() : stream.write(`${text()}\n`)),
    log ? redrawEvery : lineEvery,
  );
  timer.unref();
  return {
    row(row: RequirementResult) {
      judged += 1;
      if (row.verdict === 'fail') failed += 1;
    },
    wait(next) {
      // A log hears of a wait when it begins: it may be a long one.
      if (!log && next && next.until - now() > 1_000 && wait === null) {
        const seconds = Math.ceil((next.until - now()) / 1000);
        stream.write(`waiting ${seconds} s: ${next.reason}\n`);
      }
      wait = next;
    },
    sent(count) {
      sent = count;
    },
    activity(next) {
      activity = next;
    },
    end() {
      clearInterval(timer);
      log?.clear();
    },
  };
}
