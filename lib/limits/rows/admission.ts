import type { FactOfFailure } from '../../evidence/record/fact.js';
import { count } from '../../explain/count.js';
import type { RequirementId } from '../../specification/catalogue.js';
import { failed, open, type Check, type Checks } from '../../verdict/check.js';
import type { Failure } from '../../verdict/judgement.js';
import { Inconclusive, NotTested } from '../../verdict/outcome.js';
import { behavesLike, bothReadings, excessCertificate, limitIn } from '../judge/certificate.js';
import { bits } from '../judge/bits.js';
import { findingsOf, type Deviation, type Explanation, type Finding } from '../judge/hypothesis.js';
import { nearest, type Diagnosis } from '../judge/judge.js';
import type { Burst, History } from '../history/history.js';
import {
  isAdmitted,
  isRejected,
  reportsRemaining,
  responsesOf,
  type Observation,
} from '../history/observation.js';
import { isFixedWindow } from '../limiter/limiter.js';
import type { LimitEvidence } from '../limit-evidence.js';
import { judgedBy } from '../limits-of-run.js';
import { concurrentFrom, tolerances } from '../tolerances.js';

/** One request after the other, or many at the same time. */
type Way = 'sequence' | 'burst';

/** What is wrong about how many requests are admitted, and what shows that it is not. */
interface Row {
  readonly way: Way;
  readonly wrong: ReadonlyArray<Deviation['admits']>;
  /** The checks that held. @throws Inconclusive, NotTested if nothing shows it */
  readonly held: (evidence: LimitEvidence) => number;
}

const rows = {
  'LIMIT-01': { way: 'sequence', wrong: ['less'], held: admittedOnce },
  'LIMIT-02': { way: 'sequence', wrong: ['more'], held: rejectedOnce },
  'LIMIT-03': { way: 'burst', wrong: ['more', 'less'], held: rejectedInBurst },
  'LIMIT-09': { way: 'sequence', wrong: ['more', 'less'], held: shared },
} as const satisfies Partial<Record<RequirementId, Row>>;

/** LIMIT-01, -02, -03 and -09: the plan's requests are admitted, and no more, in sequence and at once, by all operations together. */
export function judgeAdmission(evidence: LimitEvidence, id: RequirementId): Checks {
  const row = rows[id as keyof typeof rows];
  const made: Check[] = [];
  for (const admits of row.wrong) {
    made.push(...(admits === 'more' ? judgeTooMany : judgeTooFew)(id, evidence, row.way));
    if (made.some((check) => check.open)) return made;
  }
  if (id === 'LIMIT-02') made.push(...judgeOtherStatus(evidence.diagnosis));
  return made.length > 0 ? made : [{ held: row.held(evidence) }];
}

/** The run itself shows the limit: in one window, or up to a rejection that nothing earlier explains. */
function admittedOnce({ diagnosis, history }: LimitEvidence): number {
  const { own, plan, windowMs } = history;
  const admitted = own.filter(isAdmitted);
  const inOneWindow = admitted.some(({ sentAt }, index) => {
    const last = admitted[index + plan.perMinute - 1];
    return last !== undefined && last.receivedAt - sentAt <= windowMs;
  });
  const pastIsOver = (own[0]?.sentAt ?? 0) + (diagnosis.past === 0 ? 0 : 2 * windowMs);
  if (inOneWindow || own.some((one) => isRejected(one) && one.sentAt >= pastIsOver)) return admitted.length;
  throw new Inconclusive(
    `fewer requests than the limit of ${plan.perMinute} were admitted one after the other in a window; others may have come before this run`,
  );
}

function rejectedOnce({ diagnosis }: LimitEvidence): number {
  const { length } = [...rejectedIn(diagnosis, 'sequence'), ...rejectedIn(diagnosis, 'burst')];
  if (length > 0) return length;
  throw new Inconclusive('no request was rejected, and too few were sent to prove that one had to be');
}

function rejectedInBurst({ diagnosis }: LimitEvidence): number {
  const { length } = rejectedIn(diagnosis, 'burst');
  if (length === 0) throw new Inconclusive('no burst reached the limit');
  return length;
}

function shared({ facts, history: { own } }: LimitEvidence): number {
  if (!own.some(isRejected)) throw new Inconclusive('the limit was not reached');
  const admitted = own.filter(isAdmitted);
  const operations = new Set(admitted.flatMap(({ operation }) => operation ?? []));
  if (operations.size >= 3) return admitted.length;
  if (facts.readOnly) throw new NotTested('a read-only run leaves createPet out');
  throw new Inconclusive(`only ${[...operations].join(' and ')} could be sent`);
}

/** A target that takes few connections gets the burst in many small ones. */
function wayOf({ observations, overlapping }: Burst): Way {
  const isMany = observations.length >= concurrentFrom || observations[0]?.phase === 'burst';
  return overlapping && isMany ? 'burst' : 'sequence';
}

/** Bursts of a way in which requests were rejected. */
function rejectedIn({ twin }: Diagnosis, way: Way): Burst[] {
  return twin.traced
    .map(({ burst }) => burst)
    .filter((burst) => wayOf(burst) === way && burst.observations.some(isRejected));
}

/** What several requirements find of one limiter has one cause. */
export function factOfLimiter({ deviation }: Diagnosis): FactOfFailure {
  const { id = '', says = '', change } = deviation ?? {};
  const kept = change?.limit ?? (change?.windowMs && change.windowMs / 1000);
  return { kind: 'limiter', deviation: id, says, ...(kept !== undefined && { value: String(kept) }) };
}

/** Fails a requirement by what the limiter as a whole does. */
export function failLimiter(
  diagnosis: Diagnosis,
  shown: readonly Observation[],
  failure: Pick<Failure, 'message' | 'expected'>,
): Check {
  return failed(responsesOf(...shown), {
    ...failure,
    received: `the limiter behaves like ${behavesLike(diagnosis)}`,
    fact: factOfLimiter(diagnosis),
  });
}

/** Too many are proved, whatever other clients do, if every conforming limiter that is near must have admitted them. */
function* judgeTooMany(id: RequirementId, { diagnosis, history }: LimitEvidence, way: Way): Checks {
  const { deviation, twin, conforming, rivals } = diagnosis;
  const excessOf = (one: Explanation): readonly Finding[] =>
    findingsOf(one, 'excess').filter(({ burst }) => wayOf(burst) === way);
  const isWrong = violates(id, 'more');
  const convicted = isWrong(deviation) && twin.traced.some(({ burst }) => wayOf(burst) === way);
  const near = nearest(conforming, bits.lemma);
  const proved =
    deviation === undefined && isBeyondAny(history) && near.every((one) => excessOf(one).length > 0);
  if (!convicted && !proved) {
    if (deviation === undefined && rivals.some(({ hypothesis }) => isWrong(hypothesis.deviation)))
      yield open(`it depends on the algorithm whether too many were admitted: ${bothReadings(diagnosis)}`);
    return;
  }
  const beyond = excessOf(convicted ? twin : (near[0] ?? twin));
  const [gravest] = (beyond.length > 0 ? beyond : twin.findings).toSorted((a, b) => b.count - a.count);
  if (!gravest) return;
  const { sentence, observations } = excessCertificate(gravest, history);
  yield failLimiter(diagnosis, observations.slice(0, 6), {
    message: sentence,
    expected: `at most ${limitIn(history)}, then 429`,
  });
}

/** More in one window than any limiter admits, whenever its windows begin and however it gives back: twice the limit. */
function isBeyondAny({ own, plan, windowMs }: History): boolean {
  const admitted = own.filter(isAdmitted);
  return admitted.some(({ sentAt }, index) => {
    const last = admitted[index + 2 * plan.perMinute];
    return last !== undefined && last.receivedAt - sentAt < windowMs;
  });
}

/** Whether a faulty limiter violates a requirement, by admitting too many or too few. */
function violates(id: RequirementId, admits: Deviation['admits']) {
  return (deviation: Deviation | undefined): boolean =>
    deviation?.admits === admits && deviation.violates.includes(id);
}

/** Too few can always be somebody else's doing: they are found only by comparison. */
function* judgeTooFew(id: RequirementId, { diagnosis, history }: LimitEvidence, way: Way): Checks {
  const { best, deviation, rivals, otherTraffic } = diagnosis;
  const isWrong = violates(id, 'less');
  const rejected = rejectedIn(diagnosis, way);
  if (!isWrong(deviation) || rejected.length === 0) {
    // Rejected again after a rejection: that is a limit which was not restored (LIMIT-05, LIMIT-14), not one that is too low.
    const isAgain = ({ burst }: Finding): boolean =>
      history.own.findLast(({ sentAt }) => sentAt < burst.at[0])?.outcome === 'rejected';
    const unexplained = findingsOf(best, 'spurious rejection', 'filled by others').filter(
      (one) => wayOf(one.burst) === way && !isAgain(one),
    );
    const isTheirs = otherTraffic > history.own.filter(isAdmitted).length;
    if (
      deviation === undefined &&
      (unexplained.length > 0 || isTheirs || rivals.some(({ hypothesis }) => isWrong(hypothesis.deviation)))
    )
      yield open(
        `${reportsRemaining(history.own) ? 'other clients may have used up what is missing: give the suite a key of its own' : 'without X-RateLimit-Remaining nothing shows who used up what is missing: RATE-02 first'}. ${bothReadings(diagnosis)}`,
      );
    return;
  }
  const rejection = rejected.flatMap(({ observations }) => observations).find(isRejected);
  yield failLimiter(diagnosis, rejection ? [rejection] : [], {
    message: `fewer than ${limitIn(history)} were admitted before a 429. ${bothReadings(diagnosis)}`,
    expected: `${limitIn(history)} admitted`,
  });
}

/** Another status in the place of 429: it comes when nothing is left, and never otherwise. */
function* judgeOtherStatus({ best: { traced } }: Diagnosis): Checks {
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
    if (failed.length > 0 && isLeft) return;
    if (wayOf(burst) === 'sequence' || !observations.some(isRejected)) over.push(...failed);
  }
  if (over.length < 2) return;
  const statuses = [...new Set(over.map(({ status }) => String(status ?? 'no response')))];
  yield failed(responsesOf(...over.slice(0, 3)), {
    message: `${count(over.length, 'request')} over the limit got ${statuses[0] ?? ''} in the place of 429`,
    expected: '429',
    received: statuses.join(', '),
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
  const results = (Object.keys(rows) as Array<keyof typeof rows>).map((id) => ({
    way: rows[id].way,
    ...judgedBy(judgeAdmission, id, evidence),
  }));
  if (results.some(({ findings }) => findings.length > 0)) return new Set();
  const open = results.flatMap(({ verdict, way }) => (verdict === 'inconclusive' ? way : []));
  if (diagnosis.rivals.length === 0) return new Set(open);
  // What comes back at once is whole for whoever comes first, as Remaining shows.
  const atOnce =
    reportsRemaining(history.own) &&
    diagnosis.rivals.some(({ hypothesis }) => isFixedWindow(hypothesis.algorithm));
  return new Set([...open, 'sequence', ...(atOnce ? (['begin'] as const) : [])]);
}
