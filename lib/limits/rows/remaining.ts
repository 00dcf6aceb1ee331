import { ApiResponse } from '../../session/api-response.js';
import { wrongHeader, type Failure, type Judgement } from '../../verdict/judgement.js';
import { Inconclusive } from '../../verdict/outcome.js';
import { tooHighCertificate } from '../diagnose/certificate.js';
import { findingsOf, type Explanation, type Finding } from '../diagnose/hypothesis.js';
import type { History } from '../history/history.js';
import type { Observation } from '../history/observation.js';
import type { LimitEvidence } from '../limit-evidence.js';
import { concurrentFrom, ranking, tolerances } from '../tolerances.js';
import { factOfLimiter } from './admission.js';

/** RATE-05: Remaining falls by what was sent. */
export function judgeRemainingFalls(judgement: Judgement, { history, diagnosis }: LimitEvidence): void {
  const withHeader = history.own.filter(
    ({ outcome, headers }) => outcome === 'admitted' && headers.remaining !== undefined,
  );
  if (withHeader.length < 2) {
    throw new Inconclusive('fewer than two responses reported X-RateLimit-Remaining');
  }
  const { deviation, twin, conforming, possible } = diagnosis;
  const contradicted = (one: Explanation): boolean =>
    one.behaviour > ranking.wrongRemaining && tooHigh(one) !== undefined;
  const { still, pairs } = standsStill(history);
  const always =
    (deviation === undefined && possible.every(contradicted)) ||
    (conforming.every(contradicted) && still >= mostStill) ||
    // Requests of others that come back just between two of ours, time and again, are no explanation.
    still >= Math.max(mostStill, pairs / 2);
  // Whoever does not believe Remaining needs one that is too high: what is too low, others may have taken.
  const blamed =
    deviation?.blames.includes('RATE-05') === true &&
    (deviation.id !== 'remaining' ||
      conforming.every((one) => tooHigh(one) ?? findingsOf(one, 'excess').length > 0));
  if (!blamed && !always) {
    if (quickPairs(withHeader) === 0) {
      throw new Inconclusive('no two requests followed each other quickly enough to see Remaining fall');
    }
    if (diagnosis.otherTraffic > 0) judgement.note('Remaining also falls by requests of other clients.');
    judgement.held(withHeader.length - 1);
    return;
  }
  const finding = tooHigh(twin) ?? (possible[0] && tooHigh(possible[0]));
  const dear = blamed && deviation?.id === 'dear';
  const { sentence, observations } =
    finding && !dear ? tooHighCertificate(finding, history) : fallsOf(withHeader);
  const failure: Failure = {
    message: blamed
      ? `X-RateLimit-Remaining does not fall by one for each request: the limiter ${deviation?.says ?? ''}`
      : 'X-RateLimit-Remaining does not fall with use',
    expected: 'one less for each request in a window',
    received: sentence,
    fact: blamed ? factOfLimiter(diagnosis) : wrongHeader('X-RateLimit-Remaining', ['not falling']),
  };
  judgement.fail(
    observations.map(({ exchange }) => new ApiResponse(exchange)),
    failure,
  );
}

/** A Remaining above what can be left; of a 429 only if the run itself has used up what it says is left. */
function tooHigh(explanation: Explanation): Finding | undefined {
  return findingsOf(explanation, 'remaining too high').find(
    ({ burst, observations, room }) =>
      (!burst.overlapping || burst.observations.length < concurrentFrom) &&
      (observations.some(({ outcome }) => outcome === 'admitted') || room[1] < 1),
  );
}

/** So many may be chance. */
const mostStill = 3;
/** What may come back between two requests that are compared. */
const mostRefill = 0.4;

/** How often Remaining did not fall from one request to the next, beyond what can have come back meanwhile, of how many. */
function standsStill({ own, plan, windowMs }: History): { readonly still: number; readonly pairs: number } {
  let count = 0;
  let pairs = 0;
  let refilled = 0;
  // Once it has fallen to 0 it can't fall any more.
  const fell = own.some(({ headers }) => (headers.remaining ?? 0) > 0);
  for (const [index, next] of own.entries()) {
    const before = own[index - 1];
    const [was, is] = [before?.headers.remaining, next.headers.remaining];
    if (!before || was === undefined || is === undefined || next.headers.period !== 'minute') continue;
    if (next.outcome !== 'admitted' || next.sentAt < before.receivedAt || (was === 0 && fell)) continue;
    const apart = next.receivedAt - before.sentAt;
    const refill = (apart * plan.perMinute) / windowMs;
    if (apart > tolerances.quickMs || refill > mostRefill) continue;
    refilled += refill;
    pairs += 1;
    if (is >= was) count += 1;
  }
  return { still: count - Math.ceil(refilled), pairs };
}

/** Requests so soon after each other that hardly anything came back in between. */
function quickPairs(withHeader: readonly Observation[]): number {
  return withHeader.filter((next, index) => {
    const before = withHeader[index - 1];
    return before !== undefined && next.sentAt - before.sentAt < tolerances.quickMs;
  }).length;
}

function fallsOf(withHeader: readonly Observation[]): {
  sentence: string;
  observations: readonly Observation[];
} {
  const shown = withHeader.slice(0, 6);
  return {
    sentence: shown
      .map(({ operation, headers }) => `${headers.remaining ?? '?'} (${operation ?? 'other'})`)
      .join(', '),
    observations: shown,
  };
}
