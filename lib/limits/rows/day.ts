import { count } from '../../explain/count.js';
import { waitOf } from '../../http/headers/rate-headers.js';
import type { Plan } from '../../specification/plan.js';
import { failed, open, type Check, type Checks } from '../../verdict/check.js';
import { NotTested } from '../../verdict/outcome.js';
import { dayMs, totalsOf } from '../day/day-count.js';
import { responsesOf, type Observation } from '../history/observation.js';
import type { LimitEvidence } from '../limits-of-run.js';
import { minuteMs, tolerances } from '../tolerances.js';
import { commandOfDay } from './commands.js';

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
