import { failed, open, passed, type Check, type Checks } from '../../verdict/check.js';
import type { Failure } from '../../verdict/judgement.js';
import { Inconclusive, NotApplicable } from '../../verdict/outcome.js';
import { seconds } from '../judge/certificate.js';
import { bits } from '../judge/bits.js';
import { partsOf } from '../judge/load.js';
import { findingsOf, type Explanation, type Finding } from '../judge/hypothesis.js';
import { nearest, type Diagnosis } from '../judge/judge.js';
import { including } from '../history/history.js';
import {
  highestRemaining,
  isAdmitted,
  isRejected,
  reportsRemaining,
  responsesOf,
  waitEnds,
  type Observation,
} from '../history/observation.js';
import { isFixedWindow } from '../limiter/limiter.js';
import type { LimitEvidence } from '../limit-evidence.js';
import { tolerances } from '../tolerances.js';
import { failLimiter } from './admission.js';

/** A response that named a moment, and the first request after it. */
interface Announced {
  readonly by: Observation;
  readonly next: Observation;
}

/**
 * For each moment that a response named, the first request after it; of several that are over then, the latest. A rejection
 * of it shows nothing if a request was admitted meanwhile, and may have used what came back, or if the moment was put off.
 */
function announcedIn(
  own: readonly Observation[],
  endOf: (one: Observation) => number | undefined,
  putsOff: (by: Observation, later: Observation) => boolean = () => false,
): Announced[] {
  const latest = new Map<Observation, Announced>();
  for (const [index, by] of own.entries()) {
    const end = endOf(by);
    if (end === undefined) continue;
    const later = own.slice(index + 1);
    const next = later.find(({ sentAt }) => sentAt >= Math.max(end, by.receivedAt));
    if (!next) continue;
    const showsNothing = (one: Observation): boolean =>
      isAdmitted(one) || ((endOf(one) ?? 0) > next.sentAt && putsOff(by, one));
    if (!isRejected(next) || !later.slice(0, later.indexOf(next)).some(showsNothing))
      latest.set(next, { by, next });
  }
  return [...latest.values()];
}

/** Judges the requests after announced moments: a rejection is wrong unless others may have taken what came back. */
function judgeAnnounced(
  diagnosis: Diagnosis,
  announced: readonly Announced[],
  failureOf: (announced: Announced) => Failure,
): Check[] {
  return announced.map((one) => {
    const { by, next } = one;
    // Requests that overlap are one step: what is restored for one of them is restored.
    const isServedBeside = diagnosis.history.own.some(
      (other) => isAdmitted(other) && other.sentAt < next.receivedAt && other.receivedAt > next.sentAt,
    );
    if (next.outcome === 'unknown' || next.outcome === 'failed')
      return open('the request after the wait got no response, or one of a server in trouble');
    if (!isRejected(next) || isServedBeside) return passed;
    if (mayBeTaken(announced, diagnosis))
      return open(
        'other clients of the key may have used up what came back: give the suite a key of its own',
      );
    return failed(responsesOf(by, next), failureOf(one));
  });
}

/** The explanations that a history leaves: a faulty one that wins, else the conforming ones that are near. */
function likely({ deviation, best, conforming }: Diagnosis): readonly Explanation[] {
  return deviation ? [best] : nearest(conforming, bits.odds);
}

/** The requests with the key, apart for what the limiter counts apart: each keeps its own word. */
function countedApart({ best, history }: Diagnosis): ReadonlyArray<readonly Observation[]> {
  const own = new Set(history.own);
  return partsOf(history, best.hypothesis.partition).map((bursts) =>
    bursts.flatMap(({ observations }) => observations).filter((one) => own.has(one)),
  );
}

/**
 * Whether other clients may have used up what rejected requests were told to find: if the best explanation needs them at
 * other requests, too, or if they could take a limit that comes back bit by bit, and no Remaining would show them.
 */
function mayBeTaken(told: readonly Announced[], diagnosis: Diagnosis): boolean {
  const near = likely(diagnosis);
  const isTold = (finding: Finding): boolean =>
    told.some(({ next }) => isRejected(next) && including(next)(finding));
  const others = near.slice(0, 1).flatMap((one) => findingsOf(one, 'hidden requests', 'filled by others'));
  if (!others.every(isTold)) return true;
  // Who uses more than the run itself is seen by Remaining, if it shows what the run has used.
  const { own, plan } = diagnosis.history;
  const isShown = 2 * (highestRemaining(own) + 1) >= plan.perMinute;
  return !isShown && !near.every(({ hypothesis }) => isFixedWindow(hypothesis.algorithm));
}

/** LIMIT-05: the request that comes just when a wait is over that a 429 asked for is served. */
export function judgeServedAfterRetryAfter({ history, day, diagnosis }: LimitEvidence): Checks {
  const due = (one: Observation): number | undefined =>
    isRejected(one) ? waitEnds(one, history.clock) : undefined;
  // A rejection that is counted puts off what comes back bit by bit. Moments that are rounded apart are one.
  const isCounted = likely(diagnosis).some(
    ({ hypothesis }) => hypothesis.chargesRejected && !isFixedWindow(hypothesis.algorithm),
  );
  const isLater = (by: Observation, later: Observation): boolean =>
    isCounted || (due(later) ?? 0) - (due(by) ?? 0) > tolerances.roundedMs;
  // A wait that a 429 named when the day was used up is as good as any.
  const waits = [...countedApart(diagnosis), day]
    .flatMap((own) => announcedIn(own, due, isLater))
    // Before a request that comes later another client may have come.
    .filter(({ by, next }) => !isRejected(next) || next.sentAt - (due(by) ?? 0) <= tolerances.justThenMs);
  if (waits.length === 0)
    throw new Inconclusive('no 429 with a Retry-After that a client can follow was waited out');
  return judgeAnnounced(diagnosis, waits, ({ by, next }) => ({
    message: `Retry-After said ${by.headers.retryAfter?.text ?? ''}; ${seconds(next.sentAt - by.receivedAt)} later the request still got 429`,
    expected: 'a request is served when the wait that a 429 named is over',
    received: `429 (${next.id})`,
  }));
}

/** LIMIT-14: the limit is restored a second after the Reset that was announced, by the target's clock. */
export function judgeReset({ history, diagnosis }: LimitEvidence): Checks {
  const { own, clock } = history;
  const { deviation, twin } = diagnosis;
  if (deviation?.violates.includes('LIMIT-14')) {
    const next = twin.findings.find(({ kind }) => kind !== 'other time')?.burst.observations[0];
    const failure = {
      message: `the limit is not restored at Reset: the limiter ${deviation.says}`,
      expected: 'the whole limit again after the announced Reset',
    };
    return [failLimiter(diagnosis, next ? [next] : [], failure)];
  }
  if (own.length > 0 && !own.some(({ headers }) => headers.period === 'minute' && headers.reset))
    throw new NotApplicable(
      'no response carries a Reset of the minute that is a Unix timestamp: RATE-03 first',
    );
  if (!clock)
    throw new NotApplicable('no Date shows the target’s clock, so it is not known when a Reset has passed');
  const resetOf = ({ headers: { reset = 0, period } }: Observation): number =>
    period === 'minute' ? reset : 0;
  // A 429 takes nothing back that another response has announced.
  const isNew = (one: Observation): boolean =>
    isAdmitted(one) ||
    !own.some((by) => by.receivedAt <= one.sentAt && resetOf(one) - resetOf(by) < tolerances.agreementMs);
  const endOf = (one: Observation): number | undefined =>
    resetOf(one) > one.receivedAt + clock[1] && isNew(one)
      ? resetOf(one) - clock[0] + tolerances.afterResetMs
      : undefined;
  const resets = countedApart(diagnosis).flatMap((part) => announcedIn(part, endOf));
  // What comes back bit by bit the run itself may have used up. Without Remaining nobody can tell that it came back.
  const telling = resets.filter(({ next }) => !isRejected(next) || !mayBeUsedUp(next, diagnosis));
  const held = reportsRemaining(own) ? resets.length - telling.length : 0;
  if (held + telling.length === 0)
    throw new Inconclusive(
      'no announced Reset passed during the run, or the run itself may have used up what came back',
    );
  const judged = judgeAnnounced(diagnosis, telling, ({ by, next }) => ({
    message: 'the limit is not restored at the announced Reset: 429',
    expected: 'a request after the announced Reset is served, with the whole limit restored',
    received: `429 (${next.id}), after the Reset that ${by.id} announced`,
  }));
  return [{ held }, ...judged];
}

/** Whether the run itself may have used up what comes back bit by bit, whatever Reset means then, and within its last second. */
function mayBeUsedUp(next: Observation, { conforming, history }: Diagnosis): boolean {
  const certain = 1 + (history.plan.perMinute * tolerances.afterResetMs) / history.windowMs;
  return nearest(conforming, bits.odds).some(
    ({ hypothesis, traced }) =>
      !isFixedWindow(hypothesis.algorithm) && (traced.find(including(next))?.before[0] ?? 0) < certain,
  );
}
