import { operationNames } from '../../evidence/recorded-exchange.js';
import { curlOf, repeated } from '../../evidence/curl.js';
import { wrongHeader, type Judgement } from '../../verdict/judgement.js';
import { Inconclusive } from '../../verdict/outcome.js';
import { tooHighCertificate, type Certificate } from '../diagnose/certificate.js';
import { findingsOf, type Explanation, type Finding } from '../diagnose/hypothesis.js';
import type { History } from '../history/history.js';
import { isAdmitted, isServed, responsesOf, type Observation } from '../history/observation.js';
import type { LimitEvidence } from '../limit-evidence.js';
import { concurrentFrom, tolerances } from '../tolerances.js';
import { factOfLimiter } from './admission.js';

/** So many times may be chance. */
const mostStill = 3;
/** What may come back between two requests that are compared. */
const mostRefill = 0.4;

/** RATE-05: Remaining falls by what was sent. */
export function judgeRemainingFalls(judgement: Judgement, { history, diagnosis }: LimitEvidence): void {
  const told = history.own.filter((one) => isAdmitted(one) && one.headers.remaining !== undefined);
  if (told.length < 2) throw new Inconclusive('fewer than two responses reported X-RateLimit-Remaining');
  const { deviation, twin, conforming, possible } = diagnosis;
  const falls = fallsIn(history);
  // Requests of others that come back just between two of ours, time and again, are no explanation.
  const standsStill = [falls, ...operationNames.map((name) => fallsIn(history, name))].some(
    ({ still, pairs }) => still >= Math.max(mostStill, pairs / 2),
  );
  // A Remaining that is too high is nobody else's doing: it is one only if no conforming limiter explains it at any price.
  const always =
    (conforming.every(tooHigh) && (deviation === undefined || falls.still >= mostStill)) || standsStill;
  const blamed = deviation?.blames.includes('RATE-05') === true;
  if (!blamed && !always) {
    if (falls.quick === 0)
      throw new Inconclusive('no two requests followed each other quickly enough to see Remaining fall');
    if (diagnosis.otherTraffic > 0) judgement.note('Remaining also falls by requests of other clients.');
    judgement.held(told.length - 1);
    return;
  }
  const finding = tooHigh(twin) ?? (possible[0] && tooHigh(possible[0]));
  const { sentence, observations } = finding ? tooHighCertificate(finding, history) : fallsOf(told);
  judgement.fail(responsesOf(...observations), {
    message: blamed
      ? `X-RateLimit-Remaining does not fall by one for each request: the limiter ${deviation.says}`
      : 'X-RateLimit-Remaining does not fall with use',
    expected: 'one less for each request in a window',
    received: sentence,
    reproduce: repeated.eachShowing(
      'X-RateLimit-Remaining',
      observations.slice(0, 3).map(({ exchange }) => curlOf(exchange.request)),
    ),
    fact: blamed ? factOfLimiter(diagnosis) : wrongHeader('X-RateLimit-Remaining', ['not falling']),
  });
}

/** A Remaining above what can be left; of a 429 only if the run itself has used up what it says is left. */
function tooHigh(explanation: Explanation): Finding | undefined {
  return findingsOf(explanation, 'remaining too high').find(
    ({ burst, observations, room }) =>
      (!burst.overlapping || burst.observations.length < concurrentFrom) &&
      (observations.some(isAdmitted) || room[1] < 1),
  );
}

interface Falls {
  /** How often Remaining did not fall between two requests, beyond what can have come back. */
  readonly still: number;
  /** Of how many that show it. */
  readonly pairs: number;
  readonly quick: number;
}

function fallsIn({ own, plan, windowMs }: History, operation?: Observation['operation']): Falls {
  let [count, pairs, quick, refilled] = [0, 0, 0, 0];
  // Once it has fallen to 0 it can't fall any more.
  const fell = own.some(({ headers }) => (headers.remaining ?? 0) > 0);
  for (const [index, next] of own.entries()) {
    const before = own[index - 1];
    const [was, is] = [before?.headers.remaining, next.headers.remaining];
    if (!before || was === undefined || is === undefined || !isAdmitted(next)) continue;
    if (operation !== undefined && (next.operation !== operation || !isServed(before) || !isServed(next)))
      continue;
    if (next.sentAt - before.sentAt < tolerances.quickMs) quick += 1;
    const apart = next.receivedAt - before.sentAt;
    const refill = (apart * plan.perMinute) / windowMs;
    const isTold = next.headers.period === 'minute' && !(was === 0 && fell);
    if (!isTold || next.sentAt < before.receivedAt || apart > tolerances.quickMs || refill > mostRefill)
      continue;
    refilled += refill;
    pairs += 1;
    if (is >= was) count += 1;
  }
  return { still: count - Math.ceil(refilled), pairs, quick };
}

function fallsOf(told: readonly Observation[]): Certificate {
  const observations = told.slice(0, 6);
  const falls = observations.map(
    ({ operation, headers }) => `${headers.remaining ?? '?'} (${operation ?? 'other'})`,
  );
  return { sentence: falls.join(', '), observations };
}
