import type { Failure, Judgement } from '../../verdict/judgement.js';
import { Inconclusive, NotApplicable } from '../../verdict/outcome.js';
import { seconds } from '../judge/certificate.js';
import { bits } from '../judge/bits.js';
import { partsOf } from '../judge/counters.js';
import { findingsOf, isContradicted, type Explanation, type Finding } from '../judge/hypothesis.js';
import { nearest, type Diagnosis } from '../judge/judge.js';
import { including, type History } from '../history/history.js';
import {
  highestRemaining,
  isAdmitted,
  isRejected,
  reportsRemaining,
  responsesOf,
  type Observation,
  waitEnds,
} from '../history/observation.js';
import { isFixedWindow } from '../limiter/limiter.js';
import { ofTheMinute } from '../history/left-out.js';
import type { LimitEvidence } from '../limit-evidence.js';
import { tolerances } from '../tolerances.js';
import { failLimiter } from './admission.js';

/** A response that announced a time, and the first request after that time. */
interface Announced {
  readonly by: Observation;
  readonly next: Observation;
}

/**
 * For each announced time the first request after it; of several times that are over then, the latest. A rejection of that
 * request shows nothing if a request was admitted meanwhile, and may have used what came back, or if a later time was announced.
 */
function announcedIn(
  own: readonly Observation[],
  announces: (one: Observation) => boolean,
  isOver: (by: Observation, next: Observation) => boolean,
  putsOff: (by: Observation, later: Observation) => boolean = () => true,
): Announced[] {
  const latest = new Map<Observation, Announced>();
  for (const [index, by] of own.entries()) {
    if (!announces(by)) continue;
    const later = own.slice(index + 1);
    const next = later.find((one) => one.sentAt >= by.receivedAt && isOver(by, one));
    if (!next) continue;
    const between = later.slice(0, later.indexOf(next));
    const showsNothing = (one: Observation): boolean =>
      isAdmitted(one) || (announces(one) && !isOver(one, next) && putsOff(by, one));
    if (isRejected(next) && between.some(showsNothing)) latest.delete(next);
    else latest.set(next, { by, next: servedBeside(next, own) });
  }
  return [...latest.values()];
}

/** Requests that overlap are one step: what is restored for one of them is restored. */
function servedBeside(next: Observation, own: readonly Observation[]): Observation {
  if (!isRejected(next)) return next;
  const { sentAt, receivedAt } = next;
  return own.find((one) => isAdmitted(one) && one.sentAt < receivedAt && one.receivedAt > sentAt) ?? next;
}

/**
 * The requests after the waits that 429s asked for. A 429 that names a later moment puts off the ones before, but for what
 * is rounded. @param isCounted a rejection is counted, and puts off what comes back bit by bit
 */
function waitedOut({ own, clock }: Pick<History, 'own' | 'clock'>, isCounted: boolean): Announced[] {
  const due = (one: Observation): number => waitEnds(one, clock) ?? Number.POSITIVE_INFINITY;
  return announcedIn(
    own,
    (one) => isRejected(one) && Number.isFinite(due(one)),
    (by, next) => due(by) <= next.sentAt,
    (by, later) => isCounted || due(later) - due(by) > tolerances.roundedMs,
  );
}

/** By how much rejections push back a limit that comes back bit by bit, if they count. */
export function owedMs(rejections: number, { windowMs, plan }: History): number {
  return (rejections * windowMs) / plan.perMinute;
}

/** Judges the requests after announced times: a rejection is wrong unless others may have taken what came back. */
function judgeAnnounced(
  judgement: Judgement,
  diagnosis: Diagnosis,
  announced: readonly Announced[],
  failureOf: (announced: Announced) => Failure,
): void {
  for (const one of announced) {
    const { by, next } = one;
    if (next.outcome === 'unknown' || next.outcome === 'failed')
      judgement.leaveOpen('the request after the wait got no response, or one of a server in trouble');
    else if (!isRejected(next)) judgement.held(1);
    else if (
      mayBeTaken(next, announced, diagnosis) ||
      // Of a limiter that no known one explains nobody can tell what it restores.
      (judgement.id === 'LIMIT-14' &&
        (!reportsRemaining(diagnosis.history.own) || isContradicted(diagnosis.best)))
    )
      judgement.leaveOpen(
        'other clients of the key may have used up what came back: give the suite a key of its own',
      );
    else judgement.fail(responsesOf(by, next), failureOf(one));
  }
}

/** The explanations that a history leaves: a faulty one that wins, else the conforming ones that are near. */
function likely({ deviation, best, conforming }: Diagnosis): readonly Explanation[] {
  return deviation ? [best] : nearest(conforming, bits.odds);
}

/** The requests with the key, apart for what the limiter counts apart: each keeps its own word. */
function countedApart({ best, history }: Diagnosis): History[] {
  const own = new Set(history.own);
  return partsOf(history, best.hypothesis.partition).map((bursts) => ({
    ...history,
    own: bursts.flatMap(({ observations }) => observations).filter((one) => own.has(one)),
  }));
}

/**
 * Whether other clients may have used up what rejected requests were told to find: if the best explanation needs them at
 * other requests, too, or if no Remaining would show them.
 */
function mayBeTaken(next: Observation, told: readonly Announced[], diagnosis: Diagnosis): boolean {
  const near = likely(diagnosis);
  const rejected = told.map((one) => one.next).filter(isRejected);
  const isTold = (finding: Finding): boolean => rejected.some((one) => including(one)(finding));
  const others = near.slice(0, 1).flatMap((one) => findingsOf(one, 'hidden requests', 'filled by others'));
  if (!others.every(isTold)) return true;
  // Who uses more than the run itself is seen by Remaining, if it shows what the run has used.
  const { own, plan } = diagnosis.history;
  if (2 * (highestRemaining(own) + 1) >= plan.perMinute) return false;
  const needed = near.some((one) =>
    findingsOf(one, 'filled by others', 'spurious rejection').some(including(next)),
  );
  return needed || !near.every(({ hypothesis }) => isFixedWindow(hypothesis.algorithm));
}

/** Whether a request came just when the wait of a 429 was over: one that came later proves nothing, as another may have come between. */
function isJustThen(by: Observation, next: Observation, { clock }: History): boolean {
  return next.sentAt - (waitEnds(by, clock) ?? 0) <= tolerances.justThenMs;
}

/** LIMIT-05: the first request after `Retry-After` is served, for every 429 that was waited out. */
export function judgeServedAfterRetryAfter(judgement: Judgement, evidence: LimitEvidence): void {
  const { history, day, diagnosis } = evidence;
  const isCounted = likely(diagnosis).some(
    ({ hypothesis }) => hypothesis.chargesRejected && !isFixedWindow(hypothesis.algorithm),
  );
  const waits = [...countedApart(diagnosis), ofTheMinute({ ...history, own: day })]
    .flatMap((one) => waitedOut(one, isCounted))
    .filter(({ by, next }) => !isRejected(next) || isJustThen(by, next, history));
  judgeAnnounced(judgement, diagnosis, waits, ({ by, next }) => ({
    message: `Retry-After said ${by.headers.retryAfter?.text ?? ''}; ${seconds(next.sentAt - by.receivedAt)} later the request still got 429`,
    expected: 'a request is served when the wait that a 429 named is over',
    received: `429 (${next.id})`,
  }));
  if (judgement.checks === 0 && judgement.open.size === 0)
    throw new Inconclusive('no 429 with a Retry-After that a client can follow was waited out');
}

/** LIMIT-14: the limit is restored at Reset. */
export function judgeReset(judgement: Judgement, evidence: LimitEvidence): void {
  const { history, diagnosis } = evidence;
  const { own, clock } = history;
  const { deviation, twin } = diagnosis;
  if (deviation?.violates.includes('LIMIT-14')) {
    const next = twin.findings.find(({ kind }) => kind !== 'other time')?.burst.observations[0];
    return failLimiter(judgement, diagnosis, next ? [next] : [], {
      message: `the limit is not restored at Reset: the limiter ${deviation.says}`,
      expected: 'the whole limit again after the announced Reset',
    });
  }
  const resets = countedApart(diagnosis).flatMap(resetsIn);
  // What comes back bit by bit the run itself may have used up. Without Remaining nobody can tell that it came back.
  const telling = resets.filter(({ next }) => !isRejected(next) || !mayBeUsedUp(next, diagnosis));
  if (reportsRemaining(own)) judgement.held(resets.length - telling.length);
  judgeAnnounced(judgement, diagnosis, telling, ({ by, next }) => ({
    message: 'the limit is not restored at the announced Reset: 429',
    expected: 'a request after the announced Reset is served, with the whole limit restored',
    received: `429 (${next.id}), ${sinceReset(by, next, history)} after the Reset that ${by.id} announced`,
  }));
  if (judgement.checks > 0 || telling.length > 0) return;
  if (resets.length > 0)
    throw new Inconclusive('the run itself may have used up what came back at each announced Reset');
  const named = own.filter(({ headers }) => headers.reset !== undefined);
  if (named.length > 0 && named.every(({ headers }) => headers.period === 'day'))
    throw new NotApplicable('Reset names the end of the day');
  if (own.length > 0 && named.length === 0)
    throw new NotApplicable('no response carries a Reset that is a Unix timestamp: RATE-03 first');
  if (!clock)
    throw new NotApplicable('no Date shows the target’s clock, so it is not known when a Reset has passed');
  throw new Inconclusive('no announced Reset passed during the run');
}

/** How long after an announced Reset a request was sent, by the target's clock. */
function sinceReset(
  { headers }: Observation,
  { sentAt }: Observation,
  { clock: [least, most] = [0, 0] }: History,
): string {
  return seconds(sentAt + (least + most) / 2 - (headers.reset ?? 0));
}

/** The first requests a second after an announced Reset, by the target's clock. */
function resetsIn({ own, clock }: History): Announced[] {
  if (!clock) return [];
  const resetOf = ({ headers: { reset = 0, period } }: Observation): number =>
    period === 'minute' ? reset : 0;
  const isOver = (by: Observation, next: Observation): boolean =>
    next.sentAt + clock[0] - resetOf(by) >= tolerances.afterResetMs;
  // A 429 takes nothing back that another response has announced.
  const isTold = (one: Observation): boolean =>
    own.some((by) => by.receivedAt <= one.sentAt && resetOf(one) - resetOf(by) < tolerances.agreementMs);
  return announcedIn(
    own,
    (one) => resetOf(one) > one.receivedAt + clock[1] && (isAdmitted(one) || !isTold(one)),
    isOver,
    () => false,
  );
}

/** Whether the run itself may have used up what comes back bit by bit, whatever Reset means then, and within its last second. */
function mayBeUsedUp(next: Observation, { conforming, history }: Diagnosis): boolean {
  const certain = 1 + (history.plan.perMinute * tolerances.afterResetMs) / history.windowMs;
  return nearest(conforming, bits.odds).some(
    ({ hypothesis, traced }) =>
      !isFixedWindow(hypothesis.algorithm) && (traced.find(including(next))?.before[0] ?? 0) < certain,
  );
}
