import { curlOf, repeated } from '../../evidence/curl.js';
import { operationNames } from '../../evidence/recorded-exchange.js';
import { count } from '../../explain/count.js';
import type { Fact } from '../../evidence/record/record.js';
import type { RequirementId } from '../../specification/catalogue.js';
import { failed, open, type Check, type Checks } from '../../verdict/check.js';
import { judgeRule } from '../../verdict/judgement.js';
import { Inconclusive, NotTested } from '../../verdict/outcome.js';
import { behavesLike, bothReadings, excessCertificate, limitIn, seconds } from '../judge/certificate.js';
import { concurrentFrom, tolerances } from '../tolerances.js';
import { findingsOf, nearest, type Explanation, type Finding } from '../judge/hypothesis.js';
import { diagnose, type Diagnosis } from '../judge/judge.js';
import {
  isAdmitted,
  isRejected,
  reportsRemaining,
  responsesOf,
  type History,
  type Observation,
} from '../history/history.js';
import { vantagePointOf, type Burst } from '../judge/load.js';
import { ofTheMinute, type LimitEvidence } from '../limits-of-run.js';
import { commandOf } from './commands.js';

const admission = ['LIMIT-01', 'LIMIT-02', 'LIMIT-03', 'LIMIT-09'] as const;

/** LIMIT-01, -02, -03 and -09: the plan's requests are admitted, and no more, in sequence and at once, by all operations together. */
export function* judgeAdmission(evidence: LimitEvidence, id: RequirementId): Checks {
  if (isViolated(id, evidence.diagnosis) || (id !== 'LIMIT-01' && areTooMany(id, evidence)))
    return void (yield violation(id, evidence));
  const doubt = doubtOf(id, evidence);
  if (doubt !== undefined) return void (yield open(doubt));
  yield (id === 'LIMIT-02' && otherStatus(evidence)) || { held: shownBy(id, evidence) };
}

/** How many responses show that a requirement holds which no limiter is likely to violate: the limit must have been reached. */
function shownBy(id: RequirementId, { diagnosis, facts, history }: LimitEvidence): number {
  const { own, plan } = history;
  const admitted = own.filter(isAdmitted);
  const rejected = id === 'LIMIT-03' ? rejectedIn(diagnosis, id) : own.filter(isRejected);
  if (rejected.length === 0 && !(id === 'LIMIT-01' && admitsInOneWindow(plan.perMinute, history)))
    throw new Inconclusive(`no ${id === 'LIMIT-03' ? 'burst' : 'request'} reached the limit`);
  const areAll = operationNames.every((name) => admitted.some(({ operation }) => operation === name));
  if (id === 'LIMIT-09' && !areAll)
    throw facts.readOnly
      ? new NotTested('a read-only run leaves createPet out')
      : new Inconclusive('not all operations could be sent');
  return id === 'LIMIT-01' || id === 'LIMIT-09' ? admitted.length : rejected.length;
}

/** Whether so many were admitted within the length of a window. */
function admitsInOneWindow(requests: number, { own, windowMs }: History): boolean {
  const admitted = own.filter(isAdmitted);
  return admitted.some(({ sentAt }, index) => {
    const last = admitted[index + requests - 1];
    return last !== undefined && last.receivedAt - sentAt <= windowMs;
  });
}

type Way = 'sequence' | 'burst';

/** One request after the other, or many at the same time: a target that takes few connections gets them in many small bursts. */
function wayOf({ observations, overlapping }: Burst): Way {
  const isMany = observations.length >= concurrentFrom || observations[0]?.phase === 'burst';
  return overlapping && isMany ? 'burst' : 'sequence';
}

/** Picks bursts, or what was found of them, that a requirement is about. */
function isOf(id: RequirementId) {
  const way: Way = id === 'LIMIT-03' ? 'burst' : 'sequence';
  return ({ burst }: { readonly burst: Burst }): boolean => wayOf(burst) === way;
}

/** The rejections that a requirement is about. */
function rejectedIn({ twin }: Diagnosis, id: RequirementId): Observation[] {
  return twin.traced.filter(isOf(id)).flatMap(({ burst }) => burst.observations.filter(isRejected));
}

/** Whether the limiter that explains the history best violates a requirement, and was tried as the requirement says. */
export function isViolated(id: RequirementId, { deviation, twin }: Diagnosis): boolean {
  return deviation?.violates.includes(id) === true && twin.traced.some(isOf(id));
}

/**
 * Whether too many are proved though no limiter explains them: more than twice the limit in one window, whenever it begins
 * and however it gives back, and every conforming limiter that is near would have rejected some.
 */
function areTooMany(id: RequirementId, { diagnosis, history }: LimitEvidence): boolean {
  const { deviation, conforming } = diagnosis;
  const isBeyondAny = admitsInOneWindow(2 * history.plan.perMinute + 1, history);
  const hasExcess = (one: Explanation): boolean => findingsOf(one, 'excess').some(isOf(id));
  return deviation === undefined && isBeyondAny && nearest(conforming).every(hasExcess);
}

/** What several requirements find of one limiter has one cause. */
export function factOfLimiter({ deviation }: Diagnosis): Fact {
  const { id = '', says = '', change } = deviation ?? {};
  const kept = change?.limit ?? (change?.windowMs && change.windowMs / 1000);
  return { kind: 'limiter', deviation: id, says, ...(kept !== undefined && { value: String(kept) }) };
}

/** A requirement fails by what the limiter as a whole does. */
export function violation(id: RequirementId, evidence: LimitEvidence): Check {
  const { observations, ...text } = shownOf(id, evidence);
  return failed(responsesOf(...observations), {
    ...text,
    received: `the limiter behaves like ${behavesLike(evidence.diagnosis)}`,
    reproduce: commandOf(id, evidence),
    fact: factOfLimiter(evidence.diagnosis),
  });
}

/** What one sees of a limiter that violates a requirement. */
function shownOf(id: RequirementId, { diagnosis, history }: LimitEvidence) {
  const { deviation, twin } = diagnosis;
  const limit = limitIn(history);
  if (id === 'LIMIT-14') {
    const [first] = twin.findings;
    return {
      message: `the limit is not restored at Reset: the limiter ${deviation?.says ?? ''}`,
      expected: 'the whole limit again after the announced Reset',
      observations: first?.burst.observations.slice(0, 1) ?? [],
    };
  }
  if (deviation?.admits === 'less')
    return {
      message: `fewer than ${limit} were admitted before a 429. ${bothReadings(diagnosis)}`,
      expected: `${limit} admitted`,
      observations: rejectedIn(diagnosis, id).slice(0, 1),
    };
  const excess = findingsOf(twin, 'excess').filter(isOf(id));
  const [gravest] = (excess.length > 0 ? excess : twin.findings).toSorted((a, b) => b.count - a.count);
  const { sentence, observations = [] } = gravest ? excessCertificate(gravest, history) : {};
  return {
    message: sentence ?? `more than ${limit} were admitted`,
    expected: `at most ${limit}, then 429`,
    observations: observations.slice(0, 6),
  };
}

/** Why nobody can tell whether a requirement is violated: what was admitted depends on the algorithm, or on other clients. */
function doubtOf(id: RequirementId, { diagnosis, history }: LimitEvidence): string | undefined {
  const { best, deviation, rivals, otherTraffic } = diagnosis;
  const rival = rivals
    .flatMap(({ hypothesis }) => hypothesis.deviation ?? [])
    .find((one) => one.violates.includes(id));
  if (rival?.admits === 'more')
    return `it depends on the algorithm whether too many were admitted: ${bothReadings(diagnosis)}`;
  if (deviation || id === 'LIMIT-02') return undefined;
  // Rejected again after a rejection: that is a limit which was not restored (LIMIT-05, LIMIT-14), not one that is too low.
  const isAgain = ({ burst }: Finding): boolean =>
    history.own.findLast(({ sentAt }) => sentAt < burst.at[0])?.outcome === 'rejected';
  const isUnexplained = findingsOf(best, 'spurious rejection', 'filled by others').some(
    (one) => isOf(id)(one) && !isAgain(one),
  );
  const isTheirs = otherTraffic > history.own.filter(isAdmitted).length;
  if (!rival && !isUnexplained && !isTheirs) return undefined;
  const advice = reportsRemaining(history.own)
    ? 'other clients may have used up what is missing: give the suite a key of its own'
    : 'without X-RateLimit-Remaining nothing shows who used up what is missing: RATE-02 first';
  return `${advice}. ${bothReadings(diagnosis)}`;
}

/** Another status in the place of 429: it comes when nothing is left, and never otherwise. */
function otherStatus(evidence: LimitEvidence): Check | undefined {
  const over: Observation[] = [];
  let mayBeBanned = false;
  for (const { burst, before } of evidence.diagnosis.best.traced) {
    const { observations } = burst;
    const isRefused = observations.some(isRejected);
    // Who goes on after a 429 may be banned (section 8.3), and is told so by 403, or by no response.
    const others = observations.filter(
      ({ outcome, status }) =>
        (outcome === 'failed' || outcome === 'unknown') &&
        !(mayBeBanned && (status === 403 || status === null)),
    );
    mayBeBanned = isRefused || (mayBeBanned && !observations.some(isAdmitted));
    // What fails while requests are left, or beside a 429, is not in its place: a target may not take so many at once.
    const isLeft = observations.filter(isAdmitted).length < Math.floor(before[0]);
    if (others.length > 0 && isLeft) return undefined;
    if (!isRefused) over.push(...others);
  }
  if (over.length < 2) return undefined;
  const statuses = [...new Set(over.map(({ status }) => String(status ?? 'no response')))].join(', ');
  return failed(responsesOf(...over.slice(0, 3)), {
    message: `${count(over.length, 'request')} over the limit got ${statuses} in the place of 429`,
    expected: '429',
    received: statuses,
    reproduce: commandOf('LIMIT-02', evidence),
    fact: { kind: 'status', expected: [429] },
  });
}

/** Whether the same probes may settle a verdict that is open, if they were sent again from another moment of the window. */
export function isRepeatWanted(evidence: LimitEvidence): boolean {
  const { history, diagnosis } = evidence;
  const others = findingsOf(diagnosis.best, 'hidden requests').length;
  const isSteady = others >= tolerances.steadyOthers || !history.own.some(isRejected);
  // A service that never rejects, or others that are always there, are so the next time, too.
  if (isSteady) return false;
  // Too many are settled; a few that lack, or are rejected in a burst, may be somebody else's doing, once.
  const { deviation } = diagnosis;
  if (deviation) return deviation.admits === 'less' && (deviation.id === 'limit' || deviation.id === 'lock');
  const judged = admission.map((id) => judgeRule(id, () => judgeAdmission(evidence, id)));
  const verdicts = new Set(judged.map(({ verdict }) => verdict));
  return !verdicts.has('fail') && (diagnosis.rivals.length > 0 || verdicts.has('inconclusive'));
}

/** LIMIT-15: a key has one limit, wherever its requests come from. */
export function* judgeVantagePoints(evidence: LimitEvidence): Checks {
  const { vantagePoints: points = [], plan } = evidence.facts;
  if (points.length < 2)
    throw new NotTested(
      'it takes a second vantage point: name two source addresses of this machine with --local-address=A,B (its IPv4 and its IPv6 address are two)',
    );
  const history = ofTheMinute({ ...evidence.history, own: evidence.sent });
  const sent = history.own.filter(({ phase }) => phase === 'vantage points');
  const [first] = sent;
  if (!first) throw new Inconclusive('nothing was sent from all vantage points together');
  const sentFrom = (point: string): Observation[] => sent.filter((one) => vantagePointOf(one) === point);
  const silent = points.filter((point) => sentFrom(point).every(({ status }) => status === null));
  if (silent.length > 0) return void (yield open(`no response came to ${silent.join(' and ')}`));
  const { conforming, faulty } = diagnose(history);
  const admitted = sent.filter(isAdmitted);
  const isExceeded = (one: Explanation): boolean =>
    findingsOf(one, 'excess').some(({ observations }) => observations.some((seen) => sent.includes(seen)));
  const exceeded = nearest(conforming).map(isExceeded);
  if (!exceeded.every(Boolean)) {
    if (exceeded.some(Boolean))
      return void (yield open('it depends on the algorithm whether too many were admitted together'));
    if (!sent.some(isRejected))
      throw new Inconclusive('no request from the vantage points reached the limit');
    // Who takes some of the limit elsewhere takes it here, too: LIMIT-01 judges it.
    return void (yield { held: admitted.length });
  }
  const span = (admitted.at(-1)?.receivedAt ?? 0) - (admitted[0]?.sentAt ?? 0);
  const { id, says: apart = '' } = faulty[0]?.hypothesis.deviation ?? {};
  const says = id === 'counters' ? apart : 'counts one key in several places';
  const curl = curlOf({ ...first.exchange.request, localAddress: undefined });
  const from = curl.replace(' -i ', ' -i --interface "$a" ');
  const fromEach = repeated.countedInTurn([from], Math.ceil((plan.perMinute + 1) / points.length));
  /** The first values of Remaining that a vantage point was told. */
  const remainingOf = (point: string): string => {
    const told = sentFrom(point).map(({ headers, status }) => headers.remaining ?? `status ${status}`);
    return `${point}: ${told.slice(0, 6).join(', ')} remaining at first`;
  };
  yield failed(responsesOf(...admitted.slice(0, points.length), ...admitted.slice(-1)), {
    message: `the same key was admitted ${admitted.length} times in ${seconds(span)} from ${points.length} vantage points together: the limiter ${says}`,
    expected: `${limitIn(history)} together, wherever they come from, then 429`,
    received: points.map(remainingOf).join('; '),
    reproduce: `for a in ${points.join(' ')}; do ${fromEach}; done`,
    fact: { kind: 'limiter', deviation: 'apart', says },
  });
}
