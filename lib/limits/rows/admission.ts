import type { FactOfFailure } from '../../record/fact.js';
import { ApiResponse } from '../../session/api-response.js';
import type { RequirementId } from '../../specification/catalogue.js';
import { Judgement } from '../../verdict/judgement.js';
import { Inconclusive, NotTested } from '../../verdict/outcome.js';
import { behavesLike, bothReadings, excessCertificate, plural, seconds } from '../diagnose/certificate.js';
import { findingsOf, type Diagnosis, type Finding, type FindingKind } from '../diagnose/hypothesis.js';
import type { Burst, History } from '../history/history.js';
import type { Observation } from '../history/observation.js';
import type { LimitEvidence } from '../limit-evidence.js';
import { concurrentFrom, tolerances } from '../tolerances.js';

/** One request after the other, or many at the same time. */
type Way = 'sequence' | 'burst';

/** LIMIT-01: the plan's requests are admitted. */
export function judgeAdmitted(judgement: Judgement, evidence: LimitEvidence): void {
  judgeTooFew(judgement, evidence, 'sequence');
  if (judgement.findings.length > 0) return;
  const { own, plan } = evidence.history;
  if (!reachesLimit(evidence)) {
    const reason =
      rejectedIn(evidence.diagnosis, 'sequence').length > 0
        ? 'requests from before this run may have used the limit up'
        : `fewer requests than the limit of ${plan.perMinute} were admitted one after the other in a window`;
    throw new Inconclusive(evidence.facts.stopped ?? reason);
  }
  judgement.held(own.filter(isAdmitted).length);
}

/** LIMIT-02: a request over the limit is rejected with 429. */
export function judgeRejected(judgement: Judgement, evidence: LimitEvidence): void {
  const { diagnosis, facts } = evidence;
  judgeTooMany(judgement, evidence, 'sequence');
  judgeOtherStatus(judgement, diagnosis);
  if (judgement.findings.length > 0) return;
  const inSequence = rejectedIn(diagnosis, 'sequence').length;
  if (inSequence + rejectedIn(diagnosis, 'burst').length === 0) {
    const reason = 'no request was rejected, and too few were sent to prove that one had to be';
    throw new Inconclusive(facts.stopped ?? reason);
  }
  if (inSequence === 0) judgement.note('Only requests at the same time reached the limit.');
  judgement.held(Math.max(1, inSequence));
}

/** LIMIT-03: of requests at the same time, as many are admitted as the limit allows. */
export function judgeConcurrency(judgement: Judgement, evidence: LimitEvidence): void {
  judgeTooMany(judgement, evidence, 'burst');
  judgeTooFew(judgement, evidence, 'burst');
  if (judgement.findings.length > 0) return;
  const checks = rejectedIn(evidence.diagnosis, 'burst').length;
  if (checks === 0) throw new Inconclusive(evidence.facts.stopped ?? 'no burst reached the limit');
  judgement.held(checks);
}

/** LIMIT-09: all operations share one limit, and each request counts once. */
export function judgeSharedLimit(judgement: Judgement, evidence: LimitEvidence): void {
  judgeTooMany(judgement, evidence, 'sequence');
  judgeTooFew(judgement, evidence, 'sequence');
  if (judgement.findings.length > 0) return;
  const { facts, history } = evidence;
  if (!history.own.some(({ outcome }) => outcome === 'rejected')) {
    throw new Inconclusive(facts.stopped ?? 'the limit was not reached');
  }
  const admitted = history.own.filter(isAdmitted);
  const operations = new Set(admitted.flatMap(({ operation }) => operation ?? []));
  if (operations.size < 3) {
    if (facts.readOnly) throw new NotTested('a read-only run leaves createPet out');
    throw new Inconclusive(`only ${[...operations].join(' and ')} could be sent`);
  }
  judgement.held(admitted.length);
}

function isAdmitted({ outcome }: Observation): boolean {
  return outcome === 'admitted';
}

function wayOf({ observations, overlapping }: Burst): Way {
  return overlapping && observations.length >= concurrentFrom ? 'burst' : 'sequence';
}

/** Bursts of a way in which requests were rejected. */
function rejectedIn({ twin }: Diagnosis, way: Way): Burst[] {
  return twin.traced
    .map(({ burst }) => burst)
    .filter(
      (burst) => wayOf(burst) === way && burst.observations.some(({ outcome }) => outcome === 'rejected'),
    );
}

/** Findings that every possible explanation has to make, as the best of them makes them. `open`: some have to. */
function inevitable(
  { possible }: Diagnosis,
  kinds: readonly FindingKind[],
  matches: (finding: Finding) => boolean,
): { readonly findings: readonly Finding[]; readonly open: boolean } {
  const each = possible.map((one) => findingsOf(one, ...kinds).filter(matches));
  const all = each.every((findings) => findings.length > 0);
  return { findings: all ? (each[0] ?? []) : [], open: !all && each.some((findings) => findings.length > 0) };
}

/** What several requirements find of one limiter has one cause. */
export function factOfLimiter({ deviation }: Diagnosis): FactOfFailure {
  const { id = '', says = '', change } = deviation ?? {};
  const kept = change?.limit ?? change?.capacity;
  return {
    kind: 'limiter',
    deviation: id,
    says,
    ...(kept !== undefined && { value: String(kept) }),
  };
}

function judgeTooMany(judgement: Judgement, { diagnosis, history }: LimitEvidence, way: Way): void {
  const { deviation, twin } = diagnosis;
  const ofWay = ({ burst }: { burst: Burst }): boolean => wayOf(burst) === way;
  const { findings, open } = inevitable(diagnosis, ['excess'], ofWay);
  const isBlamed = deviation?.admits === 'more' && deviation.blames.includes(judgement.id);
  const convicted = isBlamed && twin.traced.some(ofWay);
  if (!convicted && findings.length === 0) {
    if (open)
      throw new Inconclusive(
        `it depends on the algorithm whether too many were admitted: ${bothReadings(diagnosis)}`,
      );
    return;
  }
  const beyond = findingsOf(twin, 'excess').filter(ofWay);
  const shown = convicted ? (beyond.length > 0 ? beyond : twin.findings) : findings;
  const [gravest] = shown.toSorted((a, b) => b.count - a.count);
  if (!gravest) return;
  const { sentence, observations } = excessCertificate(gravest, history);
  judgement.fail(responses(observations), {
    message: sentence,
    expected: `at most ${plural(history.plan.perMinute, 'request')} in ${seconds(history.windowMs)}, then 429`,
    received: `the limiter behaves like ${behavesLike(diagnosis)}`,
    fact: factOfLimiter(diagnosis),
  });
}

function judgeTooFew(judgement: Judgement, { diagnosis, history }: LimitEvidence, way: Way): void {
  const { deviation, rival, possible } = diagnosis;
  const rejected = rejectedIn(diagnosis, way);
  const { findings, open } = inevitable(
    diagnosis,
    ['spurious rejection', 'filled by others'],
    (one) => wayOf(one.burst) === way && !isAfterRejection(one, history),
  );
  // Other clients may have used up what is missing: by rule S twice, if nothing else shows them, is no chance.
  const othersShown = possible.every((one) => findingsOf(one, 'hidden requests').length > 0);
  const reasonless = findings.some(({ kind }) => kind === 'spurious rejection');
  const isBlamed =
    deviation?.admits === 'less' && deviation.blames.includes(judgement.id) && rejected.length > 0;
  if (!isBlamed && (othersShown || (!reasonless && findings.length < 2))) {
    const suspected = rival?.hypothesis.deviation;
    const nearly = suspected?.admits === 'less' && suspected.blames.includes(judgement.id);
    if (findings.length > 0 || open || (nearly && rejected.length > 0))
      throw new Inconclusive(`other clients may have used up what is missing. ${bothReadings(diagnosis)}`);
    return;
  }
  const last = [...findings.map(({ burst }) => burst), ...rejected]
    .flatMap(({ observations }) => observations)
    .find(({ outcome }) => outcome === 'rejected');
  const limit = `${plural(history.plan.perMinute, 'request')} in ${seconds(history.windowMs)}`;
  judgement.fail(responses(last ? [last] : []), {
    message: `fewer than ${limit} were admitted before a 429`,
    expected: `${limit} admitted`,
    received: `the limiter behaves like ${behavesLike(diagnosis)}. ${bothReadings(diagnosis)}`,
    fact: factOfLimiter(diagnosis),
  });
}

/** Rejected again after a rejection: that is a limit which was not restored (LIMIT-05, LIMIT-14), not one that is too low. */
function isAfterRejection({ burst }: Finding, { own }: History): boolean {
  return own.findLast(({ sentAt }) => sentAt < burst.at[0])?.outcome === 'rejected';
}

/** Another status in the place of 429: it comes when nothing is left, and never otherwise. */
function judgeOtherStatus(judgement: Judgement, { best: { traced } }: Diagnosis): void {
  const over: Observation[] = [];
  for (const { burst, before, after } of traced) {
    const admitted = burst.observations.filter(isAdmitted).length;
    const rejects = burst.observations.some(({ outcome }) => outcome === 'rejected');
    const failed = burst.observations.filter(({ outcome }) => outcome === 'failed' || outcome === 'unknown');
    // What fails while requests are left, or beside a 429, is not in its place: a target may not take so many at once.
    if (failed.length > 0 && (after[0] >= 1 || admitted < Math.floor(before[0]))) return;
    if (rejects && wayOf(burst) === 'burst') continue;
    over.push(...failed);
  }
  if (over.length < 2) return;
  const statuses = [...new Set(over.map(({ status }) => String(status ?? 'no response')))];
  judgement.fail(responses(over.slice(0, 3)), {
    message: `${plural(over.length, 'request')} over the limit got ${statuses[0] ?? ''} in the place of 429`,
    expected: '429',
    received: statuses.join(', '),
    fact: { kind: 'status', expected: [429] },
  });
}

/** Whether the run itself shows that the limit is admitted: in one window, or up to a rejection that nothing earlier explains. */
function reachesLimit({ diagnosis, history }: LimitEvidence): boolean {
  const { own, plan, windowMs } = history;
  const admitted = own.filter(isAdmitted);
  const hasWhole = admitted.some(({ sentAt }, index) => {
    const last = admitted[index + plan.perMinute - 1];
    return last !== undefined && last.receivedAt - sentAt <= windowMs;
  });
  const begin = own[0]?.sentAt ?? 0;
  const pastIsOver = diagnosis.past === 0 ? begin : begin + 2 * windowMs;
  return hasWhole || own.some(({ outcome, sentAt }) => outcome === 'rejected' && sentAt >= pastIsOver);
}

function responses(observations: readonly Observation[]): ApiResponse[] {
  return observations.slice(0, 6).map(({ exchange }) => new ApiResponse(exchange));
}

/** The requirements that another look may settle, with the part of the probes that does. */
const settledBy = {
  'LIMIT-01': ['sequence', judgeAdmitted],
  'LIMIT-02': ['sequence', judgeRejected],
  'LIMIT-09': ['sequence', judgeSharedLimit],
  'LIMIT-03': ['burst', judgeConcurrency],
} as const;

/** Which parts of the probes would settle a verdict that is open, if they were sent again from another phase of the window. */
export function repeatsWanted(evidence: LimitEvidence): ReadonlySet<Way> {
  const { facts, history, diagnosis } = evidence;
  const rejects = history.own.some(({ outcome }) => outcome === 'rejected');
  const others = findingsOf(diagnosis.best, 'hidden requests').length;
  // What is convicted is settled; a service that never rejects, or others that are always there, are so the next time, too.
  if (facts.stopped !== undefined || diagnosis.deviation || !rejects || others > tolerances.steadyOthers)
    return new Set();
  const wanted = new Set<Way>();
  for (const [id, [way, judge]] of Object.entries(settledBy)) {
    const judgement = new Judgement(id as RequirementId);
    try {
      judge(judgement, evidence);
    } catch (error) {
      if (error instanceof Inconclusive) wanted.add(way);
    }
    if (judgement.findings.length > 0) return new Set();
  }
  return diagnosis.rival ? wanted.add('sequence') : wanted;
}
