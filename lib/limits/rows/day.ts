import type { Exchange } from '../../http/exchange/exchange.js';
import { ApiResponse } from '../../session/api-response.js';
import type { Plan } from '../../specification/plan.js';
import type { Judgement } from '../../verdict/judgement.js';
import { Inconclusive } from '../../verdict/outcome.js';
import { plural } from '../diagnose/certificate.js';
import { diagnose, nearest } from '../diagnose/diagnose.js';
import { findingsOf, type Diagnosis, type Explanation, type Hypothesis } from '../diagnose/hypothesis.js';
import type { History } from '../history/history.js';
import { observationOf, type Observation } from '../history/observation.js';
import type { Interval } from '../interval.js';
import { tolerances } from '../tolerances.js';

/** A stretch of a day's journal: what came of the requests in it. Times are epoch milliseconds by our clock. */
interface DayStretch {
  readonly from: number;
  readonly to: number;
  readonly admitted: number;
  readonly rejected: number;
  /** Failed or unanswered: they may count or not. */
  readonly uncertain: number;
  /** What remained of the day after it, if the headers say. */
  readonly remaining?: number | undefined;
}

/** What a day's limit is judged by. */
export interface DayEvidence {
  readonly plan: Plan;
  /** The length of "a day" in milliseconds. By default 86,400,000. */
  readonly dayMs?: number | undefined;
  readonly stretches: readonly DayStretch[];
  /** The 429 of the day's limit. */
  readonly rejection?: Exchange | undefined;
  /** The day was seen to begin: nothing of it was used before. */
  readonly fresh: boolean;
  /** When the day of the 429 began by our clock, in epoch milliseconds, as far as the target tells. */
  readonly began?: number | undefined;
  /** The target's clock minus ours. */
  readonly clock?: Interval | undefined;
  /** Why the counting did not get to its end. */
  readonly stopped?: string | undefined;
}

const wholeDayMs = 86_400_000;

/** LIMIT-10: the plan's requests per day are admitted, and no more. The day is a window like the minute, and is explained like it. */
export function judgeDay(judgement: Judgement, counted: DayEvidence): void {
  const evidence = ofOneDay(counted);
  const { plan, rejection, stretches, stopped } = evidence;
  const history = dayHistory(evidence);
  const diagnosis = diagnose(history);
  const possible = possibleDays(diagnosis, evidence);
  const admitted = stretches.reduce((sum, stretch) => sum + stretch.admitted, 0);
  const uncertain = stretches.reduce((sum, stretch) => sum + stretch.uncertain, 0);
  const shown = rejection ? [new ApiResponse(rejection)] : [];
  const isTooMuch = possible.map((one) => findingsOf(one, 'excess').length > 0);
  if (isTooMuch.every(Boolean)) {
    judgement.fail(shown, {
      message: `${plural(admitted, 'request')} were admitted, more than any limiter of ${plan.perDay} a day admits in that time`,
      expected: `at most ${plan.perDay} in a day, then 429`,
      received: `${admitted} admitted${rejection ? ', then 429' : ' and no 429'}`,
    });
    return;
  }
  // That only the end of a day which nobody saw begin explains so many, proves no limit.
  const isUnseen = admitted > plan.perDay && possible.every(({ hypothesis }) => opensDay(hypothesis));
  if (isUnseen || isTooMuch.some(Boolean)) {
    throw new Inconclusive('a day may have ended while it was counted: begin again after midnight (UTC)');
  }
  if (!rejection) {
    throw new Inconclusive(
      stopped ?? `the day’s limit was not reached: ${admitted} of ${plan.perDay} were sent`,
    );
  }
  const inForce = limitTold(rejection, evidence, admitted);
  const missing = plan.perDay - admitted;
  if (missing <= 0 || missing <= uncertain) {
    judgement.held(admitted);
    if (uncertain > 0)
      judgement.note(
        `${plural(uncertain, 'request')} got no response, or an error, and may be among those admitted.`,
      );
    return;
  }
  if (diagnosis.otherTraffic > 0) {
    throw new Inconclusive(
      `other clients use the key: Remaining fell by ${diagnosis.otherTraffic} more than was sent`,
    );
  }
  if (!evidence.fresh && inForce === undefined) {
    throw new Inconclusive(
      `the day’s limit was reached after ${admitted} of ${plan.perDay} requests; the others may have been used up earlier in the day. Go on with --resume=DIR after it has reset: the next day is counted from its beginning`,
    );
  }
  judgement.fail(shown, {
    message: `the day’s limit was reached after ${admitted} of the plan’s ${plan.perDay} requests${inForce === undefined ? '' : `: the limit in force is ${inForce}`}`,
    expected: `${plan.perDay} requests admitted in a day`,
    received: `${admitted} admitted, then 429`,
  });
}

/** What belongs to the day of the 429, if that tells when it began: it may have begun while it was counted. */
function ofOneDay(evidence: DayEvidence): DayEvidence {
  const { stretches, began = Number.NEGATIVE_INFINITY } = evidence;
  const begin = began - tolerances.longestWaitMs;
  const isLater = began >= (stretches[0]?.from ?? 0) - tolerances.longestWaitMs;
  if (!isLater) return evidence;
  const ofDay = stretches
    .filter(({ to }) => to >= begin)
    // Nobody knows which requests of the stretch in which it began are the day's.
    .map((one) =>
      one.from >= begin ? one : { ...one, admitted: 0, uncertain: one.admitted + one.uncertain },
    );
  return { ...evidence, stretches: ofDay, fresh: true };
}

/** Days end at midnight (UTC), or a day after a request that may be somebody else's: then only if nothing tells when it began. */
function possibleDays({ conforming }: Diagnosis, { fresh, began }: DayEvidence): readonly Explanation[] {
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
function limitTold(
  rejection: Exchange,
  { plan, dayMs = wholeDayMs }: DayEvidence,
  admitted: number,
): number | undefined {
  const { limit, remaining } = observationOf(rejection, plan, dayMs).headers;
  if (limit === undefined || remaining !== 0 || limit === plan.perMinute || limit >= plan.perDay)
    return undefined;
  return admitted >= limit ? limit : undefined;
}

/** The day as a history: its limit is that of the window, and a stretch is an observation of many requests for each outcome. */
function dayHistory({ plan, dayMs = wholeDayMs, stretches, fresh, clock, rejection }: DayEvidence): History {
  const own = stretches.flatMap(
    ({ from, to, admitted, rejected, uncertain, remaining = plan.perDay }, index) =>
      [
        { outcome: 'admitted', status: 200, count: admitted } as const,
        { outcome: 'rejected', status: 429, count: fresh ? Math.min(1, rejected) : 0 } as const,
        { outcome: 'unknown', status: null, count: uncertain } as const,
      ]
        .filter(({ count }) => count > 0)
        .map((counted): Observation => ({
          ...counted,
          id: `stretch ${index + 1}`,
          exchange: rejection ?? nothingRecorded,
          sentAt: from,
          receivedAt: to,
          operation: 'listPets',
          headers: {
            limit: plan.perDay,
            // More than the plan's day has is another figure.
            remaining: remaining < plan.perDay ? remaining : undefined,
            reset: undefined,
            retryAfter: undefined,
            date: undefined,
            period: 'minute',
          },
          caller: '',
          phase: 'day',
        })),
  );
  return { plan: { ...plan, perMinute: plan.perDay }, windowMs: dayMs, own, others: [], clock };
}

const nothingRecorded: Exchange = {
  id: '',
  purpose: 'LIMIT-10',
  operation: 'listPets',
  credential: 'valid',
  input: 'specified',
  sentAt: new Date(0).toISOString(),
  request: { method: 'GET', url: '', headers: [] },
  timing: { wait: 0, total: 0 },
};
