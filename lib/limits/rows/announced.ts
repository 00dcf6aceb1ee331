import type { Failure, Judgement } from '../../verdict/judgement.js';
import { Inconclusive, NotApplicable } from '../../verdict/outcome.js';
import { behavesLike, seconds } from '../diagnose/certificate.js';
import { contradictionsIn, findingsOf, type Diagnosis, type Finding } from '../diagnose/hypothesis.js';
import { including, type History } from '../history/history.js';
import { isAdmitted, isRejected, responsesOf, type Observation, waitEnds } from '../history/observation.js';
import { isFixedWindow } from '../limiter/limiter.js';
import { ofTheMinute } from '../history/left-out.js';
import type { LimitEvidence } from '../limit-evidence.js';
import { ranking, tolerances } from '../tolerances.js';
import { factOfLimiter } from './admission.js';

/** A response that announced a time, and the first request after that time. */
interface Announced {
  readonly by: Observation;
  readonly next: Observation;
}

/**
 * The latest of the announced times that are over, and the first request that was sent then. A rejection of that request shows
 * nothing if a later time was announced since, or if a request was admitted meanwhile and may have used what came back.
 * @param announces whether a response announces a time; `isFirst`: none is awaited
 */
function announcedIn(
  own: readonly Observation[],
  announces: (one: Observation, isFirst: boolean) => boolean,
  isOver: (by: Observation, next: Observation) => boolean,
): Announced[] {
  const pairs: Announced[] = [];
  let awaited: Observation[] = [];
  let admitted = false;
  for (const next of own) {
    const over = awaited.filter((by) => by.receivedAt <= next.sentAt && isOver(by, next));
    const by = over.at(-1);
    const isLatest = awaited.every((one) => over.includes(one) || one.receivedAt <= (by?.sentAt ?? 0));
    if (by && (!isRejected(next) || (!admitted && isLatest)))
      pairs.push({ by, next: servedBeside(next, own) });
    awaited = awaited.filter((one) => !over.includes(one));
    admitted ||= isAdmitted(next);
    if (!announces(next, awaited.length === 0)) continue;
    awaited.push(next);
    admitted = false;
  }
  return pairs;
}

/** Requests that overlap are one step: what is restored for one of them is restored. */
function servedBeside(next: Observation, own: readonly Observation[]): Observation {
  if (!isRejected(next)) return next;
  const { sentAt, receivedAt } = next;
  return own.find((one) => isAdmitted(one) && one.sentAt < receivedAt && one.receivedAt > sentAt) ?? next;
}

/** The requests after the waits that 429s asked for. */
export function waitedOut({ own, clock }: Pick<History, 'own' | 'clock'>): Announced[] {
  const due = (one: Observation): number => waitEnds(one, clock) ?? Number.POSITIVE_INFINITY;
  return announcedIn(
    own,
    (one) => isRejected(one) && Number.isFinite(due(one)),
    (by, next) => due(by) <= next.sentAt,
  );
}

/** By how much rejections push back a limit that comes back bit by bit, if they count. */
export function owedMs(rejections: number, { windowMs, plan }: History): number {
  return (rejections * windowMs) / plan.perMinute;
}

/** Judges whether the requests after announced times found what was announced. @param wrong what one found instead */
function judgeAnnounced(
  judgement: Judgement,
  diagnosis: Diagnosis,
  announced: readonly Announced[],
  wrong: (announced: Announced) => Failure | undefined,
): void {
  const nexts = announced.map(({ next }) => next);
  for (const one of announced) {
    const { by, next } = one;
    const failure = wrong(one);
    if (next.outcome === 'unknown' || next.outcome === 'failed')
      judgement.leaveOpen('the request after the wait got no response, or one of a server in trouble');
    else if (failure === undefined) judgement.held(1);
    else if (othersMayHaveTaken(diagnosis, one, nexts))
      judgement.leaveOpen(
        'other clients use the key, as Remaining shows, and may have used up what came back',
      );
    else judgement.fail(responsesOf(by, next), failure);
  }
}

/**
 * Requests of other clients, by the best explanation that believes Remaining: one that does not is held against the
 * conforming limiter.
 */
function othersIn({ best, twin }: Diagnosis): readonly Finding[] {
  return findingsOf(best.hypothesis.believesRemaining ? best : twin, 'hidden requests');
}

/** What the best explanation has left before a request, at the least. */
function leftBefore(observation: Observation, { best }: Diagnosis): number {
  return best.traced.find(including(observation))?.before[0] ?? 0;
}

/**
 * Whether other clients may have used up what is missing: as much as they use elsewhere, or less than half a window. Who only
 * shows just after the ends of windows is nobody else.
 */
function othersMayHaveTaken(
  diagnosis: Diagnosis,
  { next }: Announced,
  nexts: readonly Observation[],
): boolean {
  const { best, history } = diagnosis;
  const others = othersIn(diagnosis);
  const beginnings = isFixedWindow(best.hypothesis.algorithm) ? nexts : [next];
  const elsewhere = others.filter((one) => !beginnings.some((beginning) => including(beginning)(one)));
  const here = others.find(including(next));
  if (here && here.price < ranking.margin && !diagnosis.deviation) return true;
  if (elsewhere.length === 0) return false;
  const missing = here?.count ?? Math.floor(leftBefore(next, diagnosis));
  return missing <= Math.max(...elsewhere.map(({ count }) => count), history.plan.perMinute / 2);
}

/** LIMIT-05: the first request after `Retry-After` is served, for every 429 that was waited out. */
export function judgeServedAfterRetryAfter(judgement: Judgement, evidence: LimitEvidence): void {
  const { history, day, diagnosis } = evidence;
  const waits = [history, ofTheMinute({ ...history, own: day })].flatMap(waitedOut);
  judgeAnnounced(judgement, diagnosis, waits, ({ by, next }) => {
    if (!isRejected(next)) return undefined;
    return {
      message: 'the first request after Retry-After is rejected with 429 again',
      expected: `served ${seconds(next.sentAt - by.receivedAt)} after "Retry-After: ${by.headers.retryAfter?.text ?? ''}"`,
      received: `429 (${next.id})`,
    };
  });
  if (judgement.checks === 0 && judgement.open.length === 0)
    throw new Inconclusive('no 429 with a Retry-After that a client can follow was waited out');
}

/** LIMIT-14: the limit is restored at Reset. */
export function judgeReset(judgement: Judgement, evidence: LimitEvidence): void {
  const { history, diagnosis } = evidence;
  const { own, clock } = history;
  const { deviation, twin } = diagnosis;
  if (deviation?.blames.includes('LIMIT-14')) {
    const next = twin.findings.find(({ kind }) => kind !== 'other time')?.burst.observations[0];
    return judgement.fail(responsesOf(...(next ? [next] : [])), {
      message: `the limit is not restored at Reset: the limiter ${deviation.says}`,
      expected: 'the whole limit again after the announced Reset',
      received: `the limiter behaves like ${behavesLike(diagnosis)}`,
      fact: factOfLimiter(diagnosis),
    });
  }
  const resets = resetsIn(history);
  judgeAnnounced(judgement, diagnosis, resets, (announced) => notRestored(announced, diagnosis));
  if (resets.length > 0) return;
  const named = own.filter(({ headers }) => headers.reset !== undefined);
  if (named.length > 0 && named.every(({ headers }) => headers.period === 'day'))
    throw new NotApplicable('Reset names the end of the day');
  if (own.length > 0 && named.length === 0) throw new NotApplicable('no response carries a Reset');
  if (!clock)
    throw new NotApplicable('no Date shows the target’s clock, so it is not known when a Reset has passed');
  throw new Inconclusive('no announced Reset passed during the run');
}

/** The first requests a second after an announced Reset, by the target's clock, or in the window that came earlier. */
function resetsIn({ own, clock, windowMs }: History): Announced[] {
  if (!clock) return [];
  const resetOf = ({ headers: { reset = 0, period } }: Observation): number =>
    period === 'minute' ? reset : 0;
  return announcedIn(
    own,
    // A 429 takes nothing back.
    (one, isFirst) => (isFirst || isAdmitted(one)) && resetOf(one) > one.receivedAt + clock[1],
    (by, next) => {
      const since = next.sentAt + clock[0] - resetOf(by);
      // Who names a later one has begun another window, or goes on rejecting in spite of it.
      const [early, later] = isRejected(next)
        ? [0, 2 * tolerances.afterResetMs]
        : [-tolerances.agreementMs, windowMs / 2];
      const isNew = since >= early && (next.headers.reset ?? 0) - resetOf(by) >= later;
      return since >= tolerances.afterResetMs || isNew;
    },
  );
}

/** Whether what came back at an announced Reset may be used up again: by what was admitted since, or by rejections that count. */
function mayBeUsedUp({ by, next }: Announced, history: History, charged: boolean): boolean {
  const { own, clock = [0, 0] } = history;
  const { reset = 0 } = by.headers;
  const named = own.findLastIndex(
    ({ receivedAt, headers }) =>
      receivedAt <= next.sentAt && Math.abs((headers.reset ?? 0) - reset) <= tolerances.agreementMs,
  );
  const served = own.findIndex((one, index) => index > named && isAdmitted(one));
  const begin = own.findLastIndex((one) => isAdmitted(one) && one.sentAt < next.sentAt) + 1;
  const end = served < 0 ? own.length : served;
  const last = own[end - 1];
  if (!last || last.sentAt < next.sentAt) return true;
  const owed = charged ? owedMs(end - begin, history) : 0;
  return last.sentAt + clock[0] < reset + tolerances.afterResetMs + owed;
}

/** What the request after an announced Reset finds that is not the whole limit. */
function notRestored({ by, next }: Announced, diagnosis: Diagnosis): Failure | undefined {
  const after = `${seconds(next.sentAt - by.receivedAt)} after ${by.id} announced Reset`;
  const expected = 'a request after the announced Reset is served, with the whole limit restored';
  const bitByBit = diagnosis.possible.filter(
    (one) => !isFixedWindow(one.hypothesis.algorithm) && contradictionsIn(one) === 0,
  );
  if (isRejected(next)) {
    // The run may have used up itself what comes back, if the limiter is known to mean this Reset by it.
    const isUsedUp = bitByBit.some(
      (one) =>
        (diagnosis.deviation !== undefined ||
          mayBeUsedUp({ by, next }, diagnosis.history, one.hypothesis.chargesRejected)) &&
        !findingsOf(one, 'other time').some(including(by)),
    );
    if (isUsedUp && leftBefore(next, diagnosis) < 1) return undefined;
    const message = 'the limit is not restored at the announced Reset: 429';
    return { message, expected, received: `429, ${after}` };
  }
  if (bitByBit.length > 0) return undefined;
  const missing = othersIn(diagnosis).find(including(next));
  if (!missing || missing.count <= tolerances.restoredShort) return undefined;
  const remaining = next.headers.remaining ?? 0;
  return {
    message: `the limit is not restored at the announced Reset: Remaining is ${remaining} of ${Math.floor(missing.room[1])}`,
    expected,
    received: `Remaining ${remaining}, ${after}`,
  };
}
