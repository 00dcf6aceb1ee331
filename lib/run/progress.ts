import { styleText } from 'node:util';
import type { Activity } from '../limits/probe/probe-options.js';
import type { RequirementResult } from '../evidence/record/requirement-result.js';
import { isRequirementId, requirementRow, type RequirementId } from '../specification/catalogue.js';
import { count, integer } from '../explain/count.js';
import { printable } from '../explain/printable.js';
import { liveLines } from './live-lines.js';
import { limitsAhead, partsOf } from './limits-ahead.js';
import type { Listener, Settings } from './settings.js';

export interface ProgressOptions {
  readonly stream: NodeJS.WriteStream;
  readonly settings: Settings;
  /** The requirements that the run tries. */
  readonly ids: ReadonlySet<RequirementId>;
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
  /** What the last exchange was sent for. */
  purpose: string;
  activity: Activity | null;
  /** When the limits will have been tried, about; undefined before they begin. */
  limitsUntil: number | undefined;
}

/** Failures that stand above the progress; the report has them all. */
const mostFailures = 12;
/** A shorter time is over before it is read. */
const shortestTold = 5_000;

/** The counts and the time to expect, why nothing is sent, and what is tried or done. */
export function progressLines(state: ProgressState, now: number): string[] {
  const { judged, total, failures, sent, wait, purpose, activity } = state;
  const left = (state.limitsUntil ?? now) - now;
  const rest = left < shortestTold ? '' : `, about ${timeText(left)} left`;
  const isTold = judged < total && isRequirementId(purpose);
  const tried = isTold ? [`${purpose}  ${requirementRow(purpose).title}`] : [];
  return [
    `${judged} of ${total} requirements judged, ${failures.length} failed, ${count(sent, 'request')}${rest}`,
    ...(wait ? [waitLine(wait, now)] : []),
    ...(activity ? [activityLine(activity, now)] : tried),
  ];
}

function timeText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 5_000) * 5;
  return seconds < 100 ? `${seconds} s` : count(Math.round(seconds / 60), 'minute');
}

function waitLine({ until, reason }: { until: number; reason: string }, now: number): string {
  return `waiting ${secondsUntil(until, now)}: ${reason}`;
}

function activityLine({ text, until = 0 }: Activity, now: number): string {
  return until <= now ? text : `${text}, ${secondsUntil(until, now)}`;
}

function secondsUntil(until: number, now: number): string {
  return `${integer(Math.max(0, Math.ceil((until - now) / 1000)))} s`;
}

/** A failure in a line, as soon as it is known. */
export function failureLine({ id, findings: [finding] }: RequirementResult): string {
  return printable(`✗ ${id}  ${finding?.message ?? ''}`);
}

/** Shows the progress of a run. */
export async function progressOn({ stream, settings, ids }: ProgressOptions): Promise<Progress> {
  const now = (): number => settings.clock.now();
  const state: ProgressState = {
    total: ids.size,
    judged: 0,
    failures: [],
    sent: 0,
    wait: null,
    purpose: '',
    activity: null,
    limitsUntil: undefined,
  };
  const failureLines = (): string[] => {
    const { failures } = state;
    const lines = failures.slice(0, mostFailures).map((line) => {
      return line.replace('✗', styleText('red', '✗', { stream }));
    });
    const more = failures.length - lines.length;
    return more > 0 ? [...lines, `and ${count(more, 'more failure')}`] : lines;
  };
  // A log gets no failures: it ends with the report, as the terminal does.
  const { isLog, end } = await liveLines(stream, (log) => [
    ...(log ? [] : failureLines()),
    ...progressLines(state, now()),
  ]);
  return {
    result(result) {
      state.judged += 1;
      if (result.verdict === 'fail') state.failures.push(failureLine(result));
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
    exchange({ purpose }) {
      state.purpose = purpose;
    },
    activity(activity) {
      state.activity = activity;
      const { minutes } = limitsAhead(settings, partsOf(settings, ids));
      if (activity) state.limitsUntil ??= now() + minutes * 60_000;
    },
    end,
  };
}
