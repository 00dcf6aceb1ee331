import { count } from '../../explain/count.js';
import type { FactOfFailure } from '../../evidence/record/requirement-result.js';
import type { RequirementId } from '../../specification/catalogue.js';
import { failed, open, type Check, type Checks } from '../../verdict/check.js';
import { Inconclusive, NotTested } from '../../verdict/outcome.js';
import { behavesLike, bothReadings, excessCertificate, limitIn } from '../judge/certificate.js';
import { bits } from '../judge/bits.js';
import { findingsOf, type Explanation, type Finding } from '../judge/hypothesis.js';
import { nearest, type Diagnosis } from '../judge/judge.js';
import type { History } from '../history/history.js';
import type { Burst } from '../judge/load.js';
import {
  isAdmitted,
  isRejected,
  reportsRemaining,
  responsesOf,
  type Observation,
} from '../history/observation.js';
import { isFixedWindow } from '../limiter/limiter.js';
import { judgedBy, type LimitEvidence } from '../limits-of-run.js';
import { concurrentFrom, tolerances } from '../tolerances.js';
import { commandOf } from './commands.js';

/** What shows that a requirement of admission holds, if no limiter that violates it is likely: the checks. */
const shownBy = {
  // The run itself shows the limit: in one window, or up to a rejection that nothing earlier explains.
  'LIMIT-01': ({ diagnosis, history }) => {
    const { own, plan, windowMs } = history;
    const pastIsOver = (own[0]?.sentAt ?? 0) + (diagnosis.past === 0 ? 0 : 2 * windowMs);
    const isReached = own.some((one) => isRejected(one) && one.sentAt >= pastIsOver);
    if (isReached || admitsInOneWindow(plan.perMinute, history)) return own.filter(isAdmitted).length;
    throw new Inconclusive(
      `fewer requests than the limit of ${plan.perMinute} were admitted one after the other in a window; others may have come before this run`,
    );
  },
  'LIMIT-02': ({ history: { own } }) => {
    const { length } = own.filter(isRejected);
    if (length > 0) return length;
    throw new Inconclusive('no request was rejected, and too few were sent to prove that one had to be');
  },
  'LIMIT-03': ({ diagnosis }) => {
    const { length } = rejectedIn(diagnosis, 'LIMIT-03');
    if (length > 0) return length;
    throw new Inconclusive('no burst reached the limit');
  },
  'LIMIT-09': ({ facts, history: { own } }) => {
    if (!own.some(isRejected)) throw new Inconclusive('the limit was not reached');
    const admitted = own.filter(isAdmitted);
    const operations = new Set(admitted.flatMap(({ operation }) => operation ?? []));
    if (operations.size >= 3) return admitted.length;
    if (facts.readOnly) throw new NotTested('a read-only run leaves createPet out');
    throw new Inconclusive(`only ${[...operations].join(' and ')} could be sent`);
  },
} as const satisfies Partial<Record<RequirementId, (evidence: LimitEvidence) => number>>;

/** Whether so many were admitted within the length of a window. */
function admitsInOneWindow(requests: number, { own, windowMs }: History): boolean {
  const admitted = own.filter(isAdmitted);
  return admitted.some(({ sentAt }, index) => {
    const last = admitted[index + requests - 1];
    return last !== undefined && last.receivedAt - sentAt <= windowMs;
  });
}

/** LIMIT-01, -02, -03 and -09: the plan's requests are admitted, and no more, in sequence and at once, by all operations together. */
export function judgeAdmission(evidence: LimitEvidence, id: RequirementId): Checks {
  return [admissionOf(id as keyof typeof shownBy, evidence)];
}

function admissionOf(id: keyof typeof shownBy, evidence: LimitEvidence): Check {
  const { diagnosis } = evidence;
  // Too few are shown by a rejection.
  const isSeen = diagnosis.deviation?.admits !== 'less' || rejectedIn(diagnosis, id).length > 0;
  if ((isSeen && isViolated(id, diagnosis)) || (id !== 'LIMIT-01' && areTooMany(id, evidence)))
    return violation(id, evidence);
  const doubt = doubtOf(id, evidence);
  if (doubt !== undefined) return open(doubt);
  return (id === 'LIMIT-02' && otherStatus(evidence)) || { held: shownBy[id](evidence) };
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

/** Whether the limiter that explains the history best violates a requirement, and did what the requirement is about. */
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
  return deviation === undefined && isBeyondAny && nearest(conforming, bits.lemma).every(hasExcess);
}

/** What several requirements find of one limiter has one cause. */
export function factOfLimiter({ deviation }: Diagnosis): FactOfFailure {
  const { id = '', says = '', change } = deviation ?? {};
  const kept = change?.limit ?? (change?.windowMs && change.windowMs / 1000);
  return { kind: 'limiter', deviation: id, says, ...(kept !== undefined && { value: String(kept) }) };
}

/** A requirement fails by what the limiter as a whole does. */
export function violation(id: RequirementId, evidence: LimitEvidence): Check {
  const { observations, message, expected } = shownOf(id, evidence);
  return failed(responsesOf(...observations), {
    message,
    expected,
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
    const first = twin.findings.find(({ kind }) => kind !== 'other time');
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
  const { traced } = evidence.diagnosis.best;
  const over: Observation[] = [];
  let mayBeBanned = false;
  for (const { burst, before } of traced) {
    const { observations } = burst;
    const failed = observations.filter(
      ({ outcome, status }) =>
        (outcome === 'failed' || outcome === 'unknown') &&
        !(mayBeBanned && (status === 403 || status === null)),
    );
    // Who goes on after a 429 may be banned (section 8.3), and is told so by any status, or by none.
    mayBeBanned = observations.some(isRejected) || (mayBeBanned && !observations.some(isAdmitted));
    // What fails while requests are left, or beside a 429, is not in its place: a target may not take so many at once.
    const isLeft = observations.filter(isAdmitted).length < Math.floor(before[0]);
    if (failed.length > 0 && isLeft) return undefined;
    if (wayOf(burst) === 'sequence' || !observations.some(isRejected)) over.push(...failed);
  }
  if (over.length < 2) return undefined;
  const statuses = [...new Set(over.map(({ status }) => String(status ?? 'no response')))];
  return failed(responsesOf(...over.slice(0, 3)), {
    message: `${count(over.length, 'request')} over the limit got ${statuses[0] ?? ''} in the place of 429`,
    expected: '429',
    received: statuses.join(', '),
    reproduce: commandOf('LIMIT-02', evidence),
    fact: { kind: 'status', expected: [429] },
  });
}

/** Which parts of the probes would settle a verdict that is open, if they were sent again from another phase of the window. */
export function repeatsWanted(evidence: LimitEvidence): ReadonlySet<Way | 'begin'> {
  const { facts, history, diagnosis } = evidence;
  const others = findingsOf(diagnosis.best, 'hidden requests').length;
  const isSteady = others > tolerances.steadyOthers || !history.own.some(isRejected);
  // What is convicted is settled; a service that never rejects, or others that are always there, are so the next time, too.
  if (facts.stopped !== undefined || diagnosis.deviation || isSteady) return new Set();
  const ids = Object.keys(shownBy) as Array<keyof typeof shownBy>;
  const results = ids.map((id) => judgedBy(judgeAdmission, id, evidence));
  if (results.some(({ verdict }) => verdict === 'fail')) return new Set();
  const undecided = results.filter(({ verdict }) => verdict === 'inconclusive');
  const open = undecided.map(({ id }): Way => (id === 'LIMIT-03' ? 'burst' : 'sequence'));
  if (diagnosis.rivals.length === 0) return new Set(open);
  // What comes back at once is whole for whoever comes first, as Remaining shows.
  const atOnce =
    reportsRemaining(history.own) &&
    diagnosis.rivals.some(({ hypothesis }) => isFixedWindow(hypothesis.algorithm));
  return new Set([...open, 'sequence', ...(atOnce ? (['begin'] as const) : [])]);
}
