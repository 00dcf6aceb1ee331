import type { PlanMeasurement } from '../evidence/record/measurements.js';
import { count, integer } from '../explain/count.js';
import { runOut } from '../http/exchange/credential.js';
import { listPets, type PlannedRequest } from '../http/exchange/planned-request.js';
import { recordExchange } from '../http/exchange/record-exchange.js';
import { waitOf } from '../http/headers/rate-headers.js';
import { fire } from '../load/fire.js';
import { ledgerLine, readLedger, type LedgerEntry, type LedgerLine } from '../load/ledger.js';
import { Pause } from '../load/pause.js';
import type { Plan, PlanName } from '../specification/plan.js';
import { failed, open, type Check, type Checks } from '../verdict/check.js';
import { NotTested } from '../verdict/outcome.js';
import { isRejected, isServed, observationOf, responsesOf, type Observation } from './history/history.js';
import type { LimitEvidence } from './limits-of-run.js';
import type { Sending } from './probe/session.js';
import { commandOfDay } from './rows/commands.js';
import { dayMs, minuteMs, tolerances } from './tolerances.js';

/** As the record keeps it. A day that did not get to its end can be resumed. */
type CountedDay = NonNullable<PlanMeasurement['day']>;
type Counted = Pick<CountedDay, 'stretches' | 'fresh'>;
type Stretch = CountedDay['stretches'][number];

/** What the ledger in a run's folder has of the days of a plan. @throws UnreadableRun */
export async function readDays(directory: string, plan: PlanName): Promise<LedgerLine[]> {
  return (await readLedger(directory)).filter(({ volley }) => volley.startsWith(`day ${plan}`));
}

/** Counts the lines of a ledger from a moment on. */
export function countedSince(lines: readonly LedgerLine[], begin: number, perDay: number): Counted {
  const none: Counted = { stretches: [], fresh: false };
  return lines
    .filter(({ sent = 0 }) => sent >= begin)
    .reduce((counted, line) => withLine(counted, line, perDay), none);
}

/** Adds a request to what was counted. What gets no response, or an error, may have counted. */
function withLine({ stretches: [before], fresh }: Counted, line: LedgerLine, perDay: number): Counted {
  const { sent = 0, status, reason, remaining } = line;
  const isAdmitted = status !== undefined && status < 400 && reason === undefined;
  const outcome = isAdmitted ? 'admitted' : status === 429 ? 'rejected' : 'uncertain';
  const stretch = before ?? { from: sent, admitted: 0, rejected: 0, uncertain: 0 };
  const after = { ...stretch, to: sent, [outcome]: stretch[outcome] + 1 };
  // What a 429 tells is known without it.
  if (remaining === undefined || !isAdmitted) return { stretches: [after], fresh };
  const used = perDay - remaining;
  const least = after.admitted - refilledIn(after, perDay) - 1;
  return { stretches: [after], fresh: used >= least && used <= after.admitted + after.uncertain };
}

/** How many requests a bucket gives back meanwhile. */
function refilledIn({ from, to }: Stretch, perDay: number): number {
  return Math.floor((perDay * (to - from)) / dayMs);
}

export interface DayOptions extends Sending {
  readonly plan: Plan;
  /** What was sent with the key before: by an interrupted run, and by this one for something else. */
  readonly before?: readonly LedgerLine[];
}

/** Milliseconds from one request to the next: just under the minute's limit, so that it is never reached. */
const apartMs = ({ perMinute }: Plan): number => minuteMs / Math.max(1, perMinute - 1);

/** Minutes that counting a day takes: Free 17, Pro 34, Business about 100. A few seconds more are not a minute. */
export function minutesOfDay(plan: Plan, already = 0): number {
  const wholeMs = Math.max(0, plan.perDay + 1 - already) * apartMs(plan);
  return Math.max(1, Math.ceil((wholeMs - 10_000) / minuteMs));
}

/** A minute's 429 in between is waited out; so many in a row are the day's. */
const rejectionsOfTheDay = 3;
/** Requests beyond the limit that are tried before the day is taken for unlimited. */
const beyondLimit = 3;
/** A target that does not respond is tried again so often, and so many milliseconds later: for ten minutes. */
const mostTries = 20;
const betweenTriesMs = 30_000;
const resume = 'resume it with --resume=DIR';

/**
 * Sends a plan's day, one request after the other and paced just under its minute, until the day's 429 comes or more is
 * admitted than any conforming limiter lets through. Every request stands in the ledger, so that the counting survives its end.
 */
export async function countDay(options: DayOptions): Promise<CountedDay> {
  const { plan, target, credential, clock, signal, budget, before = [] } = options;
  const { perDay } = plan;
  const startedAt = clock.now();
  // Of what was sent before, only what was sent on the same day (UTC) is counted.
  let counted = countedSince(before, Math.floor(startedAt / dayMs) * dayMs, perDay);
  for (const line of before) options.ledger(line);
  const ofDay = { purpose: 'LIMIT-10', phase: 'day', credential };
  const request: PlannedRequest = { ...listPets({ limit: 1 }), ...ofDay };
  const pause = new Pause();
  let [sent, failures, rejections, next] = [0, 0, 0, startedAt];
  let end: Pick<CountedDay, 'rejection' | 'stopped'> | undefined;

  /** Keeps what came: as evidence the first minute, and all that is not a success. */
  const kept = (entry: LedgerEntry): Observation => {
    sent += 1;
    pause.see(entry);
    const recorded = recordExchange(entry.request, entry, entry.destination);
    const isKept = entry.sentAt < startedAt + minuteMs || !isServed(entry);
    const one = observationOf(options.record(recorded, isKept), plan);
    const { period, remaining } = one.headers;
    const told = period === 'day' ? remaining : undefined;
    const line = { ...ledgerLine(`day ${plan.name}`, entry), remaining: told };
    options.ledger(line);
    counted = withLine(counted, line, perDay);
    return one;
  };

  const nextRequest = (): PlannedRequest | undefined => {
    if (budget.take(1) === 0) end = { stopped: `${budget.error.message}: ${resume}` };
    if (end) return undefined;
    const already = counted.stretches[0]?.admitted ?? 0;
    options.progress({ text: `the day: ${integer(already)} of ${integer(perDay)} admitted` });
    next = clock.now() + apartMs(plan);
    return request;
  };
  const untilEnd = function* () {
    for (;;) {
      if (end) return;
      yield { plannedAt: Math.max(next, pause.until), request: nextRequest };
    }
  };

  /** How the counting ends with a response, if it does. */
  const endWith = async (entry: LedgerEntry): Promise<typeof end> => {
    const { renew, authorization } = credential;
    const hasRunOut = entry.status === 401 && failures === 0 && renew !== undefined;
    const old = { ...request, credential: runOut(credential) };
    const one = kept(hasRunOut ? { ...entry, request: old } : entry);
    const [stretch] = counted.stretches;
    if (isServed(one) && stretch) {
      failures = 0;
      // A day that gives back little by little is reached again and again.
      if (stretch.admitted < perDay) rejections = 0;
      // A day may have ended meanwhile, unless Remaining shows that none has.
      const most = (counted.fresh ? 1 : 2) * perDay + refilledIn(stretch, perDay);
      return stretch.admitted > most + beyondLimit ? {} : undefined;
    }
    if (isRejected(one)) {
      rejections += 1;
      return isOfTheDay(one) || rejections >= rejectionsOfTheDay ? { rejection: one.id } : undefined;
    }
    failures += 1;
    if (hasRunOut && (await renew(authorization))) return undefined;
    next = clock.now() + betweenTriesMs;
    const { status } = one;
    if (status === 401 || status === 403) return { stopped: `the target refuses the key with ${status}` };
    return failures > mostTries ? { stopped: `the target was lost: ${resume}` } : undefined;
  };

  await fire({
    target,
    clock,
    signal,
    connections: 1,
    inTurn: true,
    requests: untilEnd(),
    settled: async (entry) => void (end = await endWith(entry)),
  });
  if (signal.aborted) end ??= { stopped: `the run was interrupted: ${resume}` };
  return { ...counted, sent, ...end };
}

/** Milliseconds that a 429 asks to wait; 0 if it tells none. */
function waitAfter({ receivedAt, headers: { retryAfter, date = receivedAt } }: Observation): number {
  return waitOf(retryAfter, date) ?? 0;
}

/** Whether a 429 asks for a longer wait than the minute's window, or shows the day as used up. */
function isOfTheDay(rejection: Observation): boolean {
  const { period, remaining } = rejection.headers;
  return waitAfter(rejection) > minuteMs + tolerances.longestWaitMs || (period === 'day' && remaining === 0);
}

/** Whether the 429 tells that the day comes back at once, a day after the first request at the latest: none has ended since. */
function endsWithin(rejection: Observation, from: number, perDay: number): boolean {
  const wait = waitAfter(rejection);
  const isLong = wait > Math.max(minuteMs, dayMs / perDay) + tolerances.longestWaitMs;
  return isLong && rejection.receivedAt + wait <= from + dayMs + tolerances.longestWaitMs;
}

/** The limit that the day's 429 names, if it is another than the plan's and what was admitted reaches it. */
function limitTold({ headers }: Observation, plan: Plan, admitted: number): number | undefined {
  const { limit = 0, remaining } = headers;
  const isAnother = limit !== plan.perMinute && limit < plan.perDay;
  return remaining === 0 && isAnother && limit > 0 && admitted >= limit ? limit : undefined;
}

/**
 * LIMIT-10: the plan's requests per day are admitted, and no more. Other clients only take away: too many convict by
 * themselves, and too few only if the target says so, by the limit in force or by Remaining.
 */
export function judgeDay(evidence: LimitEvidence): Checks {
  return [checkOfDay(evidence)];
}

function checkOfDay(evidence: LimitEvidence): Check {
  const { facts, day: recorded } = evidence;
  const { plan, day } = facts;
  const { perDay } = plan;
  if (!day) throw new NotTested('the day is counted with --limits=day');
  const [counted] = day.stretches;
  if (!counted) return open(day.stopped ?? 'nothing was sent');
  const { from, admitted, uncertain } = counted;
  const rejection = recorded.find(({ id }) => id === day.rejection);
  const failure = recorded.at(-1)?.outcome === 'failed' ? recorded.at(-1) : undefined;
  const last = rejection ?? failure;
  const fails = (message: string): Check =>
    failed(responsesOf(...(last ? [last] : [])), {
      message,
      expected: `${perDay} requests admitted in a day, then 429`,
      received: `${admitted} admitted${last ? `, then ${last.status}` : ' and no 429'}`,
      reproduce: commandOfDay(evidence),
    });
  const isOneWindow = rejection !== undefined && endsWithin(rejection, from, perDay);
  const bucket = perDay + (isOneWindow ? 0 : refilledIn(counted, perDay));
  // A day that nobody saw begin may have ended meanwhile.
  const most = day.fresh || isOneWindow ? bucket : bucket + perDay;
  if (admitted > most)
    return fails(
      `${count(admitted, 'request')} were admitted, more than any limiter of ${perDay} a day admits in that time`,
    );
  if (failure && admitted === perDay)
    return fails(`after the ${perDay} requests of the day the target responds with ${failure.status}`);
  if (!rejection)
    return open(day.stopped ?? `the day’s limit was not reached: ${admitted} of ${perDay} were sent`);
  if (admitted > bucket || (admitted > perDay && admitted + uncertain < bucket - 1))
    return open('a day may have ended while it was counted: begin again after midnight (UTC)');
  if (perDay - admitted <= uncertain && uncertain <= admitted) {
    const unsure =
      uncertain > 0 ? `; ${count(uncertain, 'request')} without a response may be among them` : '';
    return { held: admitted, note: `${count(admitted, 'request')} were admitted, then 429${unsure}.` };
  }
  const inForce = limitTold(rejection, plan, admitted);
  if (inForce === undefined && (!day.fresh || uncertain > admitted))
    return open(
      `the day’s limit was reached after ${admitted} of ${perDay} requests; the others may have been used up by other clients, or earlier in the day. Begin again after midnight (UTC) with a key that nobody else uses`,
    );
  const told = inForce === undefined ? '' : `: the limit in force is ${inForce}`;
  return fails(`the day’s limit was reached after ${admitted} of the plan’s ${perDay} requests${told}`);
}
