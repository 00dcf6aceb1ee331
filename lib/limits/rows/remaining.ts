import { operationNames } from '../../evidence/recorded-exchange.js';
import { curlOf, repeated } from '../../evidence/curl.js';
import { plain } from '../../verdict/reproduce.js';
import { failed, note, wrongHeader, type Checks } from '../../verdict/check.js';
import { Inconclusive } from '../../verdict/outcome.js';
import { tooHighCertificate, type Certificate } from '../judge/certificate.js';
import { findingsOf, type Explanation, type Finding } from '../judge/hypothesis.js';
import { nearest } from '../judge/judge.js';
import {
  isAdmitted,
  isRejected,
  isServed,
  responsesOf,
  type History,
  type Observation,
} from '../history/history.js';
import type { LimitEvidence } from '../limits-of-run.js';
import { tolerances } from '../tolerances.js';
import { exhausting } from './commands.js';
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

/** RATE-05: Remaining falls by what was sent, by the odds and as pairs of requests show it. Only what shows in Remaining is this row's. */
export function* judgeRemainingFalls(evidence: LimitEvidence): Checks {
  const { history } = evidence;
  const told = history.own.filter((one) => isAdmitted(one) && one.headers.remaining !== undefined);
  const isQuick = told.some((one, index) => one.sentAt - (told[index - 1]?.sentAt ?? 0) < tolerances.quickMs);
  if (!isQuick)
    throw new Inconclusive(
      'no two responses with an X-RateLimit-Remaining from 0 to Limit came quickly enough to see it fall',
    );
  const falls = fallsIn(history);
  const countsDown = falls.filter(({ by }) => by === 1).length >= falls.length * nearlyEach;
  const { deviation, twin, conforming, otherTraffic } = evidence.diagnosis;
  const isOfHeader = deviation === undefined || deviation.id === 'remaining';
  const isOfLimiter = !isOfHeader && deviation.violates.includes('RATE-05') && !countsDown;
  // A header that is wrong by itself must show it: others may have used what is missing, or the algorithm is one that nobody knows.
  const isShown =
    isOfHeader && (isAtNone(history) || nearest(conforming).every((one) => tooHighIn(one) !== undefined));
  // A limit for each operation is LIMIT-09's to judge: each one's Remaining falls by itself.
  const isApart = deviation?.id === 'apart';
  if (!isOfLimiter && !isShown && !isWrong(falls, isApart)) {
    if (otherTraffic > 0) yield note('Remaining also falls by requests of other clients.');
    return void (yield { held: told.length - 1 });
  }
  const tooHigh = tooHighIn(twin);
  const { sentence, observations } = tooHigh ? tooHighCertificate(tooHigh, history) : wrongFalls(told);
  const limiter = isOfLimiter ? `: the limiter ${deviation.says}` : '';
  yield failed(responsesOf(...observations), {
    message: `X-RateLimit-Remaining does not fall by one for each request${limiter}`,
    expected: 'one less for each request in a window',
    received: sentence,
    reproduce: commandOfRemaining(observations, history),
    fact:
      deviation && !isApart
        ? factOfLimiter(evidence.diagnosis)
        : wrongHeader('X-RateLimit-Remaining', ['not falling']),
  });
}

/** A 429 that reports more than can be left, as the run itself has used it up. */
function tooHighIn(explanation: Explanation): Finding | undefined {
  return findingsOf(explanation, 'remaining too high').find(
    ({ observations, room }) => room[1] < 1 && observations.every(isRejected),
  );
}

/** Whether much of the limit was admitted just after a response had told that nothing remains, and was told so again. */
function isAtNone({ own, plan, windowMs }: History): boolean {
  const tellsNone = (one: Observation): boolean => isAdmitted(one) && one.headers.remaining === 0;
  const beyond = own.filter(tellsNone).map((next) => {
    // Of requests at the same time each may tell what all of them have left.
    const before = own.findLast(({ receivedAt }) => receivedAt <= next.sentAt);
    const isQuick = before && tellsNone(before) && next.sentAt - before.receivedAt <= tolerances.quickMs;
    return isQuick ? Math.max(0, 1 - ((next.receivedAt - before.sentAt) * plan.perMinute) / windowMs) : 0;
  });
  return beyond.reduce((sum, one) => sum + one, 0) >= plan.perMinute * shareAtNone;
}

/** What a request that quickly follows another one shows: by how much Remaining fell, and what may have come back meanwhile. */
interface Fall {
  readonly before: Observation;
  readonly next: Observation;
  readonly by: number;
  readonly back: number;
}

function fallsIn({ own, plan, windowMs }: History): Fall[] {
  // Once it has fallen to 0 it can't fall any more.
  const fell = own.some(({ headers }) => (headers.remaining ?? 0) > 0);
  return own.flatMap((next, index) => {
    const before = own[index - 1];
    const [was, is] = [before?.headers.remaining, next.headers.remaining];
    if (!before || was === undefined || is === undefined || !isAdmitted(next)) return [];
    const ms = next.receivedAt - before.sentAt;
    const back = (ms * plan.perMinute) / windowMs;
    const isOneLimit = next.headers.period === before.headers.period && !(was === 0 && fell);
    const isQuick = ms <= tolerances.quickMs && back <= mostRefill && next.sentAt >= before.receivedAt;
    return isOneLimit && isQuick ? [{ before, next, by: was - is, back }] : [];
  });
}

/** Whether Remaining stands still, be it for one operation, or falls by another number than one each time. */
function isWrong(falls: readonly Fall[], isApart: boolean): boolean {
  const isOf = (name: string) => (one: Fall) =>
    one.next.operation === name && isServed(one.before) && isServed(one.next);
  const isStill = [falls, ...operationNames.map((name) => falls.filter(isOf(name)))].some((some) => {
    const back = Math.ceil(some.reduce((sum, one) => sum + one.back, 0));
    const still = some.filter(({ by }) => by <= 0).length - back;
    return still >= mostStill && still > some.length / 2;
  });
  // What more than half of them are, if anything.
  const usual = falls.map(({ by }) => by).toSorted((a, b) => a - b)[Math.floor(falls.length / 2)] ?? 0;
  const alike = falls.filter(({ by }) => by === usual).length;
  return (isStill && !isApart) || (usual > 1 && alike >= Math.max(fewestAlike, falls.length * nearlyEach));
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
  return `${exhausting(first.exchange, plan)}; ${last.sentAt > first.sentAt + windowMs / 2 ? 'sleep 61; ' : ''}${shown}`;
}
