import type { PlanMeasurement } from '../../evidence/record/measurements.js';
import { count } from '../../explain/count.js';
import { waitOf } from '../../http/headers/rate-headers.js';
import { readLedger, type LedgerLine } from '../../load/ledger-file.js';
import type { Plan, PlanName } from '../../specification/plan.js';
import { failed, open, type Check, type Checks } from '../../verdict/check.js';
import { NotTested } from '../../verdict/outcome.js';
import { responsesOf, type Observation } from '../history/observation.js';
import type { LimitEvidence } from '../limits-of-run.js';
import { commandOfDay } from '../rows/commands.js';
import { minuteMs, tolerances } from '../tolerances.js';

/** As the record keeps it. A day that did not get to its end can be resumed. */
export type CountedDay = NonNullable<PlanMeasurement['day']>;
export type Stretch = CountedDay['stretches'][number];

export const dayMs = 86_400_000;

/**
 * What the ledger in a run's folder has of the days of a plan.
 * @throws UnreadableRun
 */
export async function readDays(directory: string, plan: PlanName): Promise<LedgerLine[]> {
  return (await readLedger(directory)).filter(({ volley }) => volley.startsWith(`day ${plan}`));
}

/** Adds a request to what was counted, a minute or so each. What gets no response, or an error, may have counted. */
export function addTo(
  stretches: Stretch[],
  { sent = 0, status, reason, remaining }: Pick<LedgerLine, 'sent' | 'status' | 'reason' | 'remaining'>,
): void {
  const last = stretches.at(-1);
  // What is sent after a rejection is counted by itself.
  const isLonger = last && sent - last.from < minuteMs && last.rejected === 0;
  const stretch = isLonger ? last : { from: sent, to: sent, admitted: 0, rejected: 0, uncertain: 0 };
  if (!isLonger) stretches.push(stretch);
  const isAdmitted = status !== undefined && status < 400 && reason === undefined;
  stretch.to = sent;
  stretch[isAdmitted ? 'admitted' : status === 429 ? 'rejected' : 'uncertain'] += 1;
  // What a 429 tells is known without it.
  if (remaining !== undefined && isAdmitted) stretch.remaining = remaining;
}

/** Counts the lines from a moment on. */
export function countedSince(lines: readonly LedgerLine[], begin: number): Stretch[] {
  const stretches: Stretch[] = [];
  for (const line of lines) if ((line.sent ?? 0) >= begin) addTo(stretches, line);
  return stretches;
}

/** What the stretches come to: requests, and how many a bucket gives back meanwhile. */
export function totalsOf(stretches: readonly Stretch[], perDay: number) {
  const sum = (outcome: 'admitted' | 'uncertain'): number =>
    stretches.reduce((total, one) => total + one[outcome], 0);
  const spanMs = (stretches.at(-1)?.to ?? 0) - (stretches[0]?.from ?? 0);
  return {
    admitted: sum('admitted'),
    uncertain: sum('uncertain'),
    refilled: Math.floor((perDay * spanMs) / dayMs),
  };
}

/** Whether Remaining shows that all that was used of the day was the run's, and that no day ended meanwhile. */
export function isOwnDay(stretches: readonly Stretch[], perDay: number): boolean {
  const last = stretches.findLastIndex(({ remaining }) => remaining !== undefined);
  const used = perDay - (stretches[last]?.remaining ?? perDay);
  const { admitted, uncertain, refilled } = totalsOf(stretches.slice(0, last + 1), perDay);
  return last >= 0 && used >= admitted - refilled - 1 && used <= admitted + uncertain;
}

/**
 * LIMIT-10: the plan's requests per day are admitted, and no more. Other clients only take away: too many convict by
 * themselves, and too few only if the target says so, by the limit in force or by Remaining.
 */
export function judgeDay(evidence: LimitEvidence): Checks {
  return [countOfDay(evidence)];
}

function countOfDay(evidence: LimitEvidence): Check {
  const { facts, day: recorded } = evidence;
  const { plan, day } = facts;
  if (!day) throw new NotTested('the day is counted with --limits=day');
  const [first] = day.stretches;
  if (!first) return open(day.stopped ?? 'nothing was sent');
  const { perDay } = plan;
  const { admitted, uncertain, refilled } = totalsOf(day.stretches, perDay);
  const rejection = recorded.find(({ id }) => id === day.rejection);
  const shown = rejection ? responsesOf(rejection) : [];
  const reproduce = commandOfDay(evidence);
  const isOneWindow = rejection !== undefined && endsWithin(rejection, first.from, perDay);
  const bucket = perDay + (isOneWindow ? 0 : refilled);
  // A day that nobody saw begin may have ended meanwhile.
  const most = day.fresh || isOneWindow ? bucket : bucket + perDay;
  if (admitted > most)
    return failed(shown, {
      message: `${count(admitted, 'request')} were admitted, more than any limiter of ${perDay} a day admits in that time`,
      expected: `at most ${perDay} in a day, then 429`,
      received: `${admitted} admitted${rejection ? ', then 429' : ' and no 429'}`,
      reproduce,
    });
  const last = recorded.at(-1);
  if (last?.outcome === 'failed' && admitted === perDay)
    return failed(responsesOf(last), {
      message: `after the ${perDay} requests of the day the target responds with ${last.status}`,
      expected: '429',
      received: `${last.status}`,
      reproduce,
    });
  if (!rejection)
    return open(day.stopped ?? `the day’s limit was not reached: ${admitted} of ${perDay} were sent`);
  const missing = perDay - admitted;
  if (admitted > bucket || (missing < 0 && admitted + uncertain < bucket - 1))
    return open('a day may have ended while it was counted: begin again after midnight (UTC)');
  if (missing <= uncertain && uncertain <= admitted) {
    const unsure =
      uncertain > 0 ? `; ${count(uncertain, 'request')} without a response may be among them` : '';
    return { held: admitted, note: `${count(admitted, 'request')} were admitted, then 429${unsure}.` };
  }
  const inForce = limitTold(rejection, plan, admitted);
  if (inForce === undefined && (!day.fresh || uncertain > admitted))
    return open(
      `the day’s limit was reached after ${admitted} of ${perDay} requests; the others may have been used up by other clients, or earlier in the day. Begin again after midnight (UTC) with a key that nobody else uses`,
    );
  return failed(shown, {
    message: `the day’s limit was reached after ${admitted} of the plan’s ${perDay} requests${inForce === undefined ? '' : `: the limit in force is ${inForce}`}`,
    expected: `${perDay} requests admitted in a day`,
    received: `${admitted} admitted, then 429`,
    reproduce,
  });
}

/**
 * Whether the 429 tells that the day comes back at once, and a day after the first request at the latest: no day has ended
 * since then, and none gives back request by request.
 */
function endsWithin({ receivedAt, headers }: Observation, from: number, perDay: number): boolean {
  const wait = waitOf(headers.retryAfter, headers.date ?? receivedAt) ?? 0;
  const isLong = wait > Math.max(minuteMs, dayMs / perDay) + tolerances.longestWaitMs;
  return isLong && receivedAt + wait <= from + dayMs + tolerances.longestWaitMs;
}

/** The limit that the day's 429 names, if it is another than the plan's and what was admitted reaches it. */
function limitTold({ headers }: Observation, plan: Plan, admitted: number): number | undefined {
  const { limit = 0, remaining } = headers;
  const isAnother = limit !== plan.perMinute && limit < plan.perDay;
  return remaining === 0 && isAnother && limit > 0 && admitted >= limit ? limit : undefined;
}
