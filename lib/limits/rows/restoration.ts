import { ApiResponse } from '../../session/api-response.js';
import { wrongHeader, type Failure, type Judgement } from '../../verdict/judgement.js';
import { Inconclusive, NotApplicable } from '../../verdict/outcome.js';
import { behavesLike, seconds, tooHighCertificate } from '../diagnose/certificate.js';
import { contradictionsIn } from '../diagnose/diagnose.js';
import type { Explanation, Finding } from '../diagnose/hypothesis.js';
import type { History } from '../history/history.js';
import type { Observation } from '../history/observation.js';
import { isFixedWindow } from '../limiter/models.js';
import type { LimitEvidence } from '../limit-evidence.js';
import { concurrentFrom, ranking, tolerances } from '../tolerances.js';
import { factOfLimiter } from './admission.js';
import { isOfDay, othersMayHaveTaken } from './retry-after.js';

/** A Reset that was announced, and the first request after it. */
interface Restoration {
  readonly announced: Observation;
  readonly next: Observation;
}

/** LIMIT-14: the limit is restored at Reset. */
export function judgeReset(judgement: Judgement, evidence: LimitEvidence): void {
  const { history, facts, diagnosis } = evidence;
  const { own } = history;
  const { deviation } = diagnosis;
  if (deviation?.blames.includes('LIMIT-14')) {
    const next = diagnosis.twin.findings.find(({ kind }) => kind !== 'other time')?.burst.observations[0];
    const failure: Failure = {
      message: `the limit is not restored at Reset: the limiter ${deviation.says}`,
      expected: 'the whole limit again after the announced Reset',
      received: `the limiter behaves like ${behavesLike(diagnosis)}`,
      fact: factOfLimiter(diagnosis),
    };
    judgement.fail(next ? [new ApiResponse(next.exchange)] : [], failure);
    return;
  }
  const restorations = restorationsIn(evidence);
  if (restorations.length === 0) {
    const withHeader = own.filter(({ headers }) => headers.reset !== undefined);
    if (withHeader.length > 0 && withHeader.every(({ headers }) => headers.period === 'day')) {
      throw new NotApplicable('Reset names the end of the day');
    }
    if (own.length > 0 && withHeader.length === 0) throw new NotApplicable('no response carries a Reset');
    if (!history.clock)
      throw new NotApplicable('no Date shows the target’s clock, so it is not known when a Reset has passed');
    throw new Inconclusive(facts.stopped ?? 'no announced Reset passed during the run');
  }
  for (const restoration of restorations) judgeRestoration(judgement, evidence, restoration);
}

function judgeRestoration(
  judgement: Judgement,
  { history, diagnosis }: LimitEvidence,
  { announced, next }: Restoration,
): void {
  if (next.outcome === 'unknown' || next.outcome === 'failed') {
    judgement.leaveOpen('the request after Reset got no response, or one of a server in trouble');
    return;
  }
  if (next.outcome === 'rejected' && isOfDay(next, history)) {
    judgement.leaveOpen('the day’s limit was reached meanwhile');
    return;
  }
  const problem = notRestored(announced, next, { history, diagnosis });
  if (problem === undefined) {
    judgement.held(1);
    return;
  }
  if (othersMayHaveTaken(diagnosis)) {
    judgement.leaveOpen('other clients use the key, as Remaining shows, and may have used up what came back');
    return;
  }
  const remaining = next.headers.remaining ?? 'not reported';
  const failure: Failure = {
    message: problem,
    expected: 'a request after the announced Reset is served, with the whole limit restored',
    received: `${next.outcome === 'rejected' ? '429' : `Remaining ${remaining}`}, ${seconds(next.sentAt - announced.receivedAt)} after ${announced.id} announced Reset`,
  };
  judgement.fail([new ApiResponse(announced.exchange), new ApiResponse(next.exchange)], failure);
}

/** The first requests after an announced Reset had passed by the target's clock, whatever its difference from ours. */
function restorationsIn({ history }: LimitEvidence): Restoration[] {
  const { own, clock } = history;
  const restorations: Restoration[] = [];
  if (!clock) return restorations;
  const announcing: Observation[] = [];
  for (const next of own) {
    const { reset, period } = next.headers;
    const passed = announcing.findLast(({ headers }) => hasPassed(headers.reset ?? 0, next, history));
    if (passed) {
      restorations.push({ announced: passed, next });
      announcing.splice(0, announcing.indexOf(passed) + 1);
    }
    const isAhead = reset !== undefined && reset > next.receivedAt + clock[1];
    const last = announcing.at(-1)?.headers.reset;
    if (period !== 'minute' || !isAhead || next.outcome === 'unknown') continue;
    if (last !== undefined && Math.abs(reset - last) <= tolerances.agreementMs) continue;
    // A response that is admitted in a new window shows that the one before has ended, whenever its Reset was.
    if (next.outcome === 'admitted') announcing.length = 0;
    announcing.push(next);
  }
  return restorations;
}

/** A second after an announced Reset, or as soon as a new window is announced, or a wait that goes on beyond that second. */
function hasPassed(
  reset: number,
  { sentAt, outcome, headers }: Observation,
  { clock, windowMs }: History,
): boolean {
  const since = sentAt + (clock?.[0] ?? 0) - reset;
  const isNew = outcome === 'admitted' && (headers.reset ?? reset) - reset > windowMs / 2;
  const goesOn = outcome === 'rejected' && (headers.reset ?? reset) - reset >= 2 * tolerances.afterResetMs;
  return (
    since >= tolerances.afterResetMs || (since >= -tolerances.agreementMs && isNew) || (since >= 0 && goesOn)
  );
}

function notRestored(
  announced: Observation,
  next: Observation,
  { history, diagnosis }: Pick<LimitEvidence, 'history' | 'diagnosis'>,
): string | undefined {
  const fixed = diagnosis.possible.every(({ hypothesis }) => isFixedWindow(hypothesis.algorithm));
  if (next.outcome === 'rejected') {
    const room = diagnosis.traced.find(({ burst }) => burst.observations.includes(next))?.before;
    // What comes back bit by bit the run may have used up itself, if the limit is known to come back at this Reset.
    const bitByBit = diagnosis.possible.some(
      (one) =>
        !isFixedWindow(one.hypothesis.algorithm) &&
        contradictionsIn(one) === 0 &&
        !one.findings.some(
          ({ kind, observations }) => kind === 'other time' && observations.includes(announced),
        ),
    );
    return bitByBit && room !== undefined && room[0] < 1 && !isContradicted(diagnosis, next)
      ? undefined
      : 'the limit is not restored at the announced Reset: 429';
  }
  const { remaining, period } = next.headers;
  if (!fixed || remaining === undefined || period !== 'minute') return undefined;
  // Whole is what a fresh window has shown; whether that is the plan's limit is LIMIT-01's.
  const whole = Math.min(
    history.plan.perMinute,
    Math.max(
      ...history.own.map(({ headers }) => (headers.period === 'minute' ? (headers.remaining ?? 0) : 0)),
    ) + 1,
  );
  const reset = (announced.headers.reset ?? 0) - (history.clock?.[1] ?? 0) - tolerances.agreementMs;
  const since = history.own.filter(({ sentAt }) => sentAt >= reset && sentAt <= next.sentAt).length;
  return remaining + since + tolerances.restoredShort > whole
    ? undefined
    : `the limit is not restored at the announced Reset: Remaining is ${remaining} of ${whole}`;
}

function isContradicted({ best }: LimitEvidence['diagnosis'], observation: Observation): boolean {
  return best.findings.some(
    ({ kind, burst }) =>
      (kind === 'spurious rejection' || kind === 'filled by others') &&
      burst.observations.includes(observation),
  );
}

/** RATE-05: Remaining falls by what was sent. */
export function judgeRemainingFalls(judgement: Judgement, { history, diagnosis }: LimitEvidence): void {
  const withHeader = history.own.filter(
    ({ outcome, headers }) => outcome === 'admitted' && headers.remaining !== undefined,
  );
  if (withHeader.length < 2) {
    throw new Inconclusive('fewer than two responses reported X-RateLimit-Remaining');
  }
  const { deviation, twin, conforming } = diagnosis;
  const tooHigh = ({ findings }: Explanation): Finding | undefined =>
    findings.find(
      (one) =>
        one.kind === 'remaining too high' &&
        one.burst.observations.length < concurrentFrom &&
        (one.observations.some(({ outcome }) => outcome === 'admitted') ||
          // The run itself has used what a 429 says is left.
          one.room[1] < 1),
    );
  const possible = diagnosis.possible;
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
      conforming.every((one) => tooHigh(one) ?? one.findings.some(({ kind }) => kind === 'excess')));
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

/** So many may be chance. */
const mostStill = 3;
/** What may come back between two requests that are compared. */
const mostRefill = 0.4;

/** How often Remaining did not fall from one request to the next, beyond what can have come back meanwhile, of how many. */
function standsStill({ own, plan, windowMs }: History): { readonly still: number; readonly pairs: number } {
  let count = 0;
  let pairs = 0;
  let refilled = 0;
  for (const [index, next] of own.entries()) {
    const before = own[index - 1];
    const [was, is] = [before?.headers.remaining, next.headers.remaining];
    if (!before || was === undefined || is === undefined || next.headers.period !== 'minute') continue;
    if (next.outcome !== 'admitted' || next.sentAt < before.receivedAt) continue;
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
