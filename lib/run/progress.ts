import { styleText } from 'node:util';
import { profileTraits } from '../verdict/profile.js';
import type { Activity } from '../limits/probe/limit-session.js';
import type { RequirementResult } from '../evidence/record/requirement-result.js';
import { catalogue, classOf, isRequirementId, requirementRow } from '../specification/catalogue.js';
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

/** How much a run is expected to send, and how fast it may. */
interface Expectation {
  readonly requests: number;
  readonly perMinute: number;
  /** Minutes that the limits take, after everything else. */
  readonly minutesOfLimits: number;
}

/** How far a run has got. */
export interface ProgressState {
  readonly total: number;
  readonly startedAt: number;
  readonly expected: Expectation;
  judged: number;
  failed: number;
  sent: number;
  /** Milliseconds of waits that are over, and the wait that is not. */
  waited: number;
  wait: { readonly since: number; readonly until: number; readonly reason: string } | null;
  /** What the last exchange was sent for. */
  purpose: string | undefined;
  activities: readonly Activity[];
  /** When the limits began. */
  limitsSince: number | undefined;
}

const minute = 60_000;
/** Failures that stand above the progress; the report has them all. */
const mostFailures = 12;
/** Fewer requests tell no speed: the first ones open connections. */
const fewestMeasured = 10;
/** A shorter time is over before it is read. */
const shortestTold = 5_000;

/** What a run will send, about, by its profile, its selection and its plan. */
function expectationOf(settings: Settings, ids: ReadonlySet<RequirementId>): Expectation {
  const isFunctional = (id: RequirementId): boolean => classOf(id) === 'functional';
  const share = [...ids].filter(isFunctional).length / catalogue.filter(({ id }) => isFunctional(id)).length;
  const { maximumRequests = Infinity, profile, target } = settings;
  const parts = partsOf(settings, ids);
  const limits = parts.minute || parts.day ? limitsAhead(settings, parts) : [];
  return {
    requests: Math.min(maximumRequests, Math.ceil(profileTraits[profile].requests * share)),
    perMinute: target.plan.perMinute,
    minutesOfLimits: Math.max(0, ...limits.map(({ minutes }) => minutes)),
  };
}

/** Milliseconds until the run ends, about: by the time that its requests took, and by the windows that they need. */
export function timeLeft({ expected, ...state }: ProgressState, now: number): number {
  const limits = expected.minutesOfLimits * minute;
  if (state.limitsSince !== undefined) return Math.max(0, limits - (now - state.limitsSince));
  const { sent, wait, waited } = state;
  const elapsed = now - state.startedAt;
  const left = Math.max(0, expected.requests - sent);
  const active = elapsed - waited - (wait ? now - wait.since : 0);
  const windows =
    wait === null && waited === 0 ? 0 : Math.floor((expected.requests - 1) / expected.perMinute);
  const bySpeed = sent < fewestMeasured ? 0 : (active / sent) * left;
  return Math.max(bySpeed, windows * minute - elapsed, wait ? wait.until - now : 0) + limits;
}

/** The counts and the time to expect, what is tried, why nothing is sent, and what longer parts of the run are doing. */
export function progressLines(state: ProgressState, now: number): string[] {
  const { judged, total, failed, sent, wait, purpose = '', activities } = state;
  const left = timeLeft(state, now);
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
    startedAt: now(),
    expected: expectationOf(settings, ids),
    judged: 0,
    failed: 0,
    sent: 0,
    waited: 0,
    wait: null,
    purpose: undefined,
    activities: [],
    limitsSince: undefined,
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
      const { since = now() } = state.wait ?? {};
      if (!next) state.waited += now() - since;
      state.wait = next && { ...next, since };
    },
    sent(requests) {
      state.sent = requests;
    },
    exchange({ purpose }) {
      state.purpose = purpose;
    },
    activities(activities) {
      state.activities = activities;
      if (activities.length > 0) state.limitsSince ??= now();
    },
    end,
  };
}
