import { styleText } from 'node:util';
import type { Activity } from '../limits/probe/probe-options.js';
import type { RequirementResult } from '../evidence/record/requirement-result.js';
import { catalogue, isRequirementId, requirementRow } from '../specification/catalogue.js';
import type { RequirementId } from '../specification/catalogue.js';
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
  failed: number;
  sent: number;
  wait: { readonly until: number; readonly reason: string } | null;
  /** What the last exchange was sent for. */
  purpose: string | undefined;
  activities: readonly Activity[];
  /** When the limits will have been tried, about; undefined before they begin. */
  limitsUntil: number | undefined;
}

/** Failures that stand above the progress; the report has them all. */
const mostFailures = 12;
/** A shorter time is over before it is read. */
const shortestTold = 5_000;

/** Milliseconds that the limits take. */
function timeOfLimits(settings: Settings, ids: ReadonlySet<RequirementId>): number {
  return limitsAhead(settings, partsOf(settings, ids)).minutes * 60_000;
}

/** The counts and the time to expect, what is tried, why nothing is sent, and what longer parts of the run are doing. */
export function progressLines(state: ProgressState, now: number): string[] {
  const { judged, total, failed, sent, wait, purpose = '', activities } = state;
  const left = (state.limitsUntil ?? now) - now;
  const rest = left < shortestTold ? '' : `, about ${timeText(left)} left`;
  const counts = `${judged} of ${total} requirements judged, ${failed} failed, ${count(sent, 'request')}${rest}`;
  const tried = isRequirementId(purpose) ? [`${purpose}  ${requirementRow(purpose).title}`] : [];
  const doing = activities.map(({ text, until }) =>
    until === undefined || until <= now ? text : `${text}, ${secondsUntil(until, now)}`,
  );
  return [
    counts,
    ...(activities.length > 0 || judged === total ? [] : tried),
    ...(wait ? [waitLine(wait, now)] : []),
    ...doing,
  ];
}

function timeText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 5_000) * 5;
  return seconds < 100 ? `${seconds} s` : count(Math.round(seconds / 60), 'minute');
}

/** A failure in a line, as soon as it is known. */
export function failureLine({ id, findings: [finding] }: RequirementResult): string {
  return printable(`✗ ${id}  ${finding?.message ?? ''}`);
}

/** The failures so far in the order of the catalogue, as many as leave room for the rest. */
function failuresInOrder(failed: ReadonlyMap<string, string>, stream: NodeJS.WriteStream): string[] {
  const lines = catalogue.flatMap(({ id }) => failed.get(id) ?? []);
  const rest = lines.length - mostFailures;
  const coloured = lines
    .slice(0, mostFailures)
    .map((line) => line.replace('✗', styleText('red', '✗', { stream })));
  return rest > 0 ? [...coloured, `and ${count(rest, 'more failure')}`] : coloured;
}

function waitLine({ until, reason }: { until: number; reason: string }, now: number): string {
  return `waiting ${secondsUntil(until, now)}: ${reason}`;
}

function secondsUntil(until: number, now: number): string {
  return `${integer(Math.max(0, Math.ceil((until - now) / 1000)))} s`;
}

/** Shows the progress of a run. */
export async function progressOn({ stream, settings, ids }: ProgressOptions): Promise<Progress> {
  const now = (): number => settings.clock.now();
  const state: ProgressState = {
    total: ids.size,
    judged: 0,
    failed: 0,
    sent: 0,
    wait: null,
    purpose: undefined,
    activities: [],
    limitsUntil: undefined,
  };
  const failed = new Map<string, string>();
  const { isLog, end } = await liveLines(stream, () => [
    // A log gets none of these: it ends with the report, as the terminal does.
    ...(isLog ? [] : failuresInOrder(failed, stream)),
    ...progressLines(state, now()),
  ]);
  return {
    result(result) {
      state.judged += 1;
      if (result.verdict !== 'fail') return;
      state.failed += 1;
      failed.set(result.id, failureLine(result));
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
    activities(activities) {
      state.activities = activities;
      if (activities.length > 0) state.limitsUntil ??= now() + timeOfLimits(settings, ids);
    },
    end,
  };
}
