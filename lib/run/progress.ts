import { styleText } from 'node:util';
import type { Activity } from '../limits/probe/probe-options.js';
import type { RequirementResult } from '../evidence/record/requirement-result.js';
import { count, integer } from '../explain/count.js';
import { printable } from '../explain/printable.js';
import type { Clock } from '../http/clock/clock.js';
import { liveLines } from './live-lines.js';
import type { Listener } from './settings.js';

export interface ProgressOptions {
  readonly stream: NodeJS.WriteStream;
  readonly clock: Clock;
  /** How many requirements the run tries. */
  readonly total: number;
}

export interface Progress extends Required<Listener> {
  /** Removes the lines. */
  end(): void;
}

/** How far a run has got. */
export interface ProgressState {
  readonly total: number;
  judged: number;
  /** A line for each failure. */
  failures: string[];
  sent: number;
  wait: { readonly until: number; readonly reason: string } | null;
  activity: Activity | null;
}

/** Failures that stand above the progress; the report has them all. */
const mostFailures = 12;

/** The counts, why nothing is sent, and what a longer part of the run does. */
export function progressLines(state: ProgressState, now: number): string[] {
  const { judged, total, failures, sent, wait, activity } = state;
  const { text = '', until = 0 } = activity ?? {};
  return [
    `${judged} of ${total} requirements judged, ${failures.length} failed, ${count(sent, 'request')}`,
    ...(wait ? [waitLine(wait, now)] : []),
    ...(activity ? [until <= now ? text : `${text}, ${secondsUntil(until, now)}`] : []),
  ];
}

function waitLine({ until, reason }: { until: number; reason: string }, now: number): string {
  return `waiting ${secondsUntil(until, now)}: ${reason}`;
}

function secondsUntil(until: number, now: number): string {
  return `${integer(Math.max(0, Math.ceil((until - now) / 1000)))} s`;
}

/** A failure in a line, as soon as it is known. */
export function failureLine({ id, findings: [finding] }: RequirementResult): string {
  return printable(`✗ ${id}  ${finding?.message ?? ''}`);
}

/** Shows the progress of a run. */
export async function progressOn({ stream, clock, total }: ProgressOptions): Promise<Progress> {
  const state: ProgressState = { total, judged: 0, failures: [], sent: 0, wait: null, activity: null };
  const failureLines = (): string[] => {
    const { failures } = state;
    const red = styleText('red', '✗', { stream });
    const lines = failures.slice(0, mostFailures).map((line) => line.replace('✗', red));
    const more = failures.length - lines.length;
    return more > 0 ? [...lines, `and ${count(more, 'more failure')}`] : lines;
  };
  // A log gets no failures: it ends with the report, as the terminal does.
  const { isLog, end } = await liveLines(stream, (log) => [
    ...(log ? [] : failureLines()),
    ...progressLines(state, clock.now()),
  ]);
  return {
    result(result) {
      state.judged += 1;
      if (result.verdict === 'fail') state.failures.push(failureLine(result));
    },
    wait(next) {
      // A log shows a wait when it begins: it may be a long one.
      if (isLog && next && next.until - clock.now() > 1_000 && state.wait === null)
        stream.write(`${waitLine(next, clock.now())}\n`);
      state.wait = next;
    },
    exchange() {
      state.sent += 1;
    },
    activity(activity) {
      state.activity = activity;
    },
    end,
  };
}
