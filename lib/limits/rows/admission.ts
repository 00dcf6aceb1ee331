import type { FactOfFailure } from '../../record/fact.js';
import type { RequirementId } from '../../specification/catalogue.js';
import { ApiResponse } from '../../session/api-response.js';
import type { Failure, Judgement } from '../../verdict/judgement.js';
import { Inconclusive, NotTested } from '../../verdict/outcome.js';
import { behavesLike, bothReadings, excessCertificate, plural, seconds } from '../diagnose/certificate.js';
import type { Diagnosis, Finding, FindingKind } from '../diagnose/hypothesis.js';
import type { Burst, History } from '../history/history.js';
import type { Observation } from '../history/observation.js';
import type { LimitEvidence } from '../limit-evidence.js';
import { concurrentFrom } from '../tolerances.js';

/** One request after the other, or many at the same time. */
type Way = 'sequence' | 'burst';

const tooMany: ReadonlySet<FindingKind> = new Set(['excess']);
const tooFew: ReadonlySet<FindingKind> = new Set(['spurious rejection', 'filled by others']);

/** LIMIT-01: the plan's requests are admitted. */
export function judgeAdmitted(judgement: Judgement, evidence: LimitEvidence): void {
  judgeNotTooFew(judgement, evidence, 'LIMIT-01', 'sequence');
  if (judgement.findings.length > 0) return;
  const { own, plan } = evidence.history;
  if (!reachesLimit(evidence)) {
    const reason =
      rejected(evidence, 'sequence').length > 0
        ? 'requests from before this run may have used the limit up'
        : `fewer requests than the limit of ${plan.perMinute} were admitted one after the other in a window`;
    throw new Inconclusive(evidence.facts.stopped ?? reason);
  }
  judgement.held(own.filter(isAdmitted).length);
}

/** LIMIT-02: a request over the limit is rejected with 429. */
export function judgeRejected(judgement: Judgement, evidence: LimitEvidence): void {
  judgeNotTooMany(judgement, evidence, 'LIMIT-02', 'sequence');
  judgeOtherStatus(judgement, evidence);
  if (judgement.findings.length > 0) return;
  const inSequence = rejected(evidence, 'sequence').length;
  if (inSequence + rejected(evidence, 'burst').length === 0) {
    const reason = 'no request was rejected, and too few were sent to prove that one had to be';
    throw new Inconclusive(evidence.facts.stopped ?? reason);
  }
  if (inSequence === 0) judgement.note('Only requests at the same time reached the limit.');
  judgement.held(Math.max(1, inSequence));
}

/** LIMIT-03: of requests at the same time, as many are admitted as the limit allows. */
export function judgeConcurrency(judgement: Judgement, evidence: LimitEvidence): void {
  judgeNotTooMany(judgement, evidence, 'LIMIT-03', 'burst');
  judgeNotTooFew(judgement, evidence, 'LIMIT-03', 'burst');
  if (judgement.findings.length > 0) return;
  const checks = rejected(evidence, 'burst').length;
  if (checks === 0) throw new Inconclusive(evidence.facts.stopped ?? 'no burst reached the limit');
  judgement.held(checks);
}

/** LIMIT-09: all operations share one limit, and each request counts once. */
export function judgeSharedLimit(judgement: Judgement, evidence: LimitEvidence): void {
  judgeNotTooMany(judgement, evidence, 'LIMIT-09', 'sequence');
  judgeNotTooFew(judgement, evidence, 'LIMIT-09', 'sequence');
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

function wayOf({ observations }: Burst): Way {
  return observations.length >= concurrentFrom ? 'burst' : 'sequence';
}

/** Bursts of a way in which requests were rejected. */
function rejected({ diagnosis: { bursts } }: LimitEvidence, way: Way): Burst[] {
  return bursts.filter(
    (burst) => wayOf(burst) === way && burst.observations.some(({ outcome }) => outcome === 'rejected'),
  );
}

/** Findings that every possible explanation has to make, as the best of them makes them. */
function inevitable(
  diagnosis: Diagnosis,
  kinds: ReadonlySet<FindingKind>,
  way: Way,
  matches: (finding: Finding) => boolean = () => true,
): { readonly findings: readonly Finding[]; readonly open: boolean } {
  const each = diagnosis.possible.map(({ findings }) =>
    findings.filter((one) => kinds.has(one.kind) && wayOf(one.burst) === way && matches(one)),
  );
  const all = each.every((findings) => findings.length > 0);
  return { findings: all ? (each[0] ?? []) : [], open: !all && each.some((findings) => findings.length > 0) };
}

/** Rejected again after a rejection: that is a limit which was not restored (LIMIT-05, LIMIT-14), not one that is too low. */
function isAfterRejection({ burst }: Finding, { own }: History): boolean {
  return own.findLast(({ sentAt }) => sentAt < burst.at[0])?.outcome === 'rejected';
}

/** What several requirements find of one limiter has one cause. */
export function factOfLimiter({ deviation }: Diagnosis): FactOfFailure {
  const { id = '', says = '', change } = deviation ?? {};
  return {
    kind: 'limiter',
    deviation: id,
    says,
    ...(change?.limit !== undefined && { value: String(change.limit) }),
  };
}

/** Whether a deviation is a limit that is wrong for every request: its rows depend on the way in which it was reached. */
function isOfAllRequests({ blames }: NonNullable<Diagnosis['deviation']>): boolean {
  return blames.includes('LIMIT-03') && blames.includes('LIMIT-09');
}

function judgeNotTooMany(judgement: Judgement, evidence: LimitEvidence, id: RequirementId, way: Way): void {
  const { diagnosis, history } = evidence;
  const { deviation, twin } = diagnosis;
  const { findings, open } = inevitable(diagnosis, tooMany, way);
  const beyond = twin.findings.filter(({ kind, burst }) => kind === 'excess' && wayOf(burst) === way);
  const isBlamed =
    deviation !== undefined && deviation.blames.includes(id) && !deviation.blames.includes('LIMIT-01');
  const sent =
    deviation?.id.includes('limit') === true || diagnosis.bursts.some((burst) => wayOf(burst) === way);
  const convicted = isBlamed && (beyond.length > 0 || sent);
  if (!convicted && findings.length === 0) {
    if (open)
      throw new Inconclusive(
        `it depends on the algorithm whether too many were admitted: ${bothReadings(diagnosis)}`,
      );
    return;
  }
  const shown = convicted ? (beyond.length > 0 ? beyond : twin.findings) : findings;
  const [gravest] = shown.toSorted((a, b) => b.count - a.count);
  if (!gravest) return;
  const { sentence, observations } = excessCertificate(gravest, history);
  const failure: Failure = {
    message: sentence,
    expected: `at most ${plural(history.plan.perMinute, 'request')} in ${seconds(history.windowMs)}, then 429`,
    received: `the limiter behaves like ${behavesLike(diagnosis)}`,
    fact: factOfLimiter(diagnosis),
  };
  judgement.fail(responses(observations), failure);
}

function judgeNotTooFew(judgement: Judgement, evidence: LimitEvidence, id: RequirementId, way: Way): void {
  const { diagnosis, history } = evidence;
  const { deviation, rival } = diagnosis;
  const isBlamed =
    deviation !== undefined &&
    deviation.blames.includes(id) &&
    !deviation.blames.includes('LIMIT-02') &&
    (!isOfAllRequests(deviation) || rejected(evidence, way).length > 0);
  const { findings, open } = inevitable(
    diagnosis,
    tooFew,
    way,
    (finding) => !isAfterRejection(finding, history),
  );
  // Other clients may have used up what is missing: by rule S twice, if nothing else shows them, is no chance.
  const shown = diagnosis.possible.every(({ findings: all }) =>
    all.some(({ kind }) => kind === 'hidden requests'),
  );
  const reasonless = findings.some(({ kind }) => kind === 'spurious rejection');
  const convicted = isBlamed || (!shown && (reasonless || findings.length >= 2));
  if (!convicted) {
    const nearly =
      rival?.hypothesis.deviation?.blames.includes(id) === true &&
      !rival.hypothesis.deviation.blames.includes('LIMIT-02');
    if (findings.length > 0 || open || (nearly && rejected(evidence, way).length > 0)) {
      throw new Inconclusive(`other clients may have used up what is missing. ${bothReadings(diagnosis)}`);
    }
    return;
  }
  const isRejected = ({ outcome }: Observation): boolean => outcome === 'rejected';
  const shownBy = findings.map(({ burst }) => burst).concat(rejected(evidence, way));
  const last = shownBy.flatMap(({ observations }) => observations).find(isRejected);
  const failure: Failure = {
    message: `fewer than ${plural(history.plan.perMinute, 'request')} in ${seconds(history.windowMs)} were admitted before a 429`,
    expected: `${plural(history.plan.perMinute, 'request')} admitted in ${seconds(history.windowMs)}`,
    received: `the limiter behaves like ${behavesLike(diagnosis)}. ${bothReadings(diagnosis)}`,
    fact: factOfLimiter(diagnosis),
  };
  judgement.fail(responses(last ? [last] : []), failure);
}

/** Another status in the place of 429: it comes when nothing is left, and never otherwise. */
function judgeOtherStatus(judgement: Judgement, { diagnosis }: LimitEvidence): void {
  const failed = (burst: Burst): Observation[] =>
    burst.observations.filter(({ outcome }) => outcome === 'failed' || outcome === 'unknown');
  const over: Observation[] = [];
  for (const { burst, after } of diagnosis.traced) {
    const some = failed(burst);
    if (some.length === 0) continue;
    if (after[0] >= 1) return;
    over.push(...some);
  }
  if (over.length < 2) return;
  const failure: Failure = {
    message: `${plural(over.length, 'request')} over the limit got ${over[0]?.status ?? 'no response'} in the place of 429`,
    expected: '429',
    received: [...new Set(over.map(({ status }) => String(status ?? 'no response')))].join(', '),
    fact: { kind: 'status', expected: [429] },
  };
  judgement.fail(responses(over.slice(0, 3)), failure);
}

/** Whether the run itself shows that the limit is admitted: in one window, or up to a rejection that nothing earlier explains. */
function reachesLimit({ diagnosis, history }: LimitEvidence): boolean {
  const { own, plan, windowMs } = history;
  const admitted = own.filter(isAdmitted);
  const hasWhole = admitted.some(({ sentAt }, index) => {
    const last = admitted[index + plan.perMinute - 1];
    return last !== undefined && last.receivedAt - sentAt <= windowMs;
  });
  if (hasWhole) return true;
  const begin = own[0]?.sentAt ?? 0;
  const pastIsOver = diagnosis.past === 0 ? begin : begin + 2 * windowMs;
  return own.some(({ outcome, sentAt }) => outcome === 'rejected' && sentAt >= pastIsOver);
}

function responses(observations: readonly Observation[]): ApiResponse[] {
  return observations.slice(0, 6).map(({ exchange }) => new ApiResponse(exchange));
}
