import { operationNames } from '../../evidence/recorded-exchange.js';
import { curlOf, repeated } from '../../evidence/curl.js';
import { plain } from '../../verdict/reproduce.js';
import { failed, note, wrongHeader, type Checks } from '../../verdict/check.js';
import { Inconclusive } from '../../verdict/outcome.js';
import { tooHighCertificate, type Certificate } from '../judge/certificate.js';
import { findingsOf, type Explanation, type Finding } from '../judge/hypothesis.js';
import { nearest } from '../judge/judge.js';
import type { History } from '../history/history.js';
import { isAdmitted, isRejected, isServed, responsesOf, type Observation } from '../history/observation.js';
import type { LimitEvidence } from '../limits-of-run.js';
import { tolerances } from '../tolerances.js';
import { factOfLimiter } from './odds.js';

/** What may come back between two requests that are compared: less than what one of them uses. */
const mostRefill = 0.4;
/** So many pairs in which it did not fall may be chance. */
const mostStill = 3;
/** Such a share of the limit is not admitted while nothing remains; by how much a limit is exceeded, other requirements judge. */
const shareAtNone = 1 / 4;
/**
 * So many requests, one after the other, each of which took the same number but one. Requests of others do not come once
 * between each two: exactly one has at most a chance of 0.37 (Poisson), and eight times in a row of 0.0004.
 */
const fewestAlike = 8;
/** What nearly each request does: the same, or what is right, whatever is wrong about what is admitted. */
const nearlyEach = 0.9;
/** Observations that a finding shows. */
const mostShown = 6;

/** RATE-05: Remaining falls by what was sent. Only what shows in Remaining is this row's. */
export function* judgeRemainingFalls(evidence: LimitEvidence): Checks {
  const { history } = evidence;
  const { own, plan } = history;
  const told = own.filter((one) => isAdmitted(one) && one.headers.remaining !== undefined);
  if (told.length < 2) {
    const isTold = own.some(({ exchange }) => exchange.rate.remaining !== undefined);
    throw new Inconclusive(
      isTold
        ? 'X-RateLimit-Remaining is above X-RateLimit-Limit, or below 0: RATE-02 first'
        : 'fewer than two responses reported X-RateLimit-Remaining',
    );
  }
  const { pairs, byOne, alike, ...falls } = fallsIn(history);
  const isStill = falls.isStill || operationNames.some((name) => fallsIn(history, name).isStill);
  const isAtNone = admittedAtNone(history) >= plan.perMinute * shareAtNone;
  const countsDown = pairs > 0 && byOne >= pairs * nearlyEach && !isStill && !isAtNone;
  // There is nothing to explain in a limiter that counts down by one nearly each time: that would take long.
  if (countsDown && !own.some(isRejected)) return void (yield { held: pairs });
  const { diagnosis } = evidence;
  const { deviation, otherTraffic } = diagnosis;
  // A limit for each operation is LIMIT-09's to judge: each one's Remaining falls by itself.
  const isApart = deviation?.id === 'apart';
  const isOfHeader = deviation === undefined || deviation.id === 'remaining';
  const isOfLimiter = deviation?.violates.includes('RATE-05') === true && byOne < pairs * nearlyEach;
  // None of this is the doing of others, who come between two requests of ours now and then.
  const neverFalls =
    (!isApart && isStill) ||
    (isOfHeader && (isAtNone || nearest(diagnosis.conforming).every((one) => tooHighIn(one) !== undefined)));
  if (!isOfLimiter && !neverFalls && !alike) {
    const isQuick = told.some(
      (one, index) => one.sentAt - (told[index - 1]?.sentAt ?? 0) < tolerances.quickMs,
    );
    if (!isQuick)
      throw new Inconclusive('no two requests followed each other quickly enough to see Remaining fall');
    if (otherTraffic > 0) yield note('Remaining also falls by requests of other clients.');
    return void (yield { held: told.length - 1 });
  }
  const tooHigh = tooHighIn(diagnosis.twin);
  const { sentence, observations } = tooHigh ? tooHighCertificate(tooHigh, history) : wrongFalls(told);
  const limiter = isOfLimiter && !isOfHeader ? `: the limiter ${deviation.says}` : '';
  yield failed(responsesOf(...observations), {
    message: `X-RateLimit-Remaining does not fall by one for each request${limiter}`,
    expected: 'one less for each request in a window',
    received: sentence,
    reproduce: commandOfRemaining(observations, history),
    fact:
      deviation && !isApart
        ? factOfLimiter(diagnosis)
        : wrongHeader('X-RateLimit-Remaining', ['not falling']),
  });
}

/** A 429 that reports more than can be left, as the run itself has used it up. */
function tooHighIn(explanation: Explanation): Finding | undefined {
  return findingsOf(explanation, 'remaining too high').find(
    ({ observations, room }) => !observations.some(isAdmitted) && room[1] < 1,
  );
}

/** How many requests may have come back from the sending of one to the response to another. */
function refillBetween(before: Observation, next: Observation, { plan, windowMs }: History): number {
  return ((next.receivedAt - before.sentAt) * plan.perMinute) / windowMs;
}

/** How many were admitted just after a response had told that nothing remains, and were told so again, beyond what may have come back. */
function admittedAtNone(history: History): number {
  const { own } = history;
  const isAtNone = (one: Observation): boolean => isAdmitted(one) && one.headers.remaining === 0;
  const beyond = own.filter(isAtNone).map((next) => {
    // Of requests at the same time each may tell what all of them have left.
    const before = own.findLast(({ receivedAt }) => receivedAt <= next.sentAt);
    const isQuick = before && isAtNone(before) && next.sentAt - before.receivedAt <= tolerances.quickMs;
    return isQuick ? Math.max(0, 1 - refillBetween(before, next, history)) : 0;
  });
  return beyond.reduce((sum, one) => sum + one, 0);
}

/**
 * Of the pairs of requests that show it, how often Remaining fell by one; whether it mostly did not fall, beyond what may
 * have come back, and whether nearly each time it fell by the same number, which is not one. @param operation by default any
 */
function fallsIn(history: History, operation?: Observation['operation']) {
  const { own } = history;
  // Once it has fallen to 0 it can't fall any more.
  const fell = own.some(({ headers }) => (headers.remaining ?? 0) > 0);
  let refilled = 0;
  const falls = own.flatMap((next, index) => {
    const before = own[index - 1];
    const [was, is] = [before?.headers.remaining, next.headers.remaining];
    if (!before || was === undefined || is === undefined || !isAdmitted(next)) return [];
    if (operation !== undefined && (next.operation !== operation || !isServed(before) || !isServed(next)))
      return [];
    const refill = refillBetween(before, next, history);
    const isQuick = next.receivedAt - before.sentAt <= tolerances.quickMs && refill <= mostRefill;
    const isOneLimit = next.headers.period === before.headers.period && !(was === 0 && fell);
    if (!isOneLimit || !isQuick || next.sentAt < before.receivedAt) return [];
    refilled += refill;
    return [was - is];
  });
  const number = (of: (fall: number) => boolean): number => falls.filter(of).length;
  const pairs = falls.length;
  // What more than half of them are, if anything.
  const usual = falls.toSorted((a, b) => a - b)[Math.floor(pairs / 2)] ?? 0;
  const still = number((fall) => fall <= 0) - Math.ceil(refilled);
  return {
    pairs,
    byOne: number((fall) => fall === 1),
    isStill: still >= mostStill && still > pairs / 2,
    alike: usual > 1 && number((fall) => fall === usual) >= Math.max(fewestAlike, pairs * nearlyEach),
  };
}

/** Some that follow each other, the first pair that does not fall by one among them. */
function wrongFalls(told: readonly Observation[]): Certificate {
  const wrong = told.findIndex((one, index) => {
    const next = told[index + 1];
    const isNext = next !== undefined && next.sentAt - one.receivedAt <= tolerances.quickMs;
    return isNext && (one.headers.remaining ?? 0) - (next.headers.remaining ?? 0) !== 1;
  });
  const observations = told.slice(Math.max(0, wrong - 1)).slice(0, mostShown);
  const falls = observations.map(
    ({ operation, headers }) => `${headers.remaining ?? '?'} (${operation ?? 'other'})`,
  );
  return { sentence: falls.join(', '), observations };
}

/** Sends what shows it again: behind a 429, or in the window after it, if it is shown there. */
function commandOfRemaining(observations: readonly Observation[], { own, plan, windowMs }: History): string {
  const curls = observations.slice(0, 4).map(({ exchange }) => curlOf(plain(exchange.request)));
  const shown = repeated.eachShowing('X-RateLimit-Remaining', curls);
  const first = own.find(isRejected);
  const last = observations.at(-1);
  if (!first || !last || last.sentAt < first.sentAt) return shown;
  const exhaust = repeated.upToRejection(curlOf(plain(first.exchange.request)), 2 * plan.perMinute);
  return `${exhaust}; ${last.sentAt > first.sentAt + windowMs / 2 ? 'sleep 61; ' : ''}${shown}`;
}
