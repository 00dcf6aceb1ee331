import type { Plan } from '../../specification/plan.js';
import type { Judgement } from '../../verdict/judgement.js';
import { plural } from '../diagnose/certificate.js';
import { diagnose, nearest } from '../diagnose/diagnose.js';
import { findingsOf, type Diagnosis, type Explanation, type Hypothesis } from '../diagnose/hypothesis.js';
import type { History, LimitFacts } from '../history/history.js';
import { isRejected, responsesOf, type Observation } from '../history/observation.js';
import type { LimitEvidence } from '../limit-evidence.js';
import { minuteMs, tolerances } from '../tolerances.js';

/** As the record has it: what came of the requests of each minute or so. */
type CountedDay = NonNullable<LimitFacts['day']>;

/** LIMIT-10: the plan's requests per day are admitted, and no more. The day is a window like the minute, and is explained like it. */
export function judgeDay(judgement: Judgement, evidence: LimitEvidence): void {
  const { facts, day: recorded } = evidence;
  const { plan } = facts;
  const [first] = recorded;
  if (!facts.day || !first) return judgement.leaveOpen(facts.day?.stopped ?? 'nothing was sent');
  const day = ofOneDay(facts.day);
  const rejection = recorded.find(({ id }) => id === day.rejection);
  const diagnosis = diagnose(dayHistory(day, evidence, first));
  const possible = possibleDays(diagnosis, day);
  const admitted = day.stretches.reduce((sum, stretch) => sum + stretch.admitted, 0);
  const uncertain = day.stretches.reduce((sum, stretch) => sum + stretch.uncertain, 0);
  const shown = rejection ? responsesOf(rejection) : [];
  const isTooMuch = possible.map((one) => findingsOf(one, 'excess').length > 0);
  if (isTooMuch.every(Boolean))
    return judgement.fail(shown, {
      message: `${plural(admitted, 'request')} were admitted, more than any limiter of ${plan.perDay} a day admits in that time`,
      expected: `at most ${plan.perDay} in a day, then 429`,
      received: `${admitted} admitted${rejection ? ', then 429' : ' and no 429'}`,
    });
  // That only the end of a day which nobody saw begin explains so many, proves no limit.
  const isUnseen = admitted > plan.perDay && possible.every(({ hypothesis }) => opensDay(hypothesis));
  if (isUnseen || isTooMuch.some(Boolean))
    return judgement.leaveOpen('a day may have ended while it was counted: begin again after midnight (UTC)');
  const last = recorded.at(-1);
  if (last?.outcome === 'failed' && admitted === plan.perDay)
    return judgement.fail(responsesOf(last), {
      message: `after the ${plan.perDay} requests of the day the target responds with ${last.status}`,
      expected: '429',
      received: `${last.status}`,
    });
  if (!rejection)
    return judgement.leaveOpen(
      day.stopped ?? `the day’s limit was not reached: ${admitted} of ${plan.perDay} were sent`,
    );
  const missing = plan.perDay - admitted;
  if (missing > 0 && uncertain > admitted)
    return judgement.leaveOpen(
      `of ${plural(admitted + uncertain, 'request')} only ${admitted} were surely admitted on the day of the 429`,
    );
  if (missing <= 0 || missing <= uncertain) {
    judgement.held(admitted);
    if (uncertain > 0)
      judgement.note(
        `${plural(uncertain, 'request')} may be among those admitted: no response came, or an error, or the day began in that minute.`,
      );
    return;
  }
  const others = diagnosis.otherTraffic + othersInFirstMinute(evidence);
  if (others > 0)
    return judgement.leaveOpen(`other clients use the key: Remaining fell by ${others} more than was sent`);
  const inForce = limitTold(rejection, plan, admitted);
  if (!day.fresh && inForce === undefined)
    return judgement.leaveOpen(
      `the day’s limit was reached after ${admitted} of ${plan.perDay} requests; the others may have been used up earlier in the day. Go on with --resume=DIR after ${new Date(day.wholeAt ?? 0).toUTCString()}: the next day is counted from its beginning`,
    );
  judgement.fail(shown, {
    message: `the day’s limit was reached after ${admitted} of the plan’s ${plan.perDay} requests${inForce === undefined ? '' : `: the limit in force is ${inForce}`}`,
    expected: `${plan.perDay} requests admitted in a day`,
    received: `${admitted} admitted, then 429`,
  });
}

/** Requests of other clients that Remaining shows in the first minute, whose exchanges are all recorded. */
function othersInFirstMinute({ history, day }: LimitEvidence): number {
  const [first] = day;
  // The day's 429 shows nothing of the minute.
  const own = day.filter((one) => first && one.sentAt < first.sentAt + minuteMs && !isRejected(one));
  return diagnose({ ...history, own }).otherTraffic;
}

/** What belongs to the day of the 429, if that tells when it began: it may have begun while it was counted. */
function ofOneDay(day: CountedDay): CountedDay {
  const { stretches, began = Number.NEGATIVE_INFINITY } = day;
  const begin = began - tolerances.longestWaitMs;
  const isLater = began >= (stretches[0]?.from ?? 0) - tolerances.longestWaitMs;
  if (!isLater) return day;
  const ofDay = stretches
    .filter(({ to }) => to >= begin)
    // Nobody knows which requests of the stretch in which it began are the day's.
    .map((one) =>
      one.from >= begin ? one : { ...one, admitted: 0, uncertain: one.admitted + one.uncertain },
    );
  return { ...day, stretches: ofDay, fresh: true };
}

/** Days end at midnight (UTC), or a day after a request that may be somebody else's: then only if nothing tells when it began. */
function possibleDays({ conforming }: Diagnosis, { fresh, began }: CountedDay): readonly Explanation[] {
  const isKnown = fresh || began !== undefined;
  const days = conforming.filter(
    ({ hypothesis }) => !hypothesis.otherPhase && !(isKnown && opensDay(hypothesis)),
  );
  return nearest(days);
}

/** Whether a day begins with the first request of anybody. */
function opensDay({ algorithm }: Hypothesis): boolean {
  return algorithm === 'fixed window from the first request';
}

/** The limit that the day's 429 names, if it is another than the plan's and what was admitted reaches it. */
function limitTold({ headers }: Observation, plan: Plan, admitted: number): number | undefined {
  const { limit = 0, remaining } = headers;
  const isAnother = limit !== plan.perMinute && limit < plan.perDay;
  return remaining === 0 && isAnother && limit > 0 && admitted >= limit ? limit : undefined;
}

/** The day as a history: its limit is that of the window, and one rejection shows it, if nothing was used before. */
function dayHistory(
  day: CountedDay,
  { facts: { plan }, history }: LimitEvidence,
  like: Observation,
): History {
  const { dayMs = 86_400_000, fresh } = day;
  const stretches = day.stretches.map((one) => ({
    ...one,
    rejected: fresh ? Math.min(1, one.rejected) : 0,
  }));
  const own = asObservations(stretches, plan, like);
  return {
    plan: { ...plan, perMinute: plan.perDay },
    windowMs: dayMs,
    own,
    others: [],
    clock: history.clock,
  };
}

/** A stretch of a day as an observation of many requests for each outcome. @param like any of its requests */
export function asObservations(
  stretches: CountedDay['stretches'],
  plan: Plan,
  like: Observation,
): Observation[] {
  return stretches.flatMap(({ from, to, admitted, rejected, uncertain, remaining = plan.perDay }) => {
    const counts = [
      { outcome: 'admitted', status: 200, count: admitted },
      { outcome: 'rejected', status: 429, count: rejected },
      { outcome: 'unknown', status: null, count: uncertain },
    ] as const;
    return counts
      .filter(({ count }) => count > 0)
      .map((counted) => ({
        ...like,
        ...counted,
        sentAt: from,
        receivedAt: to,
        headers: {
          limit: plan.perDay,
          // More than the plan's day has is another figure.
          remaining: counted.outcome === 'admitted' && remaining < plan.perDay ? remaining : undefined,
          period: 'minute',
        },
      }));
  });
}
